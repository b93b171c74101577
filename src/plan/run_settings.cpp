#include "plan/run_settings.h"

namespace sotto {

std::optional<Json> run_settings_in(const std::filesystem::path& folder) {
  const auto path = folder / kSettingsFile;
  if (!std::filesystem::exists(path)) return std::nullopt;
  constexpr int kDepth = 8;
  auto json = read_shallow_json(path, kDepth);
  const bool of_a_run = json.is_object() && (json.contains("dataset") || json.contains("data"));
  return of_a_run ? std::optional(std::move(json)) : std::nullopt;
}

}  // namespace sotto
