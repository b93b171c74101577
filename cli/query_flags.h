// What stands behind the flags of `sotto query`, as it was typed.
#pragma once

#include <string>
#include <vector>

#include "cli/flags.h"

namespace sotto::cli {

struct QueryTexts {
  std::string action;
  FlagText column, data, ledger, ledger_head, schema, epsilon, delta, noise, where, bounds, grid,
      quantile, columns, by, groups, decimal, total_epsilon, total_delta, composition;
  std::vector<std::string> bins, categories, types;
  bool accept_data_change = false;
  bool json = false;
};

void declare_query_flags(FlagSet& app, QueryTexts& texts);

// Throws UsageError if the flag was not given; `what` says what is missed.
const std::string& required_text(const char* flag, const FlagText& text, const char* what);

// Throws UsageError if the flag was given.
void refuse_text(const std::string& why, const char* flag, const FlagText& text);

// What `make` makes, whose InvalidArgument becomes a UsageError that names the flag.
template <typename Make>
auto checked_flag(const std::string& flag, const std::string& text, Make make) {
  try {
    return make();
  } catch (const InvalidArgument& error) {
    throw UsageError(flag + " '" + text + "': " + error.what());
  }
}

}  // namespace sotto::cli
