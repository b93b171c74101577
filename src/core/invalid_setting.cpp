#include "sotto/core/error.h"

namespace sotto {
namespace {

// Control characters: no name of a file or a value holds them by accident.
constexpr char kKeyBegins = '\x01';
constexpr char kKeyEnds = '\x02';

std::string in_names_of(const std::string& message, const InvalidSetting::NameOf& name_of) {
  std::string text;
  std::size_t place = 0;
  while (true) {
    const auto begin = message.find(kKeyBegins, place);
    const auto end = begin == std::string::npos ? begin : message.find(kKeyEnds, begin);
    text += message.substr(place, begin == std::string::npos ? begin : begin - place);
    if (end == std::string::npos) return text;
    text += name_of(message.substr(begin + 1, end - begin - 1));
    place = end + 1;
  }
}

std::string by_key(const std::string& key) { return key; }

}  // namespace

std::string the_setting(const std::string& key) { return kKeyBegins + key + kKeyEnds; }

InvalidSetting::InvalidSetting(const std::string& message)
    : InvalidArgument(in_names_of(message, by_key)), message_(message) {}

std::string InvalidSetting::worded(const NameOf& name_of) const {
  return in_names_of(message_, name_of);
}

}  // namespace sotto
