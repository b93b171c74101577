// What `sotto explain` was asked.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/command.h"
#include "sotto/accounting/guarantee.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::cli {

struct ExplainRequest {
  std::string subject{};  // a run's name; empty for a pair or a planned run
  std::string limits{};   // what the promise leaves out or rests on, in sentences
  accounting::EpsilonDelta guarantee{0, 0};
  accounting::TradeoffCurve curve;
  accounting::Neighbours neighbours{};
  std::optional<std::string> warning{};         // to be said first
  bool delta_by_default = false;                // of a pair whose δ nobody named: 0
  std::optional<std::filesystem::path> plot{};  // ends in .svg or .png
  bool json = false;
};

// From (ε, δ), from the flags of a run, or from the folder of one. Nothing if help was printed.
// Throws UsageError.
std::optional<ExplainRequest> parse_explain_request(const Arguments& arguments);

}  // namespace sotto::cli
