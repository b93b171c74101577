#include "runs/recorded_identity.h"

#include "core/atomic_file.h"
#include "data/data_identity.h"

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

}  // namespace sotto::runs
