#include "cli/sweep_checks.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/flags.h"
#include "cli/setting_flags.h"
#include "cli/train_request.h"
#include "core/atomic_file.h"
#include "runs/declared_person.h"
#include "settings/load_options.h"
#include "settings/training_checks.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"
#include "sweep/expansion.h"
#include "sweep/sweep_plan.h"
#include "sweep/unread_flags.h"

namespace sotto::cli {
namespace {

using settings::TrainingConfig;
using sweep::Configuration;

// Reads the flags as `sotto train` does.
TrainingConfig config_of(const Configuration& configuration) {
  const auto request = parse_train_request(arguments_of(configuration));
  if (!request) throw UsageError("--help: a sweep needs flags that train");
  settings::require_consistent(request->config);
  return request->config;
}

TrainingConfig checked(const Configuration& configuration, const std::string& which) {
  const auto refuse = [&](const std::string& why) -> UsageError {
    return UsageError(which + " (" + describe(configuration) + "): " + why);
  };
  try {
    return config_of(configuration);
  } catch (const UsageError& error) {
    throw refuse(error.what());
  } catch (const InvalidSetting& error) {
    throw refuse(error.worded(flag_of));
  } catch (const std::invalid_argument& error) {
    throw refuse(error.what());
  }
}

double bytes_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<double>(bytes);
}

// Of all files in the folder and below.
template <typename Amount>
double total(const std::filesystem::path& folder, Amount amount) {
  double sum = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error)) {
    sum += amount(file->path());
  }
  return sum;
}

// The number of records is not above it. No file is read.
double most_records(const data::DataSource& source) {
  constexpr double kOfBuiltInData = 60'000;
  switch (source.kind) {
    case data::DataKind::kCsv:
      return bytes_of(source.path) / 2;  // a character and the end of its line
    case data::DataKind::kIdx:
      return total(source.path, bytes_of);
    case data::DataKind::kImages:
      return total(source.path, [](const auto&) { return 1.0; });
    default:
      return kOfBuiltInData;
  }
}

// Everything that the number of training records follows from.
using DataKey = std::vector<std::string>;
DataKey key_of(const TrainingConfig& run) {
  const bool held_out = run.held_out_epsilon != 0.0;
  DataKey key{run.dataset, run.csv_schema.string(), run.csv_test.string(),
              std::to_string(run.classes), held_out ? "held out" : ""};
  key.insert(key.end(), run.class_names.begin(), run.class_names.end());
  return key;
}

std::optional<std::int64_t> counted_records(const TrainingConfig& run) {
  try {
    const auto source = data::DataSource::parse(run.dataset);
    return data::load(source, settings::load_options(run)).train.size();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Each once.
void add_new(const std::string& warning, std::vector<std::string>& warnings) {
  if (std::count(warnings.begin(), warnings.end(), warning) == 0) warnings.push_back(warning);
}

std::string person_warning(const TrainingConfig& run, bool takes_groups) {
  if (run.disable_dp || run.insecure_seed || run.csv_schema.empty()) return "";
  try {
    const auto warning =
        runs::person_warning({.column = runs::person_column(read_file(run.csv_schema)),
                              .group_size = run.group_size,
                              .takes_groups = takes_groups,
                              .holds_out = run.csv_test.empty() && run.held_out_epsilon != 0.0});
    return worded(warning, flag_of);
  } catch (const std::exception&) {
    return "";
  }
}

bool may_warn(const TrainingConfig& run) {
  return !run.disable_dp && run.delta * most_records(data::DataSource::parse(run.dataset)) >= 1;
}

}  // namespace

std::vector<TrainingConfig> checked_configurations(const sweep::SweepSettings& settings) {
  const auto configurations = settings.draw ? sweep::drawable(settings) : sweep::expanded(settings);
  std::vector<TrainingConfig> runs;
  runs.reserve(configurations.size());
  for (const auto& one : configurations) {
    runs.push_back(checked(one, settings.draw
                                    ? "a configuration that may be drawn"
                                    : "configuration " + std::to_string(runs.size() + 1)));
  }
  return runs;
}

void refuse_useless_flags(const sweep::SweepSettings& settings) {
  for (const auto& flag : sweep::useless_flags(sweep::deciding_combinations(settings))) {
    throw UsageError("--" + flag.name + ": " + flag.why);
  }
}

std::vector<std::string> delta_warnings(const std::vector<TrainingConfig>& runs) {
  std::map<DataKey, std::optional<std::int64_t>> known;
  std::vector<std::string> warnings;
  for (const auto& run : runs) {
    if (!may_warn(run)) continue;
    const auto [place, is_new] = known.try_emplace(key_of(run));
    if (is_new) place->second = counted_records(run);
    const auto warning = accounting::delta_warning(run.delta, place->second);
    if (warning) add_new(*warning, warnings);
  }
  return warnings;
}

std::vector<std::string> person_warnings(const std::vector<TrainingConfig>& runs,
                                         const sweep::SweepSettings& settings) {
  std::vector<std::string> warnings;
  for (const auto& run : runs) {
    const auto warning = person_warning(run, !settings.draw);
    if (!warning.empty()) add_new(warning, warnings);
  }
  return warnings;
}

}  // namespace sotto::cli
