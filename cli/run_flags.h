// The flags that describe a private training run and how it is accounted for.
#pragma once

#include <vector>

#include "cli/flags.h"
#include "sotto/accounting/accounting.h"

namespace sotto::cli {

using accounting::PlannedRun;

struct RunFlags {
  FlagText dataset_size, batch_size, sample_rate, noise_multiplier, epochs, steps, delta;
  FlagText sampling, adjacency, group_size, accountant, conversion;
  std::vector<std::string> alphas;
};

// All of them; or without those that choose an accountant.
void declare_run_flags(FlagSet& app, RunFlags& flags);
void declare_release_flags(FlagSet& app, RunFlags& flags);

// Noise multiplier and length may be missing, but not the sample rate; "all" accountants are one
// here. Throws UsageError.
PlannedRun read_planned_run(const RunFlags& flags);

// One of a few words. Throws UsageError naming them all.
template <typename Value>
Value word_flag(const char* flag, const std::string& text,
                std::initializer_list<std::pair<const char*, Value>> words) {
  std::string accepted;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    accepted += std::string(accepted.empty() ? "" : ", ") + word;
  }
  throw UsageError(std::string(flag) + " '" + text + "': expected one of " + accepted);
}

// What `parse` makes of the flag's text, if it was given.
template <typename Parse>
auto parsed_flag(const char* flag, const FlagText& text, Parse parse)
    -> std::optional<decltype(parse(std::string(), std::string()))> {
  if (!text) return std::nullopt;
  return parse(flag, *text);
}

}  // namespace sotto::cli
