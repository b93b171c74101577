#include "core/json_fault.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sotto/core/error.h"

namespace sotto {
namespace {

using AnyJson = nlohmann::json;

// Reads on until the parser complains, and keeps nothing else.
class FaultFinder final : public AnyJson::json_sax_t {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const AnyJson::exception& error) override {
    characters_read = position;
    message = error.what();
    return false;
  }

  std::size_t characters_read = 0;
  std::string message;
};

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// "[json.exception.parse_error.101] parse error at line 2, column 1: syntax error while parsing
// value - unexpected ']'; expected ..." from its reason on, no longer than a glance.
std::string reason_in(std::string message) {
  for (const std::string_view before : {"] ", " - "}) {
    const auto place = message.find(before);
    if (place != std::string::npos) message.erase(0, place + before.size());
  }
  constexpr std::size_t kLongest = 120;
  if (message.size() <= kLongest) return message;
  auto end = kLongest;
  while (end > 0 && continues_character(message[end])) --end;
  return message.substr(0, end) + "...";
}

std::string place_in(std::string_view text, std::size_t end, std::size_t first_line) {
  const auto before = text.substr(0, end);
  const auto line =
      first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const auto last = before.substr(before.rfind('\n') + 1);
  const auto column = 1 + static_cast<std::ptrdiff_t>(last.size()) -
                      std::count_if(last.begin(), last.end(), continues_character);
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

void refuse_json(std::string_view text, const std::string& name, std::size_t first_line) {
  FaultFinder finder;
  AnyJson::sax_parse(text, &finder);
  // The last character read is the one at fault.
  const auto fault = std::min(std::max<std::size_t>(finder.characters_read, 1) - 1, text.size());
  throw InvalidArgument(name + ":" + place_in(text, fault, first_line) +
                        ": not valid JSON: " + reason_in(finder.message));
}

}  // namespace sotto
