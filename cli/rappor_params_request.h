// What `sotto rappor params` is asked for.
#pragma once

#include <optional>

#include "cli/command.h"
#include "cli/flag_set.h"
#include "rappor/collection_file.h"
#include "rappor/design.h"

namespace sotto::cli {

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): there are no parameters by default
struct ParamsRequest {
  rappor::Collection collection;  // given, or found for a target
  rappor::Profile profile;
  rappor::Params executed = collection.params;  // by that profile
  std::optional<rappor::DetectionLimit> limit{};
  bool solved = false;      // f, p and q were found for a target
  FlagText answers_file{};  // that the answers come from, if not from --params
  FlagText output{};
  bool json = false;
};

// Asks for what is missing, if somebody is there to answer. Nothing if help was printed. Throws
// UsageError.
std::optional<ParamsRequest> parse_params_request(const Arguments& arguments);

}  // namespace sotto::cli
