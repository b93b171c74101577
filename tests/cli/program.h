// Runs the real program and reads what it prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sotto::cli {

struct Outcome {
  int status;
  std::string out;
  std::string err;

  // The one JSON object on stdout; fails the current test if there is anything else.
  nlohmann::json json() const;
};

// `sotto ARGUMENTS`, split by a shell.
Outcome run_program(const std::string& arguments);
// The same with a program elsewhere.
Outcome run_program_at(const std::string& program, const std::string& arguments);

// Fails the current test unless the program refuses: status 2, one line that holds `words`, nothing
// on stdout.
void expect_refused(const std::string& arguments, const std::string& words);

}  // namespace sotto::cli
