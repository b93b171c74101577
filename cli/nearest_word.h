// Which word was meant, where one is mistyped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sotto::cli {

// Among `known`, the word that takes the fewest letters inserted, left out, changed or swapped with
// their neighbour to become `typed`, or that `typed` begins; "" if none is near.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& known);

// "; did you mean 'age'?", or "" if none is near or `typed` itself is known.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

}  // namespace sotto::cli
