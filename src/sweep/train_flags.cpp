#include "sweep/train_flags.h"

#include <algorithm>
#include <array>

#include "settings/training_table.h"
#include "sotto/core/error.h"

namespace sotto::sweep {
namespace {

constexpr std::array<std::string_view, 9> kSetBySweep = {
    "-h",     "--help",    "--output",  "--resume",        "--threads",
    "--json", "--verbose", "--profile", "--one-of-several"};

TrainFlag flag_of(const std::string& names, bool takes_value) {
  return {settings::flag_names(names), settings::long_flag(names).substr(2), takes_value};
}

}  // namespace

TrainFlags::TrainFlags() : flags_{flag_of("--device", true)} {
  for (const auto& setting : settings::training_settings()) {
    if (setting.flags == nullptr) continue;
    flags_.push_back(flag_of(setting.flags, setting.form != settings::Form::kSwitch));
  }
}

std::vector<std::string> TrainFlags::names() const {
  std::vector<std::string> names;
  for (const auto& flag : flags_) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

bool TrainFlags::knows(const std::string& name) const {
  const auto known = names();
  return std::find(known.begin(), known.end(), name) != known.end() ||
         std::find(kSetBySweep.begin(), kSetBySweep.end(), name) != kSetBySweep.end();
}

const TrainFlag& TrainFlags::find(const std::string& name, const std::string& place) const {
  check_argument(std::find(kSetBySweep.begin(), kSetBySweep.end(), name) == kSetBySweep.end(),
                 place, ": a sweep sets this for its runs itself");
  const auto found = std::find_if(flags_.begin(), flags_.end(), [&](const TrainFlag& flag) {
    return std::find(flag.names.begin(), flag.names.end(), name) != flag.names.end();
  });
  check_argument(found != flags_.end(), place,
                 ": sotto train has no such flag; `sotto train --help` lists them");
  return *found;
}

}  // namespace sotto::sweep
