// An ε beside a step must cover that step: recomputed from the ledger, line by line.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "core/atomic_file.h"
#include "plan/training_ledger.h"

namespace sotto::train {

// ε after the ledger's first `steps` steps.
inline double epsilon_after(LedgerContents ledger, std::int64_t steps, double delta) {
  ledger.steps_charged = steps;
  return training_spend(ledger).cost_at_delta(delta).epsilon;
}

// Of every line of the run's metrics.jsonl; there are at least `lines` of them.
inline void expect_metrics_are_covered(const std::filesystem::path& run, double delta, int lines) {
  const auto ledger = Ledger::read(run / "ledger.jsonl");
  std::istringstream metrics(read_file(run / "metrics.jsonl"));
  int seen = 0;
  for (std::string text; std::getline(metrics, text); ++seen) {
    const auto line = nlohmann::json::parse(text);
    EXPECT_GE(line.at("epsilon").get<double>(),
              epsilon_after(ledger, line.at("step").get<std::int64_t>(), delta))
        << text;
  }
  EXPECT_GE(seen, lines);
}

}  // namespace sotto::train
