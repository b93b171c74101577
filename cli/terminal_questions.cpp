#include "cli/terminal_questions.h"

#include <unistd.h>

#include <iostream>

#include "cli/flags.h"

namespace sotto::cli {

bool can_ask() { return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1; }

std::string ask(const std::string& question) {
  std::cerr << question << ' ' << std::flush;
  std::string line;
  if (!std::getline(std::cin, line)) {
    std::cerr << '\n';  // what follows is a line of its own
    throw UsageError("no answer to: " + question);
  }
  constexpr const char* kBlanks = " \t\r";
  const auto first = line.find_first_not_of(kBlanks);
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

bool ask_yes_or_no(const std::string& question, std::optional<bool> by_default) {
  const char* choices = !by_default ? " [y/n]" : *by_default ? " [Y/n]" : " [y/N]";
  while (true) {
    const std::string answer = ask(question + choices);
    if (answer.empty() && by_default) return *by_default;
    if (answer == "y" || answer == "Y" || answer == "yes") return true;
    if (answer == "n" || answer == "N" || answer == "no") return false;
  }
}

}  // namespace sotto::cli
