#include "explore/shown_file.h"

#include <array>
#include <utility>

namespace sotto::explore {

std::optional<std::string> content_type(std::string_view name) {
  constexpr std::string_view kText = "text/plain; charset=utf-8";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTypes = {{
      {".html", "text/html; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".json", kText},
      {".jsonl", kText},
      {".csv", kText},
      {".md", kText},
      {".txt", kText},
  }};
  for (const auto& [ending, type] : kTypes) {
    if (name.ends_with(ending)) return std::string(type);
  }
  return std::nullopt;
}

}  // namespace sotto::explore
