#include "cli/program.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <iostream>

#include "cli/flags.h"
#include "cli/setting_flags.h"
#include "sotto/core/error.h"
#include "sotto/core/invalid_setting.h"
#include "sotto/runs/run_observer.h"

namespace sotto::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

// LibTorch's messages go on with a stack trace.
std::string first_line(const char* text) {
  while (*text == '\n') ++text;
  const char* end = std::strchr(text, '\n');
  return end == nullptr ? text : std::string(text, end);
}

const char* ways_on(runs::Interrupted::Then then) {
  return then == runs::Interrupted::Then::kGoOn ? " (--resume, with the same --output)"
                                                : ": with the same --output, --resume goes on, and "
                                                  "--finish publishes the result as it "
                                                  "is at the ε spent so far";
}

}  // namespace

int run_program(const CommandGroup& group, int argc, char** argv) {
  const Arguments arguments(argv + std::min(argc, 1), argv + argc);
  const std::string name = arguments.empty() ? "--help" : arguments[0];
  const bool is_command = !name.empty() && name[0] != '-' && name != "help";
  const std::string prefix = is_command ? "sotto " + name + ": " : "sotto: ";
  try {
    if (name == "--version") {
      std::cout << "sotto " SOTTO_VERSION "\n";
      return 0;
    }
    return run_group(group, arguments);
  } catch (const UsageError& error) {
    std::cerr << prefix << error.what() << '\n';
    return kBadUsage;
  } catch (const InvalidSetting& error) {
    std::cerr << prefix << first_line(error.worded(flag_of).c_str()) << '\n';
    return kBadUsage;
  } catch (const std::invalid_argument& error) {
    std::cerr << prefix << first_line(error.what()) << '\n';
    return kBadUsage;
  } catch (const runs::Interrupted& error) {
    std::cerr << prefix << error.what() << ways_on(error.then()) << '\n';
    return kFailed;
  } catch (const std::exception& error) {
    std::cerr << prefix << first_line(error.what()) << '\n';
    return kFailed;
  }
}

}  // namespace sotto::cli
