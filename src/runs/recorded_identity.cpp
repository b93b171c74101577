#include "runs/recorded_identity.h"

#include "core/atomic_file.h"
#include "data/data_identity.h"
#include "sotto/core/error.h"

namespace sotto::runs {

std::string recorded_identity(const std::string& dataset) {
  const auto source = data::DataSource::parse(dataset);
  std::error_code error;
  if (!std::filesystem::exists(source.location(), error)) return {};
  try {
    const auto identity = data::DataIdentity::of(source);
    return identity ? identity->text() : "";
  } catch (const FileError&) {
    return {};
  }
}

void require_same_content(const std::string& dataset, const std::string& recorded) {
  if (recorded.empty()) return;
  const auto now = recorded_identity(dataset);
  check_argument(now.empty() || now == recorded, dataset,
                 ": not what the run began with; the data changed, or the key beside them (",
                 data::DataIdentity::kKeyFile, "); accepted: the same files as then");
}

}  // namespace sotto::runs
