#include "data/json_places.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace sotto::data {

// Walks over a valid text, and notes where keys are.
class JsonWalk {
 public:
  JsonWalk(std::string_view text, JsonPlaces& found) : text_(text), found_(found) {}

  void value(const JsonPath& path) {
    skip_blanks();
    if (path.empty()) found_.places_[{}] = here();
    if (at('{')) {
      object(path);
    } else if (at('[')) {
      list();
    } else if (at('"')) {
      string();
    } else {
      while (next_ < text_.size() && std::string_view(",]} \n\r\t").find(text_[next_]) == npos)
        ++next_;
    }
  }

 private:
  static constexpr auto npos = std::string_view::npos;

  bool at(char letter) const { return next_ < text_.size() && text_[next_] == letter; }
  void skip_blanks() { next_ = std::min(text_.find_first_not_of(" \n\r\t", next_), text_.size()); }

  // Steps over a sign; false at the end of an object or list, which it steps over as well.
  bool more() {
    skip_blanks();
    const bool comma = at(',');
    if (next_ < text_.size()) ++next_;
    return comma;
  }

  std::string string() {
    const auto begin = next_++;
    while (next_ < text_.size() && !at('"')) next_ += at('\\') ? 2 : 1;
    if (next_ < text_.size()) ++next_;
    const auto parsed = nlohmann::json::parse(text_.substr(begin, next_ - begin), nullptr, false);
    return parsed.is_string() ? parsed.get<std::string>() : std::string();
  }

  void object(const JsonPath& path) {
    ++next_;
    skip_blanks();
    if (at('}')) {
      ++next_;
      return;
    }
    do {
      skip_blanks();
      const auto place = here();
      auto inner = path;
      inner.push_back(string());
      if (lists_ == 0) note(inner, place);
      skip_blanks();
      ++next_;  // the colon
      value(inner);
    } while (more());
  }

  // Of a key that is there twice, the last one counts.
  void note(const JsonPath& path, TextPlace place) {
    auto& places = found_.places_;
    if (places.contains(path)) found_.repeated_.push_back({path, place});
    std::erase_if(places, [&](const auto& entry) {
      return entry.first.size() > path.size() &&
             std::equal(path.begin(), path.end(), entry.first.begin());
    });
    places[path] = place;
  }

  void list() {
    ++next_;
    skip_blanks();
    if (at(']')) {
      ++next_;
      return;
    }
    ++lists_;
    do {
      value({""});
    } while (more());
    --lists_;
  }

  TextPlace here() const {
    const auto before = text_.substr(0, next_);
    const auto last = before.substr(before.rfind('\n') + 1);
    const auto inner_bytes = std::count_if(last.begin(), last.end(), [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
    });
    return {1 + std::count(before.begin(), before.end(), '\n'),
            1 + static_cast<std::int64_t>(last.size()) - inner_bytes};
  }

  std::string_view text_;
  JsonPlaces& found_;
  std::size_t next_ = 0;
  int lists_ = 0;  // that it is in: nobody asks for what they hold
};

JsonPlaces::JsonPlaces(std::string_view text) { JsonWalk(text, *this).value({}); }

TextPlace JsonPlaces::of(const JsonPath& path) const {
  for (auto part = path; !part.empty(); part.pop_back()) {
    const auto found = places_.find(part);
    if (found != places_.end()) return found->second;
  }
  const auto root = places_.find({});
  return root == places_.end() ? TextPlace{} : root->second;
}

}  // namespace sotto::data
