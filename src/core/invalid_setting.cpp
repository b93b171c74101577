#include "sotto/core/error.h"

namespace sotto {
namespace {

// Control characters: no name of a file or a value holds them by accident.
constexpr char kKeyBegins = '\x01';
constexpr char kKeyEnds = '\x02';

}  // namespace

std::string the_setting(const std::string& key) { return kKeyBegins + key + kKeyEnds; }

std::string worded(const std::string& message,
                   const std::function<std::string(const std::string& key)>& name_of) {
  std::string text;
  std::size_t place = 0;
  while (true) {
    const auto begin = message.find(kKeyBegins, place);
    const auto end = begin == std::string::npos ? begin : message.find(kKeyEnds, begin);
    text += message.substr(place, begin == std::string::npos ? begin : begin - place);
    if (end == std::string::npos) return text;
    const auto key = message.substr(begin + 1, end - begin - 1);
    text += name_of ? name_of(key) : key;
    place = end + 1;
  }
}

InvalidSetting::InvalidSetting(const std::string& message)
    : InvalidArgument(sotto::worded(message)), message_(message) {}

std::string InvalidSetting::worded(const NameOf& name_of) const {
  return sotto::worded(message_, name_of);
}

}  // namespace sotto
