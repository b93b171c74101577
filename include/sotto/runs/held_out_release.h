// How good a model is on records held out of private data: noised, and paid for once.
//
// A record is held out or trained on by its own content alone (data/held_out_split.h), so
// neighbours under add-remove and zero-out differ on one side only, and what is promised of both
// sides together is the larger (ε, δ) of the two (parallel composition).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sotto/accounting/neighbours.h"
#include "sotto/core/random.h"

namespace sotto::runs {

// Of the records of one class.
struct AnswerCounts {
  std::int64_t right = 0;
  std::int64_t wrong = 0;
};

// From counts [true class][predicted class]. A record counts once, in one of the numbers.
std::vector<AnswerCounts> answer_counts(const std::vector<std::vector<std::int64_t>>& confusion);

// The terms of the release. (ε, 0)-private under both relations.
struct HeldOutTerms {
  double epsilon = 0;
  accounting::Relation relation = accounting::Relation::kAddRemove;
  std::optional<std::uint64_t> insecure_seed = {};  // of the noise: NOT PRIVATE
};

// The ε of a release that costs nothing beyond a training of `spent`: the same, or what `given`
// says. Nothing for a `given` of 0, and where `spent` leaves no room for one.
std::optional<double> held_out_epsilon(const std::optional<double>& given, double spent);

// Throws InvalidArgument, with the remedy, for a relation under which a record may change sides.
void require_fixed_sides(accounting::Relation relation, const std::string& dataset);

struct HeldOutRelease {
  double epsilon = 0;
  accounting::Relation relation = accounting::Relation::kAddRemove;
  std::vector<AnswerCounts> counts;  // by class, each number with noise of its own; may be below 0

  // Of one number's noise.
  double noise_deviation() const;
  // Right answers as a share of all, in [0, 1]; nothing where noise leaves no records.
  std::optional<double> accuracy() const;
  // Standard deviation of the accuracy that the noise alone causes, about.
  std::optional<double> accuracy_error() const;
};

// Adds to every number a draw of its own of discrete Laplace noise of scale 1 / ε.
HeldOutRelease noised(const std::vector<AnswerCounts>& counts, const HeldOutTerms& terms,
                      RandomSource& random);

// Charges held_out.jsonl in `folder`, then asks `count` for the exact counts, and leaves the noised
// ones in held_out.json. Once per folder: if it is already charged, `count` is not called and what
// was released is returned again; nothing if the process died between charge and release. Throws
// LedgerBusy if another process is at it, InvalidArgument if the ledger is damaged or of other
// terms.
std::optional<HeldOutRelease> release_held_out(
    const std::filesystem::path& folder, const HeldOutTerms& terms, std::size_t classes,
    const std::function<std::vector<AnswerCounts>()>& count);

// What release_held_out() left in the folder; nothing if there is nothing.
std::optional<HeldOutRelease> recorded_held_out(const std::filesystem::path& folder);

// What statements say of the release, in one paragraph.
std::string held_out_paragraph(const HeldOutTerms& terms);

}  // namespace sotto::runs
