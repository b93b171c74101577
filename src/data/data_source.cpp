#include "data/data_source.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include "sotto/core/error.h"

namespace sotto::data {

namespace {

struct KindName {
  DataKind kind;
  std::string_view name;
  std::string_view wants;  // what follows the colon; empty: no colon
};

constexpr std::array<KindName, 7> kKinds{{{DataKind::kFashionMnist, "fashion-mnist", ""},
                                          {DataKind::kMnist, "mnist", ""},
                                          {DataKind::kCifar10, "cifar10", ""},
                                          {DataKind::kDigits, "digits", ""},
                                          {DataKind::kCsv, "csv", "PATH"},
                                          {DataKind::kIdx, "idx", "DIR"},
                                          {DataKind::kImages, "images", "DIR"}}};

constexpr const char* kFashionMnistFolder = "/usr/share/datasets/fashion-mnist";

std::string accepted_specs() {
  std::string specs;
  for (const auto& kind : kKinds) {
    if (!specs.empty()) specs += ", ";
    specs += kind.name;
    if (!kind.wants.empty()) specs.append(":").append(kind.wants);
  }
  return specs;
}

// Unset and empty are the same, as the XDG specification says.
std::filesystem::path folder_from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

DataSource DataSource::parse(const std::string& spec) {
  const auto colon = spec.find(':');
  const std::string_view name = std::string_view(spec).substr(0, colon);
  const std::string path = colon == std::string::npos ? "" : spec.substr(colon + 1);
  for (const auto& kind : kKinds) {
    const bool wants_path = !kind.wants.empty();
    const bool has_path = !path.empty();
    if (kind.name == name && wants_path == has_path && (wants_path || colon == std::string::npos)) {
      return {kind.kind, path};
    }
  }
  throw InvalidArgument("data '" + spec + "' is not one of " + accepted_specs());
}

std::string DataSource::spec() const {
  for (const auto& known : kKinds) {
    if (known.kind != kind) continue;
    std::string spec(known.name);
    if (!known.wants.empty()) spec.append(":").append(path.string());
    return spec;
  }
  throw InvalidArgument("a data source of no known kind");
}

std::filesystem::path DataSource::location() const {
  switch (kind) {
    case DataKind::kFashionMnist:
      return kFashionMnistFolder;
    case DataKind::kMnist:
    case DataKind::kCifar10:
      return data_home() / spec();
    default:
      return path;
  }
}

std::filesystem::path data_home() {
  auto own = folder_from_environment("SOTTO_DATA");
  if (!own.empty()) return own;
  const auto shared = folder_from_environment("XDG_DATA_HOME");
  if (!shared.empty()) return shared / "sotto";
  const auto home = folder_from_environment("HOME");
  check_argument(!home.empty(), "no folder for data: set SOTTO_DATA, XDG_DATA_HOME or HOME");
  return home / ".local" / "share" / "sotto";
}

}  // namespace sotto::data
