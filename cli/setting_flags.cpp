#include "cli/setting_flags.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace sotto::cli {
namespace {

// Where the flag is not the key with dashes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOtherwise = {{
    {"csv_schema", "--schema"},
    {"csv_test", "--test-data"},
    {"relation", "--adjacency"},
    {"public_data", "--public-dataset"},
    {"pretraining_is_not_private", "--i-know-pretraining-is-not-private"},
    {"penalty", "--gradient-penalty"},
    {"generator_rate", "--lr-generator"},
    {"critic_rate", "--lr-critic"},
    {"fit_rate", "--fit-lr"},
}};

}  // namespace

std::string flag_of(const std::string& key) {
  for (const auto& [other, flag] : kOtherwise) {
    if (other == key) return std::string(flag);
  }
  std::string flag = "--" + key;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

}  // namespace sotto::cli
