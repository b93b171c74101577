// The commands below `sotto rappor`.
#pragma once

#include "cli/command.h"

namespace sotto::cli {

int rappor_params_command(const Arguments& arguments);
int rappor_encode_command(const Arguments& arguments);
int rappor_sum_command(const Arguments& arguments);
int rappor_map_command(const Arguments& arguments);
int rappor_decode_command(const Arguments& arguments);
int rappor_simulate_command(const Arguments& arguments);

}  // namespace sotto::cli
