// The flags of `sotto anonymity`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "sotto/anonymity/anonymity.h"

namespace sotto::cli {

struct AnonymityRequest {
  std::string data;
  std::vector<std::string> quasi;
  std::string sensitive;
  anonymity::AnonymiseOptions options;  // a ladder for each of `quasi`
  std::optional<std::string> release;   // file to write
  bool json = false;
};

// Nothing if help was asked for and printed. Throws UsageError; FileError or InvalidArgument for a
// hierarchy that cannot be read.
std::optional<AnonymityRequest> parse_anonymity(const Arguments& arguments);

}  // namespace sotto::cli
