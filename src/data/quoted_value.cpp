#include "data/quoted_value.h"

#include <algorithm>

namespace sotto::data {

std::string quoted_value(std::string_view value) {
  constexpr std::size_t kLongest = 60;
  std::string text(value.substr(0, kLongest));
  std::replace_if(
      text.begin(), text.end(),
      [](char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f; }, '?');
  return "'" + text + (value.size() > kLongest ? "...'" : "'");
}

}  // namespace sotto::data
