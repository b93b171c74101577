// The commands of the program.
#pragma once

#include <string>
#include <vector>

namespace sotto::cli {

using Arguments = std::vector<std::string>;  // without program and command name

// Each parses its arguments, does its work and prints; it returns the exit status or throws.
int anonymity_command(const Arguments& arguments);
int budget_command(const Arguments& arguments);
int data_command(const Arguments& arguments);
int explain_command(const Arguments& arguments);
int plot_command(const Arguments& arguments);
int explore_command(const Arguments& arguments);
int rappor_command(const Arguments& arguments);
int query_command(const Arguments& arguments);
int schema_command(const Arguments& arguments);
int sweep_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int statement_command(const Arguments& arguments);
int spent_command(const Arguments& arguments);

// With LibTorch.
int gan_command(const Arguments& arguments);
int evaluate_command(const Arguments& arguments);
int memory_command(const Arguments& arguments);
int inspect_command(const Arguments& arguments);
int predict_command(const Arguments& arguments);
int train_command(const Arguments& arguments);

}  // namespace sotto::cli
