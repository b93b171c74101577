#include "sotto/accounting/statement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "core/percentage.h"
#include "core/printed_number.h"

namespace sotto::accounting {

namespace {

// printf's %.*g, nudged by one unit of the last digit until it is on the wanted side.
std::string rounded(double value, int digits, bool up) {
  if (std::isinf(value)) return "∞";
  std::string text = significant(value, digits);
  const double printed = std::strtod(text.c_str(), nullptr);
  const bool wrong_side = up ? printed < value : printed > value;
  if (!wrong_side || value == 0) return text;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - digits + 1);
  return significant(printed + (up ? unit : -unit), digits);
}

std::string plain(double value, int digits = 6) { return significant(value, digits); }

std::string percent(double fraction) { return short_percentage(fraction, 4); }

// What the outcome's probability is compared with.
std::string comparison(const Neighbours& neighbours) {
  const bool one = neighbours.group_size() == 1;
  const std::string who =
      one ? "any one record" : "any " + std::to_string(neighbours.group_size()) + " records";
  switch (neighbours.adjacency()) {
    case Adjacency::kAddRemove:
      return "without " + who;
    case Adjacency::kReplaceOne:
      return "with " + who + " replaced by " + (one ? "any other" : "any others");
    case Adjacency::kZeroOut:
      return "with " + who + " replaced by " + (one ? "a blank" : "blanks");
  }
  throw std::logic_error("unknown adjacency");
}

// Pr[S] <= e^ε Pr'[S] + δ for every set S of outcomes. Not "e^ε times, except with probability δ":
// the loss may exceed ε with a probability of many δ.
std::string promise(const Neighbours& neighbours, const PrivacyCost& cost,
                    const std::string& released) {
  if (std::isinf(cost.epsilon)) {
    return "None. Without noise the outcome may reveal any single record completely.";
  }
  std::string text = "Whatever anybody concludes from " + released +
                     ", its probability is at most e^ε = " + rounded_up(std::exp(cost.epsilon), 3) +
                     " times what it would be " + comparison(neighbours) +
                     ", plus δ = " + rounded_up(cost.delta) +
                     ", and the other way round; the number of records is public. It holds "
                     "against anyone, with any other knowledge, forever.";
  if (cost.is_approximation) text = "Approximately, and without proof: " + text;
  return text;
}

std::string protects(const Neighbours& neighbours) {
  std::string who = neighbours.group_size() == 1
                        ? "Every single record is protected"
                        : "Every group of up to " + std::to_string(neighbours.group_size()) +
                              " records (one person's, say) is protected";
  switch (neighbours.adjacency()) {
    case Adjacency::kAddRemove:
      return who +
             ": whether it is in the data at all (add-remove), beyond what the number of records, "
             "which is public, reveals: with it and without it the plan is the same, the sampling "
             "rate included.";
    case Adjacency::kReplaceOne:
      return who +
             ": what it says, against any other value (replace-one). The number of records "
             "is public.";
    case Adjacency::kZeroOut:
      return who +
             ": what it says, against a record that contributes nothing (zero-out). The "
             "number of records is public.";
  }
  throw std::logic_error("unknown adjacency");
}

std::string sampling_assumption(const TrainingRun& run) {
  switch (run.sampling()) {
    case Sampling::kPoisson:
      return "Each step draws its batch afresh: every record is in it independently, with "
             "probability " +
             percent(run.sample_rate()) + " (Poisson sampling). Batch sizes vary.";
    case Sampling::kFixedSize:
      return "Each step draws its batch afresh: always " + percent(run.sample_rate()) +
             " of the records, uniformly without replacement.";
    case Sampling::kShuffled:
      return "The data are read in passes, in any order, each record once per pass. Nothing is "
             "gained from the order being random.";
    case Sampling::kNone:
      return "Every record takes part in every step.";
  }
  throw std::logic_error("unknown sampling");
}

}  // namespace

std::string rounded_up(double value, int digits) { return rounded(value, digits, true); }
std::string rounded_down(double value, int digits) { return rounded(value, digits, false); }

Statement privacy_statement(const TrainingRun& run, const Neighbours& neighbours,
                            const PrivacyCost& cost, const StatementSubject& subject) {
  Statement statement;
  statement.promise = promise(neighbours, cost, subject.released);
  statement.protects = protects(neighbours);
  statement.sampling_assumption = sampling_assumption(run);
  statement.noise_assumption =
      "Each record's gradient is clipped to a norm C; secret Gaussian noise of standard "
      "deviation " +
      plain(run.noise_multiplier()) +
      " × C is added once to each step's sum, empty batches included; nothing else about " +
      subject.records + " is released.";
  return statement;
}

std::optional<std::string> delta_warning(double delta, std::optional<std::int64_t> records) {
  if (!records || delta * static_cast<double>(*records) < 1) return std::nullopt;
  return "δ = " + rounded_up(delta) + " is not below 1/" + std::to_string(*records) +
         ": a mechanism that publishes one record at random would satisfy it";
}

std::vector<std::string> privacy_warnings(const TrainingRun& run, const PrivacyCost& cost,
                                          Batches batches) {
  std::vector<std::string> warnings;
  if (auto warning = delta_warning(cost.delta, run.dataset_size())) {
    warnings.push_back(std::move(*warning));
  }
  if (cost.is_approximation) {
    warnings.emplace_back(
        "gdp is an approximation that may understate ε: do not publish it as a guarantee");
  }
  if (std::isinf(cost.epsilon)) {
    warnings.emplace_back("a noise multiplier of 0 gives no privacy at all");
  } else if (cost.epsilon > 20) {
    warnings.push_back("ε = " + rounded_up(cost.epsilon) +
                       " means nothing in practice: an attacker may become all but certain");
  } else if (cost.epsilon > 8) {
    warnings.push_back("ε = " + rounded_up(cost.epsilon) +
                       " is a weak promise: `sotto explain` says what it means for one person");
  }
  const bool hoped = batches == Batches::kPlanned && run.sample_rate() < 1;
  if (hoped && run.sampling() == Sampling::kPoisson) {
    warnings.emplace_back(
        "most data loaders shuffle instead of drawing each batch afresh; this ε does not hold "
        "for them; that of shuffled sampling does");
  }
  if (hoped && run.sampling() == Sampling::kFixedSize) {
    warnings.emplace_back(
        "most data loaders walk through a shuffled pass instead of drawing each batch afresh; this "
        "ε does not hold for them; that of shuffled sampling does");
  }
  if (cost.order_at_edge) {
    warnings.push_back("the best order, " + plain(*cost.order) +
                       ", is at an end of the grid: other orders may give a smaller ε");
  }
  return warnings;
}

}  // namespace sotto::accounting
