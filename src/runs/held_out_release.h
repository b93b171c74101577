// How good a model is on records held out of private data: noised, and paid for once.
//
// A record is held out or trained on by its own content alone (data/held_out_split.h), so
// neighbours under add-remove and zero-out differ on one side only, and what is promised of both
// sides together is the larger (ε, δ) of the two (parallel composition).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sotto/accounting/guarantee.h"
#include "sotto/core/random.h"
#include "sotto/runs/runs.h"

namespace sotto::runs {

// From counts [true class][predicted class]. A record counts once, in one of the numbers.
std::vector<AnswerCounts> answer_counts(const std::vector<std::vector<std::int64_t>>& confusion);

// The ε of a release that costs nothing beyond a training of `spent`: the same, or what `given`
// says. Nothing for a `given` of 0, and where `spent` leaves no room for one.
std::optional<double> held_out_epsilon(const std::optional<double>& given, double spent);

// Throws InvalidArgument, with the remedy, for an adjacency under which a record may change sides.
void require_fixed_sides(accounting::Adjacency adjacency, const std::string& dataset);

// Adds to every number a draw of its own of discrete Laplace noise of scale 1 / ε.
HeldOutRelease noised(const std::vector<AnswerCounts>& counts, const HeldOutTerms& terms,
                      RandomSource& random);

// Charges held_out.jsonl in `folder`, then asks `count` for the exact counts, and leaves the noised
// ones in held_out.json. Once per folder: if it is already charged, `count` is not called and what
// was released is returned again; nothing if the process died between charge and release.
// privacy.json names the charge from then on, if it is there and tells of a release. Throws
// LedgerBusy if another process is at it, InvalidArgument if the ledger is damaged or of other
// terms, or has not the charge that privacy.json names: it is not paid for anew.
std::optional<HeldOutRelease> release_held_out(
    const std::filesystem::path& folder, const HeldOutTerms& terms, std::size_t classes,
    const std::function<std::vector<AnswerCounts>()>& count);

// What release_held_out() left in the folder; nothing if there is nothing.
std::optional<HeldOutRelease> recorded_held_out(const std::filesystem::path& folder);

// What statements say of the release, in one paragraph.
std::string held_out_paragraph(const HeldOutTerms& terms);

}  // namespace sotto::runs
