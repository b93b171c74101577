#include "sweep/sweep_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "sotto/core/error.h"

namespace sotto::sweep {
namespace {

// Flags that cannot change what a run costs. All others must be the same for all runs if the number
// of runs is drawn: the theorem prices every run like the dearest that could have been drawn.
constexpr std::array<std::string_view, 17> kFreeOfCost = {"average",
                                                          "clipping",
                                                          "freeze",
                                                          "gradients",
                                                          "input-bound",
                                                          "learning-rate",
                                                          "loss",
                                                          "margin",
                                                          "max-grad-norm",
                                                          "model",
                                                          "noise-strategy",
                                                          "optimizer",
                                                          "temperature",
                                                          "seed",
                                                          "weight-decay",
                                                          "physical-batch",
                                                          "max-physical-batch-size"};

void check_range(const SweptFlag& flag) {
  const ValueRange& range = *flag.range;
  check_argument(std::isfinite(range.from) && std::isfinite(range.to) && range.from < range.to,
                 flag.name, ": a range needs from below to, got ", range.from, " and ", range.to);
  check_argument(!range.logarithmic || range.from > 0, flag.name,
                 ": a logarithmic range starts above 0, got ", range.from);
}

void check_flag(const SweptFlag& flag) {
  if (flag.range) return check_range(flag);
  check_argument(!flag.values.empty(), flag.name, ": has no value");
  std::set<std::string> seen;
  for (const auto& value : flag.values) {
    check_argument(seen.insert(value).second, flag.name, " '", value,
                   "': is given twice; to run it several times, set repeats");
    check_argument(!flag.is_switch || value == "true" || value == "false", flag.name, " '", value,
                   "': expected true or false");
  }
}

void check_grid(const SweepSettings& settings) {
  check_argument(!settings.samples, "samples: only with mode random, not grid");
  check_argument(!settings.draw, "draw: only with mode random, not grid");
  check_argument(!settings.seed, "seed of the sweep: only with mode random, not grid");
  for (const auto& flag : settings.flags) {
    check_argument(!flag.range, flag.name,
                   ": a range is only for mode random; a grid takes a list of values");
  }
}

void check_draw(const SweepSettings& settings) {
  check_argument(!settings.samples, "samples and draw: give one of them");
  check_argument(!settings.seed,
                 "seed of the sweep: draw needs secret randomness; leave one of them out");
  for (const auto& flag : settings.flags) {
    const bool free =
        std::find(kFreeOfCost.begin(), kFreeOfCost.end(), flag.name) != kFreeOfCost.end();
    check_argument(free || !flag.varies(), flag.name,
                   ": with draw every run must cost the same, so it takes one value only");
    const bool groups = flag.name == "group-size" && flag.values != std::vector<std::string>{"1"};
    check_argument(!groups,
                   "group-size: with draw a person has one record, as the theorem prices runs by "
                   "Rényi divergences, which have no analysis of groups here");
    const bool searches = flag.name == "clipping" &&
                          std::count(flag.values.begin(), flag.values.end(), "laplace") > 0;
    check_argument(
        !searches || !flag.varies(),
        "clipping: laplace costs more than the others; with draw every run must cost the "
        "same, so it takes one value only");
  }
}

void check_random(const SweepSettings& settings) {
  if (settings.draw) return check_draw(settings);
  check_argument(settings.samples.has_value(), "mode random: needs samples (or draw)");
  check_argument(*settings.samples >= 1, "samples must be at least 1, got ", *settings.samples);
}

nlohmann::json values_json(const SweptFlag& flag) {
  if (!flag.range) return flag.values;
  return {{"from", flag.range->from},
          {"to", flag.range->to},
          {"log", flag.range->logarithmic},
          {"whole", flag.range->whole}};
}

}  // namespace

std::string_view to_string(Mode mode) { return mode == Mode::kGrid ? "grid" : "random"; }

Mode mode_from_name(std::string_view text) {
  for (const auto mode : {Mode::kGrid, Mode::kRandom}) {
    if (to_string(mode) == text) return mode;
  }
  throw InvalidArgument("mode '" + std::string(text) + "': accepted are grid and random");
}

Mode SweepSettings::chosen_mode() const {
  return mode.value_or(samples || draw ? Mode::kRandom : Mode::kGrid);
}

const SweptFlag* SweepSettings::find(std::string_view flag) const {
  const auto found = std::find_if(flags.begin(), flags.end(),
                                  [&](const SweptFlag& one) { return one.name == flag; });
  return found == flags.end() ? nullptr : &*found;
}

void check_settings(const SweepSettings& settings) {
  check_argument(!settings.flags.empty(), "nothing to sweep: no flag of sotto train is given");
  check_argument(settings.repeats >= 1 && settings.repeats <= 1000,
                 "repeats must be from 1 to 1000, got ", settings.repeats);
  for (const auto& flag : settings.flags) check_flag(flag);
  if (settings.chosen_mode() == Mode::kGrid) {
    check_grid(settings);
  } else {
    check_random(settings);
  }
}

nlohmann::json to_json(const SweepSettings& settings) {
  nlohmann::json json = {{"mode", to_string(settings.chosen_mode())},
                         {"repeats", settings.repeats}};
  for (const auto& flag : settings.flags) json["train"][flag.name] = values_json(flag);
  if (settings.samples) {
    json["samples"] = *settings.samples;
    json["seed"] = settings.seed.value_or(0);
  }
  if (settings.draw) {
    json["draw"] = {{"distribution", to_string(settings.draw->distribution())},
                    {"mean", settings.draw->mean()}};
  }
  return json;
}

}  // namespace sotto::sweep
