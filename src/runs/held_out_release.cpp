#include "runs/held_out_release.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "plan/ledger_header.h"
#include "runs/held_out_json.h"
#include "runs/json_file.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/integer_noise.h"

namespace sotto::runs {
namespace {

constexpr const char* kTrainingLedgerName = "ledger.jsonl";
constexpr const char* kEvent = "held-out answers";
constexpr double kMostEpsilon = 50;  // there is no noise left to take away

nlohmann::json ledger_plan(const HeldOutTerms& terms, std::size_t classes) {
  nlohmann::json plan = {{"release", "right and wrong answers on held-out records, by class"},
                         {"epsilon", terms.epsilon},
                         {"delta", 0},
                         {"noise", "discrete Laplace"},
                         {"relation", accounting::to_string(terms.adjacency)},
                         {"classes", classes}};
  if (terms.insecure_seed) plan["not_private"] = "noise came from a seed";
  return plan;
}

std::unique_ptr<RandomSource> noise_source(const HeldOutTerms& terms) {
  if (!terms.insecure_seed) return std::make_unique<SecureRandom>();
  constexpr std::uint64_t kApart = 0x68656c64206f7574;  // from the training's own draws
  return std::make_unique<SeededRandomNotPrivate>(*terms.insecure_seed ^ kApart);
}

struct Totals {
  double right = 0;
  double all = 0;
};

Totals totals_of(const std::vector<AnswerCounts>& counts) {
  Totals totals;
  for (const auto& count : counts) {
    totals.right += static_cast<double>(count.right);
    totals.all += static_cast<double>(count.right) + static_cast<double>(count.wrong);
  }
  return totals;
}

}  // namespace

std::vector<AnswerCounts> answer_counts(const std::vector<std::vector<std::int64_t>>& confusion) {
  std::vector<AnswerCounts> counts;
  for (std::size_t truth = 0; truth < confusion.size(); ++truth) {
    AnswerCounts count;
    for (std::size_t guess = 0; guess < confusion.size(); ++guess) {
      (guess == truth ? count.right : count.wrong) += confusion[truth][guess];
    }
    counts.push_back(count);
  }
  return counts;
}

std::optional<double> held_out_epsilon(const std::optional<double>& given, double spent) {
  const double epsilon = given.value_or(std::min(spent, kMostEpsilon));
  return epsilon >= kLeastHeldOutEpsilon ? std::optional(epsilon) : std::nullopt;
}

void require_fixed_sides(accounting::Adjacency adjacency, const std::string& dataset) {
  check_setting(
      adjacency != accounting::Adjacency::kReplaceOne, dataset, ": ", the_setting("relation"),
      " replace-one: a replaced record may change sides between training and held-out "
      "ones; give public test records (",
      the_setting("csv_test"), " FILE), hold out nothing (", the_setting("held_out_epsilon"),
      " 0), or take ", the_setting("relation"), " zero-out");
}

double HeldOutRelease::noise_deviation() const {
  return mechanisms::DiscreteLaplace(1, epsilon).standard_deviation();
}

std::optional<double> HeldOutRelease::accuracy() const {
  const auto [right, all] = totals_of(counts);
  if (all <= 0) return std::nullopt;
  return std::clamp(right / all, 0.0, 1.0);
}

// Of R / (R + W) to first order, each of them a sum over classes.
std::optional<double> HeldOutRelease::accuracy_error() const {
  const auto share = accuracy();
  if (!share) return std::nullopt;
  const double deviation = noise_deviation() * std::sqrt(static_cast<double>(counts.size()));
  return deviation * std::hypot(*share, 1 - *share) / totals_of(counts).all;
}

HeldOutRelease noised(const std::vector<AnswerCounts>& counts, const HeldOutTerms& terms,
                      RandomSource& random) {
  const mechanisms::DiscreteLaplace noise(/*sensitivity=*/1, terms.epsilon);
  HeldOutRelease release{terms.epsilon, terms.adjacency, counts};
  for (auto& count : release.counts) {
    count.right += noise.draw(random);
    count.wrong += noise.draw(random);
  }
  return release;
}

namespace {

// Queries count what the plan sets aside. Plans of before did not say it: once queries were
// answered without it, it cannot be released any more.
void require_counted(const std::filesystem::path& folder, double epsilon) {
  const auto path = folder / kTrainingLedgerName;
  if (!std::filesystem::exists(path)) return;
  const auto ledger = Ledger::read(path);
  const bool queried =
      std::any_of(ledger.events.begin(), ledger.events.end(),
                  [](const LedgerEvent& event) { return event.name == kQueryEvent; });
  const double set_aside = training_header(ledger).plan.options().held_out_epsilon;
  check_argument(!queried || epsilon <= set_aside, path.string(),
                 ": queries were answered from this budget, which sets aside ε = ", set_aside,
                 " for held-out records and not ", epsilon);
}

// A new ledger would release the same records again, at no cost that anybody counts.
void require_named_charge(const std::filesystem::path& folder) {
  const auto named = named_held_out_charge(folder);
  check_argument(named.empty() || has_held_out_charge(folder, named),
                 (folder / kHeldOutLedger).string(),
                 ": is missing, or another run's: privacy.json names a charge that it does not "
                 "have, so the held-out records were released once and are not again; accepted: "
                 "this run's own ledger");
}

}  // namespace

std::optional<HeldOutRelease> release_held_out(
    const std::filesystem::path& folder, const HeldOutTerms& terms, std::size_t classes,
    const std::function<std::vector<AnswerCounts>()>& count) {
  require_fixed_sides(terms.adjacency, folder.string());
  const auto path = folder / kHeldOutLedger;
  require_counted(folder, terms.epsilon);
  require_named_charge(folder);
  Ledger ledger = Ledger::open(path, ledger_plan(terms, classes));
  if (!ledger.events().empty()) {
    name_held_out_charge(folder, ledger.head_hash());
    return recorded_held_out(folder);
  }
  check_argument(!std::filesystem::exists(folder / kHeldOutRelease), path.string(),
                 ": has no charge for what ", kHeldOutRelease, " holds; it was put back");
  ledger.charge_event(kEvent, {{"epsilon", terms.epsilon}, {"delta", 0}});
  ledger.flush();
  name_held_out_charge(folder, ledger.head_hash());
  const auto release = noised(count(), terms, *noise_source(terms));
  write_file_atomically(folder / kHeldOutRelease, json_of(release).dump(2) + "\n");
  return release;
}

std::optional<HeldOutRelease> recorded_held_out(const std::filesystem::path& folder) {
  const auto path = folder / kHeldOutRelease;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto json = read_json_object(path);
  try {
    return held_out_release_from_json(json);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(path.string() + ": " + error.what());
  }
}

std::string held_out_paragraph(const HeldOutTerms& terms) {
  return "About one record in six was held out of training to measure the accuracy. Which ones is "
         "decided by each record's own content, so a record is either trained on or held out. "
         "Right "
         "and wrong answers on held-out records are released once, counted by class, with discrete "
         "Laplace noise of ε = " +
         accounting::rounded_up(terms.epsilon) + ", δ = 0 (" +
         std::string(accounting::to_string(terms.adjacency)) +
         "). The promise above is the larger of this and what training costs: a record pays on one "
         "side only.";
}

}  // namespace sotto::runs
