#include "gan/gan_evaluation.h"

#include <torch/utils.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.h"
#include "gan/classifier.h"
#include "gan/gan_run.h"
#include "gan/generator_method.h"
#include "runs/held_out_release.h"
#include "runs/recorded_identity.h"
#include "runs/run_record.h"
#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

using at::Tensor;
using train::TensorData;

// A record that was trained on must not be among those held out now.
GanData unchanged_data(const GanConfig& config) {
  runs::require_same_content(config.data.dataset, config.data_identity);
  auto data = load_gan_data(config.data, config.disable_dp);
  if (!config.disable_dp && data.tensors.test_is_private()) {
    runs::require_identity(config.data.dataset, config.data_identity);
  }
  return data;
}

// As models are given them.
TensorData as_inputs(const SyntheticData& data) {
  return {train::model_input(data.samples).contiguous(), data.labels};
}

TensorData first(const TensorData& data, std::int64_t n) {
  const auto count = std::min(n, data.size());
  return {data.inputs.narrow(0, 0, count), data.labels.narrow(0, 0, count)};
}

TensorData chosen(const TensorData& data, std::int64_t n) {
  const Tensor records =
      torch::randperm(data.size(), torch::kLong).narrow(0, 0, std::min(n, data.size()));
  return {data.inputs.index_select(0, records), data.labels.index_select(0, records)};
}

double inception_score(torch::nn::Sequential classifier, const Tensor& samples) {
  constexpr std::int64_t kParts = 10;
  const Tensor p = probabilities(std::move(classifier), samples).to(at::kDouble).clamp_min(1e-12);
  double total = 0;
  const auto parts = p.chunk(kParts);
  for (const auto& part : parts) {
    const Tensor mean = part.mean(0, /*keepdim=*/true);
    total += std::exp((part * (part.log() - mean.log())).sum(1).mean().item<double>());
  }
  return total / static_cast<double>(parts.size());
}

// Base 2, between (p, 1 - p) and (1/2, 1/2); p (n).
double mean_js_divergence(const Tensor& p) {
  const auto entropy = [](const Tensor& q) {
    const Tensor inside = q.clamp(1e-12, 1 - 1e-12);
    return -(inside * inside.log2() + (1 - inside) * (1 - inside).log2());
  };
  return (entropy((p + 0.5) / 2) - (entropy(p) + 1) / 2).mean().item<double>();
}

double js_score(const TensorData& real, const TensorData& synthetic,
                const std::vector<std::int64_t>& shape, std::int64_t epochs) {
  const auto n = std::min({real.size(), synthetic.size() / 2, std::int64_t{10'000}});
  const Tensor inputs = at::cat({first(real, n).inputs, first(synthetic, n).inputs}).contiguous();
  const Tensor kinds = at::cat({at::ones({n}, at::kLong), at::zeros({n}, at::kLong)});
  const auto judge = train_classifier({inputs, kinds}, shape, 2, epochs);
  const Tensor unseen = synthetic.inputs.narrow(0, n, synthetic.size() - n);
  return mean_js_divergence(probabilities(judge, unseen).select(1, 1).to(at::kDouble));
}

// Median over a's samples of the distance to the nearest of b.
double median_nearest(const TensorData& a, const TensorData& b) {
  torch::NoGradGuard no_gradients;
  const Tensor rows = a.inputs.flatten(1);
  Tensor nearest = at::full({rows.size(0)}, std::numeric_limits<float>::infinity());
  for (const auto& part : b.inputs.flatten(1).split(5000)) {
    nearest = at::minimum(nearest, std::get<0>(at::cdist(rows, part).min(1)));
  }
  return nearest.median().item<double>();
}

double mean_share(const ScoreShares& shares, const TensorData& data) {
  double total = 0;
  for (std::int64_t begin = 0; begin < data.size(); begin += 500) {
    const auto n = std::min<std::int64_t>(500, data.size() - begin);
    total += shares({data.inputs.narrow(0, begin, n), data.labels.narrow(0, begin, n)})
                 .sum()
                 .item<double>();
  }
  return total / static_cast<double>(data.size());
}

TensorData uniform_noise(const TensorData& like, std::int64_t n) {
  auto sizes = like.inputs.sizes().vec();
  sizes[0] = n;
  return {torch::rand(sizes) * 2 - 1, like.labels.narrow(0, 0, n)};
}

void read_privacy(const runs::RunRecord& record, GanEvaluation& result) {
  result.epsilon = record.epsilon();
  result.delta = std::isfinite(result.epsilon) ? record.delta().value_or(0) : 0;
  result.contradictions = record.contradictions();
}

// What the run set aside for its held-out records; nothing if it did not.
std::optional<runs::HeldOutTerms> terms_of(const nlohmann::json& privacy, const GanConfig& config) {
  if (!privacy.contains("held_out")) return std::nullopt;
  try {
    const auto& held_out = privacy.at("held_out");
    return runs::HeldOutTerms{
        held_out.at("epsilon").get<double>(),
        accounting::adjacency_from_name(held_out.at("relation").get<std::string>()),
        config.insecure_seed};
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("privacy.json: 'held_out' is damaged");
  }
}

class Evaluator {
 public:
  Evaluator(const std::filesystem::path& folder, const EvaluationOptions& options)
      : folder_(folder),
        options_(options),
        run_(GanRun::open(folder)),
        loaded_(load_finished()),
        data_(unchanged_data(run_.config())),
        record_(runs::RunRecord::read(folder)) {
    check_argument(real().shape == card().shape.sample, run_.generator().string(),
                   ": makes samples of another shape than the data have");
    const auto count = options.samples > 0 ? options.samples : real().train.size();
    synthetic_ = as_inputs(draw_samples(loaded_.generator, card(), count));
    shares_ = generator_method(run_.config().method).score_shares(run_, card(), synthetic_);
  }

  GanEvaluations all() {
    GanEvaluations result;
    add_public(result.covered);
    if (may_look_at_test_records()) {
      add_test(result.covered);
    } else if (real().test_is_private()) {
      result.covered.held_out = released();
    }
    if (run_.config().disable_dp || options_.show_private) {
      GanEvaluation exact = result.covered;
      if (!may_look_at_test_records() && real().test.size() > 0) add_test(exact);
      add_training(exact);
      (run_.config().disable_dp ? result.covered : result.exact.emplace()) = exact;
    }
    result.covered.table_refused = is_table() && !result.covered.table;
    return result;
  }

 private:
  const train::TensorTrainTest& real() const { return data_.tensors; }
  const GeneratorCard& card() const { return loaded_.card; }

  LoadedGenerator load_finished() const {
    check_argument(std::filesystem::exists(run_.generator()), run_.generator().string(),
                   ": not there; the run is not finished");
    return load_generator(run_.generator());
  }

  bool may_look_at_test_records() const {
    return real().test.size() > 0 && (!real().test_is_private() || run_.config().disable_dp);
  }

  bool is_table() const { return !card().schema.empty(); }

  void add_table(GanEvaluation& result, const TensorData& rows, const char* whose) {
    if (!is_table()) return;
    result.table =
        compare_tables(decoded_table(rows.inputs, rows.labels, card().schema),
                       decoded_table(synthetic_.inputs, synthetic_.labels, card().schema));
    result.table->rows = whose;
  }

  std::int64_t scored() const {
    constexpr std::int64_t kScored = 2000;
    return std::min(kScored, synthetic_.size());
  }

  torch::nn::Sequential& by_synthetic() {
    if (by_synthetic_.is_empty()) {
      by_synthetic_ =
          train_classifier(synthetic_, real().shape, card().shape.classes, options_.epochs);
    }
    return by_synthetic_;
  }

  // Looks at no record.
  void add_public(GanEvaluation& result) {
    result.classifier = classifier_name(real().shape);
    result.s_plus_noise = mean_share(shares_, uniform_noise(synthetic_, scored()));
    result.s_plus_generated = mean_share(shares_, first(synthetic_, scored()));
    read_privacy(record_, result);
  }

  // Looks at test records.
  void add_test(GanEvaluation& result) {
    result.synthetic_accuracy = accuracy(by_synthetic(), real().test);
    result.s_plus_test = mean_share(shares_, chosen(real().test, scored())) - 1;
    result.nearest_test = median_nearest(first(synthetic_, kCompared), real().test);
    add_table(result, real().test, "test");
  }

  // Looks at training records.
  void add_training(GanEvaluation& result) {
    const auto by_real =
        train_classifier(real().train, real().shape, card().shape.classes, options_.epochs);
    result.inception_score = inception_score(by_real, first(synthetic_, 10'000).inputs);
    result.js_score = js_score(real().train, synthetic_, real().shape,
                               std::min<std::int64_t>(options_.epochs, 3));
    result.nearest_train = median_nearest(first(synthetic_, kCompared), real().train);
    add_table(result, real().train, "training");
    if (real().test.size() == 0) return;
    result.real_accuracy = accuracy(by_real, real().test);
    result.nearest_test_to_train = median_nearest(chosen(real().test, kCompared), real().train);
  }

  // Charges first. Runs of before held-out releases set nothing aside, and release nothing.
  std::optional<runs::HeldOutRelease> released() {
    const auto terms = terms_of(record_.privacy(), run_.config());
    if (!terms) return std::nullopt;
    const auto classes = card().shape.classes;
    return runs::release_held_out(folder_, *terms, static_cast<std::size_t>(classes), [&] {
      const auto& test = real().test;
      if (test.size() == 0) {
        return std::vector<runs::AnswerCounts>(static_cast<std::size_t>(classes));
      }
      const auto exact = train::evaluate(by_synthetic(), test.inputs, test.labels, classes,
                                         train::held_out_at_once(terms->adjacency));
      return runs::answer_counts(exact.confusion);
    });
  }

  static constexpr std::int64_t kCompared = 500;

  std::filesystem::path folder_;
  EvaluationOptions options_;
  GanRun run_;
  LoadedGenerator loaded_;
  GanData data_;
  runs::RunRecord record_;
  TensorData synthetic_;
  ScoreShares shares_;
  torch::nn::Sequential by_synthetic_{nullptr};
};

}  // namespace

GanEvaluations evaluate_generator(const std::filesystem::path& folder,
                                  const EvaluationOptions& options) {
  constexpr std::int64_t kLeastSamples = 20;
  check_argument(options.samples == 0 || options.samples >= kLeastSamples,
                 "samples: at least 20 are needed, got ", options.samples);
  return Evaluator(folder, options).all();
}

}  // namespace sotto::gan
