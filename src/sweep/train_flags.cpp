#include "sotto/sweep/train_flags.h"

#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "core/child_process.h"
#include "core/file_descriptor.h"
#include "sotto/core/atomic_file.h"
#include "sotto/core/error.h"

namespace sotto::sweep {
namespace {

constexpr std::array<std::string_view, 7> kSetBySweep = {
    "--help", "--output", "--resume", "--threads", "--json", "--verbose", "--profile"};

// "  -b,--batch-size TEXT   expected size of a batch" is two names and a value. Anything that does
// not begin with a dash is no flag.
std::vector<std::string> names_in(const std::string& word) {
  std::vector<std::string> names;
  std::istringstream parts(word);
  for (std::string name; std::getline(parts, name, ',');) names.push_back(name);
  return names;
}

}  // namespace

TrainFlags::TrainFlags(const std::string& help) {
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string names;
    std::string value;
    if (!line.starts_with("  -") || !(words >> names)) continue;
    words >> value;
    flags_.push_back({names_in(names), value == "TEXT"});
  }
}

TrainFlags TrainFlags::ask(std::vector<std::string> train) {
  const FileDescriptor help(memfd_create("sotto-train-help", MFD_CLOEXEC));
  if (!help.is_open()) throw std::runtime_error(std::strerror(errno));
  const std::string file = "/proc/self/fd/" + std::to_string(help.number());
  const std::string program = train.front();
  train.emplace_back("--help");
  const pid_t child = start_child({.arguments = train, .output = file, .ends_with_parent = true});
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  const std::string text = read_file(file);
  if (status != 0) {
    throw std::runtime_error(program + ": " + how_it_ended(status) +
                             " when asked for its flags: " + text.substr(0, text.find('\n')));
  }
  return TrainFlags(text);
}

const TrainFlag& TrainFlags::find(const std::string& name, const std::string& place) const {
  const auto found = std::find_if(flags_.begin(), flags_.end(), [&](const TrainFlag& flag) {
    return std::find(flag.names.begin(), flag.names.end(), name) != flag.names.end();
  });
  check_argument(found != flags_.end(), place,
                 ": sotto train has no such flag; `sotto train --help` lists them");
  const std::string& longest = found->names.back();
  check_argument(std::find(kSetBySweep.begin(), kSetBySweep.end(), longest) == kSetBySweep.end(),
                 place, ": a sweep sets this for its runs itself");
  return *found;
}

}  // namespace sotto::sweep
