// A privacy guarantee in plain words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sotto/accounting/guarantee.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/training_run.h"

namespace sotto::accounting {

// A value for the reader: `digits` significant digits, never smaller (larger) than the number.
// Infinity is "∞".
std::string rounded_up(double value, int digits = 4);
std::string rounded_down(double value, int digits = 4);

// What is promised, to whom, and under which assumptions. One sentence or two each, no line breaks.
struct Statement {
  std::string promise;
  std::string protects;
  std::string sampling_assumption;
  std::string noise_assumption;
};

// What a statement is about, as its sentences name it.
struct StatementSubject {
  std::string released = "the trained model";  // what the world may look at
  std::string records = "the data";            // nothing else about them is released
};

Statement privacy_statement(const TrainingRun& run, const Neighbours& neighbours,
                            const PrivacyCost& cost, const StatementSubject& subject = {});

// Whether batches are known to be drawn as the run says, or only assumed to be.
enum class Batches { kPlanned, kDrawnAsStated };

// A warning, to come before everything else, about a δ of at least 1 / records, which promises
// nothing to somebody. None if it is smaller, or if the number of records is not known.
std::optional<std::string> delta_warning(double delta, std::optional<std::int64_t> records);

// What the reader must know before using the number, most serious first; delta_warning() if there
// is one.
std::vector<std::string> privacy_warnings(const TrainingRun& run, const PrivacyCost& cost,
                                          Batches batches = Batches::kPlanned);

}  // namespace sotto::accounting
