#include "cli/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>

#include "cli/flags.h"
#include "cli/setting_flags.h"
#include "cli/shown_text.h"
#include "core/atomic_file.h"
#include "sotto/core/error.h"
#include "sotto/runs/runs.h"

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

// A file that is not there, or is of another kind than its flag wants.
bool is_wrong_path(const FileError& error) {
  const int number = error.error_number();
  return number == ENOENT || number == ENOTDIR || number == EISDIR;
}

// Runs a command; says in one line what went wrong, and returns the exit status.
int run_or_explain(const CommandGroup& group, const Arguments& arguments,
                   const std::string& prefix) {
  const auto fail = [&](const std::string& text, int status) {
    std::cerr << shown_text(prefix + text) << '\n';
    return status;
  };
  try {
    return run_group(group, arguments);
  } catch (const UsageError& error) {
    return fail(error.what(), kBadUsage);
  } catch (const InvalidSetting& error) {
    return fail(first_line(error.worded(flag_of).c_str()), kBadUsage);
  } catch (const std::invalid_argument& error) {
    return fail(first_line(error.what()), kBadUsage);
  } catch (const FileError& error) {
    return fail(error.what(), is_wrong_path(error) ? kBadUsage : kFailed);
  } catch (const runs::Interrupted& error) {
    return fail(std::string(error.what()) + ways_on(error.then()), kFailed);
  } catch (const std::exception& error) {
    return fail(first_line(error.what()), kFailed);
  }
}

// A stream that the caller closed stays one that cannot be used. Otherwise the next file to be
// opened, a ledger even, would stand in its place and receive what is printed.
void occupy_closed_streams() {
  for (const auto& [stream, mode] :
       {std::pair{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}}) {
    // The lowest number that is free, which is this one.
    if (fcntl(stream, F_GETFD) < 0) static_cast<void>(open("/dev/null", mode));
  }
}

// Whoever asked for output has not got it: the work has failed, however well it went.
int status_after_output(int status, int failure) {
  if (failure == 0) return status;
  std::cerr << "sotto: standard output: cannot write: " << std::strerror(failure) << '\n';
  return status == 0 ? kFailed : status;
}

}  // namespace

int run_program(const CommandGroup& group, int argc, char** argv) {
  occupy_closed_streams();
  ShownStream out(std::cout);
  const ShownStream err(std::cerr);
  const Arguments arguments(argv + std::min(argc, 1), argv + argc);
  const std::string name = arguments.empty() ? "--help" : arguments[0];
  const bool is_command = !name.empty() && name[0] != '-' && name != "help";
  const int status =
      run_or_explain(group, arguments, is_command ? "sotto " + name + ": " : "sotto: ");
  return status_after_output(status, out.finish());
}

}  // namespace sotto::cli
