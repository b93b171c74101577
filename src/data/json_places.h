// Where the entries of a JSON text stand in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::data {

struct TextPlace {
  std::int64_t line = 1;    // from 1
  std::int64_t column = 1;  // from 1, in characters of UTF-8
};

using JsonPath = std::vector<std::string>;  // keys, from the root

class JsonPlaces {
 public:
  // `text` must be valid JSON, and not nested deeply: this recurses.
  explicit JsonPlaces(std::string_view text);

  // Of the key that the path ends with; of the last key that is there, if it leads nowhere; for the
  // root, of its value.
  TextPlace of(const JsonPath& path) const;

  // Keys that an object has twice: where, and which. Entries of lists have none.
  struct Repeated {
    JsonPath path;
    TextPlace place;
  };
  const std::vector<Repeated>& repeated() const { return repeated_; }

 private:
  friend class JsonWalk;
  std::map<JsonPath, TextPlace> places_;
  std::vector<Repeated> repeated_;
};

}  // namespace sotto::data
