// Numbers and words of a run for its readers.
#pragma once

#include <optional>
#include <string>

#include "runs/run_record.h"

namespace sotto::report {

// Two decimals: "84.08 %"; more where it would read 0 or 100 and is neither.
std::string percent(double share);
std::string percent_or_unknown(const std::optional<double>& share);
// "25.5 s", "12 min 5 s", "2 h 3 min".
std::string duration(double seconds);
// "60 000": groups of three, by narrow blanks.
std::string grouped(std::int64_t count);
std::string digits(double value, int precision = 4);
// A member of a metrics line: four digits, ε rounded up.
std::string metric_text(const std::string& metric, double value);

// "ε ≤ 3 at δ = 1e-05", rounded up; "no ε: NOT PRIVATE", or "no ε: NOT PROVED".
std::string guarantee(const runs::RunRecord& run);
// Rounded up; "∞" unless it is proved.
std::string epsilon_text(const runs::RunRecord& run);
// "–" if there is none.
std::string delta_text(const runs::RunRecord& run);
std::string noise_text(const runs::RunRecord& run);
std::string batch_text(const runs::RunRecord& run);
std::string epochs_text(const runs::RunRecord& run);
std::string seconds_text(const runs::RunRecord& run);

// A run in one sentence for somebody who knows neither ε nor networks.
std::string summary(const runs::RunRecord& run);

}  // namespace sotto::report
