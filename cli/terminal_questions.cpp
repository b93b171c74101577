#include "cli/terminal_questions.h"

#include <unistd.h>

#include <iostream>

#include "cli/flags.h"

namespace sotto::cli {

bool can_ask() { return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1; }

std::string ask(const std::string& question) {
  std::cerr << question << ' ' << std::flush;
  std::string line;
  if (!std::getline(std::cin, line)) throw UsageError("no answer to: " + question);
  constexpr const char* kBlanks = " \t\r";
  const auto first = line.find_first_not_of(kBlanks);
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

bool ask_yes_or_no(const std::string& question) {
  while (true) {
    const std::string answer = ask(question + " [y/n]");
    if (answer == "y" || answer == "yes") return true;
    if (answer == "n" || answer == "no") return false;
  }
}

}  // namespace sotto::cli
