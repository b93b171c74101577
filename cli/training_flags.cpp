#include "cli/training_flags.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <sstream>

#include "sotto/data/data_source.h"
#include "sotto/plan/plan.h"

namespace sotto::cli {

std::string dataset_flag(const std::string& flag, const std::string& text) {
  return named_flag(
      flag, text, [](const std::string& spec) { return data::DataSource::parse(spec).spec(); },
      "fashion-mnist, mnist, cifar10, digits, csv:PATH, idx:DIR or images:DIR");
}

double norm_flag(const std::string& flag, const std::string& text) {
  return number_flag(flag, text,
                     {kLeastNorm, true, kLargestNorm, true, "a number from 1e-12 to 1e12"});
}

double noise_flag(const std::string& flag, const std::string& text) {
  return number_flag(flag, text,
                     {0, false, std::numeric_limits<double>::max(), true,
                      "a positive number (to train without noise, say --disable-dp)"});
}

std::vector<std::int64_t> shape_flag(const std::string& flag, const std::string& text) {
  std::vector<std::int64_t> shape;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, 'x');) shape.push_back(count_flag(flag, part));
  if (shape.size() != 1 && shape.size() != 3) {
    throw UsageError(flag + " '" + text + "': expected COLUMNS or CHANNELSxHEIGHTxWIDTH");
  }
  return shape;
}

std::uint64_t seed_flag(const std::string& flag, const std::string& text) {
  constexpr const char* kAccepted = "a whole number, 0 or above";
  const double value = number_flag(flag, text, {0, true, 0x1p53, true, kAccepted});
  if (value != std::floor(value)) throw UsageError(flag + " '" + text + "': expected " + kAccepted);
  return static_cast<std::uint64_t>(value);
}

std::string long_name(std::string_view names) {
  const auto begin = names.find("--");
  return std::string(names.substr(begin, names.find(',', begin) - begin));
}

std::filesystem::path dated_folder(const std::string& dataset, std::string_view what) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char date[32];
  std::strftime(date, sizeof date, "%Y%m%d-%H%M%S", std::localtime(&now));
  const auto kind = dataset.substr(0, dataset.find(':'));
  return std::filesystem::path("runs") / (kind + "-" + std::string(what) + "-" + date);
}

void require_only_resume_flags(const FlagSet& app,
                               std::initializer_list<std::string_view> allowed) {
  for (const auto& name : app.given()) {
    if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
      throw UsageError(name + ": a resumed run keeps its own settings; leave it out");
    }
  }
}

}  // namespace sotto::cli
