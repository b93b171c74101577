// Norm statistics as metrics.private.jsonl and --json have them.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>

#include "sotto/plan/norm_statistics.h"

namespace sotto {

// The members of json_of().
inline constexpr std::array kNormKeys = {"clipped_share", "gradient_norms", "batch_sizes"};

nlohmann::json json_of(const NormSummary& summary);
// Throws nlohmann::json::exception if something is missing or of the wrong type.
NormSummary norm_summary_from_json(const nlohmann::json& json);

}  // namespace sotto
