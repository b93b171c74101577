#include "cli/rappor_command.h"

#include <array>

#include "cli/command_group.h"

namespace sotto::cli {
namespace {

constexpr std::array kCommands = {
    Command{"params", rappor_params_command,
            "the privacy of given parameters, or parameters for a given privacy"},
    Command{"encode", rappor_encode_command, "clients: values to randomised reports"},
    Command{"sum", rappor_sum_command, "server: reports, or sums of them, to counts"},
    Command{"map", rappor_map_command, "server: the bits of candidate strings"},
    Command{"decode", rappor_decode_command, "server: counts and a map to frequencies"},
    Command{"simulate", rappor_simulate_command,
            "all of it on a made-up population, with a picture"},
};

constexpr const char* kExamples = R"(
From values to frequencies, if all possible answers are known:
  sotto rappor params --answers answers.txt --target-epsilon 2 --output params.json
  sotto rappor encode --params params.json --secret secret.txt --metric smoking \
        --input values.csv --output reports.bin
  sotto rappor sum reports.bin --partial sum.json
  sotto rappor decode --params params.json --counts sum.json
If they are not, --unknown-answers instead of --answers, and in the end:
  sotto rappor decode --params params.json --counts sum.json --candidates candidates.txt
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
