#include "gan/generator_method.h"

#include "core/counted.h"
#include "gan/dp_gan_run.h"
#include "gan/merf_training.h"
#include "runs/recorded_identity.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"
#include "sotto/engine/privacy_engine.h"

namespace sotto::gan {
namespace {

using accounting::rounded_down;

bool has_public_data(const GanConfig& config) { return !config.public_data.dataset.empty(); }

// The generator is fitted to one private mean embedding (arXiv:2002.11603).
class Merf final : public GeneratorMethod {
 public:
  void require_usable(const GanConfig& config) const override {
    check_setting(!has_public_data(config), the_setting("public_data"), ": ", the_setting("method"),
                  " merf does not use public data");
    check_setting(config.pretrain_epochs == 0, the_setting("pretrain_epochs"), ": ",
                  the_setting("method"), " merf starts from new weights");
  }
  GanResult fit(const GanRun& run, const GanData& data,
                runs::RunObserver& observer) const override {
    return train_by_embedding(run, data, observer);
  }
  ScoreShares score_shares(const GanRun& run, const GeneratorCard& card,
                           const train::TensorData& generated) const override {
    return witness_shares(run, card, generated);
  }
  std::string noise_text(const GanConfig& /*config*/, const Plan& plan) const override {
    return "Each record adds one vector of random features, of norm at most 1, to the sum of its "
           "class; secret Gaussian noise of standard deviation " +
           rounded_down(plan.gradient_noise_multiplier()) +
           " is added once to every entry of the sums. The generator is fitted to these and sees "
           "no record.";
  }
  const char* arithmetic() const override { return kProvedArithmetic; }
  bool has_private_losses() const override { return false; }
};

// A generator against a critic that is trained privately (arXiv:1801.01594).
class DpGan : public GeneratorMethod {
 public:
  void require_usable(const GanConfig& config) const override {
    const bool has_public = has_public_data(config);
    check_setting(
        !has_public || !runs::is_same_data(config.public_data.dataset, config.data.dataset),
        the_setting("public_data"), " '", config.public_data.dataset,
        "': the private data themselves; public data must be others");
    // A stopping time that depends on records is not what a composition of steps prices.
    check_setting(config.tolerance <= 0 || config.disable_dp, the_setting("tolerance"), " ",
                  config.tolerance,
                  ": would end training by what the critic has learnt from private records, which "
                  "has no analysis here; expected 0, or ",
                  the_setting("disable_dp"));
    check_setting(config.groups >= 1, the_setting("groups"), " must be at least 1, got ",
                  config.groups);
    check_setting(config.pretrain_epochs == 0 || has_public || config.pretraining_is_not_private,
                  the_setting("pretrain_epochs"), ": needs ", the_setting("public_data"),
                  "; pre-training on the private data themselves is not private, and asks for ",
                  the_setting("pretraining_is_not_private"));
    check_setting(!config.adaptive_critic_steps || config.critic_loss == CriticLoss::kLogistic,
                  the_setting("adaptive_critic_steps"),
                  ": asks how many fakes the critic sees through, which only ",
                  the_setting("critic_loss"), " logistic can say");
  }
  GanResult fit(const GanRun& run, const GanData& data,
                runs::RunObserver& observer) const override {
    return train_dp_gan(run, data, observer);
  }
  ScoreShares score_shares(const GanRun& run, const GeneratorCard& card,
                           const train::TensorData& /*generated*/) const override {
    return critic_shares(run, card);
  }
  std::string noise_text(const GanConfig& config, const Plan& plan) const override {
    const auto sigma = rounded_down(plan.gradient_noise_multiplier());
    return "The critic alone sees records. " + clipping_text(config, sigma) +
           ", empty batches included. How many records each class has was released with noise " +
           rounded_down(plan.options().releases.at(0).noise_multiplier) +
           ", which is in ε. The generator learns from the critic alone.";
  }
  const char* arithmetic() const override { return kLibTorchAssumption; }
  bool has_private_losses() const override { return true; }

 private:
  virtual std::string clipping_text(const GanConfig& /*config*/, const std::string& sigma) const {
    return "Each record's gradient is clipped to a norm C, and secret Gaussian noise of standard "
           "deviation " +
           sigma + " × C is added once to each step's sum";
  }
};

// The same with groups of parameters, whose bounds and first weights come from public data.
class AdvancedDpGan final : public DpGan {
 public:
  void require_usable(const GanConfig& config) const override {
    check_setting(has_public_data(config), the_setting("method"), " advanced: needs ",
                  the_setting("public_data"), ", data that may be looked at");
    DpGan::require_usable(config);
  }

 private:
  std::string clipping_text(const GanConfig& config, const std::string& sigma) const override {
    return "Its parameters are clipped in " + counted(config.groups, "group") +
           ", each record's gradient to bounds taken from public data, and secret Gaussian "
           "noise of " +
           sigma + " times a group's bound is added once to its sum in each step";
  }
};

}  // namespace

const GeneratorMethod& generator_method(Method method) {
  static const Merf kMerf;
  static const DpGan kBasic;
  static const AdvancedDpGan kAdvanced;
  if (method == Method::kMerf) return kMerf;
  if (method == Method::kBasic) return kBasic;
  return kAdvanced;
}

}  // namespace sotto::gan
