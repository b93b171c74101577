// Questions to whoever sits at the terminal.
#pragma once

#include <optional>
#include <string>

namespace sotto::cli {

// Whether there is somebody to ask: standard input and standard error are a terminal.
bool can_ask();

// Ask on standard error and wait for a line; blanks around it are dropped. Throw UsageError if the
// input ends instead. ask_yes_or_no repeats the question until it is answered; an empty line is
// `by_default`, if there is one.
std::string ask(const std::string& question);
bool ask_yes_or_no(const std::string& question, std::optional<bool> by_default = {});

}  // namespace sotto::cli
