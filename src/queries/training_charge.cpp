#include "queries/training_charge.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sotto/core/error.h"
#include "sotto/mechanisms/integer_noise.h"

namespace sotto::queries {

namespace {

void check_priceable(const TrainingHeader& training, const std::string& path) {
  if (!training.is_private()) {
    throw NoValidAnalysis(path +
                          ": this training used a known seed, so it has no privacy left to share");
  }
  if (!training.plan.options().releases.empty()) {
    throw NoValidAnalysis(path +
                          ": a generator's training, which released more than its steps; accepted: "
                          "a ledger of its own for queries");
  }
  if (training.plan.searches_thresholds()) {
    throw NoValidAnalysis(path +
                          ": a training that searched its thresholds, whose charges are not those "
                          "of queries; accepted: a ledger of its own for queries");
  }
  // Where it ended may have been chosen by results, of which these charges know nothing.
  const auto folder = std::filesystem::canonical(path).parent_path();
  const bool of_a_run = std::filesystem::exists(folder / "config.json");
  if (of_a_run && !std::filesystem::exists(folder / "privacy.json")) {
    throw NoValidAnalysis(path +
                          ": a training that has not finished; accepted: its ledger when it "
                          "has, or a ledger of its own for queries");
  }
  if (std::filesystem::exists(folder / "stopped_early.json")) {
    throw NoValidAnalysis(path +
                          ": a training that was ended early, perhaps in view of its results; "
                          "accepted: a ledger of its own for queries");
  }
  if (training.plan.options().group_size > 1) {
    throw NoValidAnalysis(path +
                          ": this training protects all records of a person together, and a query "
                          "protects one; accepted: a ledger of its own for queries");
  }
  // What a query promises under add-remove it promises under zero-out, too: a blank matches nothing
  // and adds nothing.
  const auto adjacency = training.plan.neighbours().adjacency();
  if (adjacency == accounting::Adjacency::kReplaceOne) {
    throw NoValidAnalysis(path + ": training is priced under " + std::string(to_string(adjacency)) +
                          " and queries under add-remove, which do not add up; accepted: training "
                          "under add-remove or zero-out, or a ledger of its own for queries");
  }
}

// What the run released about records that it held out, which queries are about as well: ε, with
// δ = 0. 0 if there is none. Plans of today say what is set aside for it; this is for those of
// before, which had it in a file beside the ledger only.
double released_beside(const LedgerContents& ledger) {
  const auto folder = std::filesystem::canonical(ledger.path).parent_path();
  const auto path = folder / "held_out.jsonl";
  if (!std::filesystem::exists(path)) {
    check_argument(!std::filesystem::exists(folder / "held_out.json"), path.string(),
                   ": is missing, and held_out.json beside it says that something was released");
    return 0;
  }
  const auto contents = Ledger::read(path);
  const auto epsilon = contents.plan.find("epsilon");
  check_argument(epsilon != contents.plan.end() && epsilon->is_number() &&
                     epsilon->get<double>() >= 0 && !contents.plan.contains("not_private"),
                 path.string(), ": says no ε that holds");
  return epsilon->get<double>();
}

}  // namespace

std::optional<mechanisms::Charge> training_charge(const LedgerContents& ledger,
                                                  const TrainingHeader& training, double delta) {
  check_priceable(training, ledger.path.string());
  const double held_out =
      std::max(training.plan.options().held_out_epsilon, released_beside(ledger));
  if (ledger.steps_charged == 0 && held_out == 0) return std::nullopt;
  const auto cost =
      training_spend(ledger).cost_at_delta(delta * (1 - mechanisms::IntegerNoise::kMargin));
  // A record is on one side of the run: parallel composition.
  const double epsilon = std::max(cost.epsilon, held_out);
  // As queries do, it leaves room for the rounding of sums.
  return mechanisms::Charge{{epsilon * (1 + mechanisms::IntegerNoise::kMargin), delta}};
}

}  // namespace sotto::queries
