#include "gan/gan_report.h"

#include <algorithm>

#include "gan/generator_method.h"
#include "runs/held_out_json.h"
#include "runs/held_out_release.h"
#include "sotto/accounting/statement.h"

namespace sotto::gan {
namespace {

constexpr const char* kSubject = "generator";

std::string not_private_because(const GanConfig& config,
                                const std::optional<GanSpending>& spending) {
  if (!spending) return runs::kWithoutNoise;
  if (spending->seeded) return runs::kNoiseFromSeed;
  if (starts_from_private_data(config)) {
    return "its first weights were trained on the private data themselves "
           "by request, which no ε covers.";
  }
  return "";
}

std::string shown(const GanConfig& config) {
  return !generator_method(config.method).has_private_losses() || !config.show_private
             ? "Nothing else about the records was shown or written."
             : "The critic's losses were shown by request. They describe records without "
               "noise: they are not covered by ε, and neither is any file with \"private\" in its "
               "name, which hold them.";
}

std::vector<std::string> warnings_of(const GanConfig& config, const accounting::TrainingRun& run,
                                     const accounting::PrivacyCost& cost) {
  auto warnings = accounting::privacy_warnings(run, cost, accounting::Batches::kDrawnAsStated);
  if (!config.public_data.dataset.empty()) {
    warnings.push_back("this does not cover the data called public (" + config.public_data.dataset +
                       "): they were used without noise");
  }
  return warnings;
}

}  // namespace

void reserve_held_out(const GanConfig& config, const GanData& data, GanSpending& spending) {
  if (!data.tensors.test_is_private()) return;
  const double spent = spending.seeded ? config.target_epsilon : spending.cost.epsilon;
  const auto epsilon = runs::held_out_epsilon(config.data.held_out_epsilon, spent);
  if (!epsilon) return;
  spending.held_out = {*epsilon, spending.spend.plan.neighbours().adjacency(),
                       config.insecure_seed};
  spending.cost.epsilon = std::max(spending.cost.epsilon, *epsilon);
}

bool starts_from_private_data(const GanConfig& config) {
  return config.pretrain_epochs > 0 && config.public_data.dataset.empty();
}

runs::DeclaredPerson declared_person(const GanConfig& config) {
  return {.column = runs::person_column(config.data.schema_text),
          .group_size = config.group_size,
          .takes_groups = config.method == Method::kMerf,
          .holds_out = config.data.csv_test.empty() && config.data.held_out_epsilon != 0.0};
}

runs::PrivacyReport report_on(const GanConfig& config, const std::optional<GanSpending>& spending,
                              const std::filesystem::path& folder) {
  if (const auto reason = not_private_because(config, spending); !reason.empty()) {
    auto report = runs::report_not_private(kSubject, reason);
    if (spending && spending->held_out) {
      report.json["held_out"] = runs::held_out_json(*spending->held_out, folder);
    }
    return report;
  }
  const auto& plan = spending->spend.plan;
  const auto run = plan.run_of(std::max<std::int64_t>(1, spending->spend.steps));
  auto statement = accounting::privacy_statement(run, plan.neighbours(), spending->cost,
                                                 {"the generator and any number of its samples"});
  const auto& method = generator_method(config.method);
  statement.noise_assumption = method.noise_text(config, plan);
  runs::AccountedRun accounted{.subject = kSubject,
                               .spend = spending->spend,
                               .cost = spending->cost,
                               .ledger_hash = spending->ledger_hash,
                               .statement = statement,
                               .limits = runs::person_limit(declared_person(config)),
                               .warnings = warnings_of(config, run, spending->cost),
                               .shown = shown(config),
                               .arithmetic = method.arithmetic(),
                               .held_out = {spending->held_out, folder}};
  if (spending->stopped) runs::add_limit(*spending->stopped, accounted);
  auto report = runs::report_on(accounted);
  if (spending->stopped) report.json["stopped_early"] = json_of(*spending->stopped);
  report.json["method"] = to_string(config.method);
  return report;
}

}  // namespace sotto::gan
