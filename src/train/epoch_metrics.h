// What is told at the end of an epoch.
#pragma once

#include <nlohmann/json.hpp>

#include "sotto/train/trainer.h"
#include "train/training_state.h"

namespace sotto::train {

EpochReport epoch_report(const TrainingState& state, const Evaluation& test, double seconds);

// The report as a line of metrics.jsonl; with privacy it names what ε does not cover.
nlohmann::json metrics_line(const EpochReport& report);

}  // namespace sotto::train
