// What clients and server agree on before anything is collected, in one file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sotto/rappor/params.h"

namespace sotto::rappor {

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): there are no parameters by default
struct Collection {
  Params params;
  // Basic RAPPOR: all possible answers, answer i being bit i, so that h = m = 1 and k is their
  // number. Empty: any string may be reported, by its Bloom filter.
  std::vector<std::string> answers{};

  bool operator==(const Collection&) const = default;
};

// sotto's JSON, which holds the answers, or google/rappor's params.csv, which does not. `name` is
// what errors call the text. Throws InvalidArgument for anything else, and for answers that do not
// fit the parameters, or of which one occurs twice.
Collection parse_collection(std::string_view text, const std::string& name);

// As JSON. Throws InvalidArgument if an answer is not UTF-8.
std::string format_collection(const Collection& collection);

}  // namespace sotto::rappor
