// What is told at the end of an epoch.
#pragma once

#include <nlohmann/json.hpp>

#include "sotto/train/trainer.h"
#include "train/training_state.h"

namespace sotto::train {

// `test`: on the test or held-out records, if they were looked at; `test_is_private`: the latter.
EpochReport epoch_report(const TrainingState& state, const std::optional<Evaluation>& test,
                         bool test_is_private, double seconds);

// The report as a line of metrics.jsonl. With privacy it holds nothing that ε does not cover.
nlohmann::json metrics_line(const EpochReport& report);
// What ε does not cover, as a line of metrics.private.jsonl; null if the report has nothing of it.
nlohmann::json private_metrics_line(const EpochReport& report);

}  // namespace sotto::train
