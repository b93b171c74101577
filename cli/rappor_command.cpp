#include "cli/rappor_command.h"

#include <array>

#include "cli/command_group.h"

namespace sotto::cli {
namespace {

constexpr std::array kCommands = {
    Command{"params", rappor_params_command,
            "the privacy of parameters, and parameters for a privacy"},
    Command{"encode", rappor_encode_command, "clients: values to randomised reports"},
    Command{"sum", rappor_sum_command, "server: reports, or sums of them, to counts"},
    Command{"map", rappor_map_command, "server: the bits of candidate strings"},
    Command{"decode", rappor_decode_command, "server: counts and a map to frequencies"},
    Command{"simulate", rappor_simulate_command,
            "all of it on an invented population, with a picture"},
};

constexpr const char* kExamples = R"(
From values to frequencies:
  sotto rappor params -k 128 --hashes 2 -m 16 -f 0.5 -p 0.5 -q 0.75 --output params.csv
  sotto rappor encode --params params.csv --secret secret.txt --metric homepage \
        --input values.csv --output reports.bin
  sotto rappor sum reports.bin --counts counts.csv
  sotto rappor decode --params params.csv --counts counts.csv --candidates candidates.txt
Or, to see what to expect:
  sotto rappor simulate --distribution exponential --reports 1000000
)";

}  // namespace

int rappor_command(const Arguments& arguments) {
  return run_group(
      {"sotto rappor",
       "Learn how often strings occur among people without learning anybody's (RAPPOR).", kCommands,
       kExamples},
      arguments);
}

}  // namespace sotto::cli
