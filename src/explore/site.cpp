#include "explore/site.h"

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "explore/affordable.h"
#include "explore/budget_answer.h"
#include "explore/curve.h"
#include "explore/page_files.h"
#include "explore/run_catalogue.h"
#include "explore/run_details.h"
#include "explore/shown_file.h"
#include "explore/sweep_details.h"
#include "sotto/core/error.h"

namespace sotto::explore {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kBadRequest = 400;
constexpr int kNotFound = 404;
constexpr int kFailed = 500;
constexpr std::size_t kLargestFile = std::size_t{64} << 20U;
// Of the 50 ms that an answer may take.
constexpr std::chrono::milliseconds kQuickTime{25};
// When the settings rest. Usually less than that is enough too; at extreme settings, or on a busy
// machine, a late answer is better than none.
constexpr std::chrono::milliseconds kRestTime{250};

// Texts of runs may be anything; what is not UTF-8 is replaced.
Reply json_reply(const Json& json, int status = 200) {
  return {status, "application/json",
          json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace)};
}

const std::string& parameter(const Parameters& parameters, const char* name) {
  const auto found = parameters.find(name);
  check_argument(found != parameters.end(), name, " is missing");
  return found->second;
}

std::chrono::milliseconds time_limit(const Parameters& parameters) {
  const auto precision = precision_from_name(parameter(parameters, "precision"));
  return precision == Precision::kQuick ? kQuickTime : kRestTime;
}

std::string run_name(const Parameters& parameters) {
  const std::string& name = parameter(parameters, "name");
  check_argument(is_acceptable_path(name), "name: expected the path of a run in the runs folder");
  return name;
}

using Answer = Json (*)(const RunsFolder&, const Parameters&);

Json budget(const RunsFolder& /*runs*/, const Parameters& parameters) {
  const auto precision = precision_from_name(parameter(parameters, "precision"));
  return budget_answer(settings_from(parameters), precision);
}

Json points(const RunsFolder& /*runs*/, const Parameters& parameters) {
  const Along along = along_from_name(parameter(parameters, "along"));
  return curve_json(curve(settings_from(parameters), along, time_limit(parameters)));
}

Json noise(const RunsFolder& /*runs*/, const Parameters& parameters) {
  return noise_needed(settings_from(parameters), time_limit(parameters));
}

Json epochs(const RunsFolder& /*runs*/, const Parameters& parameters) {
  return epochs_affordable(settings_from(parameters), time_limit(parameters));
}

Json catalogue(const RunsFolder& runs, const Parameters& /*parameters*/) {
  return run_catalogue(runs);
}

Json run(const RunsFolder& runs, const Parameters& parameters) {
  return run_details(runs, run_name(parameters));
}

Json sweep(const RunsFolder& runs, const Parameters& parameters) {
  return sweep_details(runs, run_name(parameters));
}

struct Address {
  std::string_view path;
  Answer answer;
};

constexpr std::array kAddresses = {
    Address{"/api/budget", budget}, Address{"/api/curve", points},   Address{"/api/noise", noise},
    Address{"/api/epochs", epochs}, Address{"/api/runs", catalogue}, Address{"/api/run", run},
    Address{"/api/sweep", sweep},
};

}  // namespace

Reply error_reply(int status, const std::string& message) {
  return json_reply({{"error", message}}, status);
}

Reply Site::get(std::string_view path, const Parameters& parameters) const {
  try {
    return answer(path, parameters);
  } catch (const InvalidArgument& error) {
    return error_reply(kBadRequest, error.what());
  } catch (const std::exception& error) {
    return error_reply(kFailed, error.what());
  }
}

Reply Site::answer(std::string_view path, const Parameters& parameters) const {
  for (const auto& file : page_files()) {
    if (path == file.path) return {200, std::string(file.type), std::string(file.content)};
  }
  for (const auto& address : kAddresses) {
    if (path == address.path) return json_reply(address.answer(runs_, parameters));
  }
  constexpr std::string_view kRuns = "/runs/";
  if (path.starts_with(kRuns)) return run_file(path.substr(kRuns.size()));
  return error_reply(kNotFound, "there is nothing at this address");
}

Reply Site::run_file(std::string_view relative) const {
  const auto type = content_type(relative);
  auto content = type ? runs_.read(relative, kLargestFile) : std::nullopt;
  if (!content)
    return error_reply(kNotFound, "there is no such file to be shown in the runs folder");
  return {200, *type, std::move(*content), kRunFilePolicy};
}

}  // namespace sotto::explore
