// One sample in six goes to the test set, chosen by what everyone knows about it.
#pragma once

#include <cstdint>
#include <string_view>

namespace sotto::data {

// Exactly one of the rows 6k to 6k + 5, for every k.
bool row_goes_to_test(std::uint64_t row);

// One name in six on average; it depends on nothing but the name.
bool name_goes_to_test(std::string_view name);

}  // namespace sotto::data
