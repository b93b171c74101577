// The files with the results of a sweep.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sweep/sweep_summary.h"

namespace sotto::sweep {

// One line per run: its flags, its status, what it reached and what it cost. Unfinished runs have
// the ε of the steps that were charged.
std::string results_csv(const SweepPlan& plan, const SweepSummary& summary);

// Everything, as one object; an infinite ε is the string "Infinity".
nlohmann::ordered_json summary_json(const SweepPlan& plan, const SweepSummary& summary,
                                    const SweepFolder& folder);

// Accuracy against ε, a point a configuration (SVG).
std::string summary_picture(const SweepPlan& plan, const SweepSummary& summary);

// Writes all three, each atomically. Throws FileError.
void write_results(const SweepPlan& plan, const SweepSummary& summary, const SweepFolder& folder);

}  // namespace sotto::sweep
