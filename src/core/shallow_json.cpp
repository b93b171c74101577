#include "core/shallow_json.h"

#include "core/atomic_file.h"
#include "core/json_fault.h"
#include "sotto/core/error.h"

namespace sotto {

Json parse_shallow_json(std::string_view text, const std::string& name, int depth) {
  const auto check_depth = [&](int level, Json::parse_event_t event, Json&) {
    const bool opens =
        event == Json::parse_event_t::array_start || event == Json::parse_event_t::object_start;
    check_argument(!opens || level < depth, name, ": JSON nested more than ", depth, " deep");
    return true;
  };
  Json parsed = Json::parse(text, check_depth, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) refuse_json(text, name);
  return parsed;
}

Json read_shallow_json(const std::filesystem::path& path, int depth) {
  return parse_shallow_json(read_file(path), path.string(), depth);
}

}  // namespace sotto
