// The commands that need LibTorch; `sotto` starts this program.
#include <malloc.h>

#include <array>

#include "cli/program.h"

namespace {

constexpr std::array kCommands = {
    sotto::cli::Command{"train", sotto::cli::train_command},
    sotto::cli::Command{"evaluate", sotto::cli::evaluate_command},
    sotto::cli::Command{"memory", sotto::cli::memory_command},
    sotto::cli::Command{"inspect", sotto::cli::inspect_command},
    sotto::cli::Command{"gan", sotto::cli::gan_command},
    sotto::cli::Command{"predict", sotto::cli::predict_command},
};

// A step asks for the same large blocks as the one before. By default they go back to the kernel
// each time, and zeroing them anew costs a third of a step.
void keep_freed_memory() {
  constexpr int kNeverInBytes = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kNeverInBytes);
  mallopt(M_TRIM_THRESHOLD, kNeverInBytes);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  return sotto::cli::run_program({.call = "sotto", .commands = kCommands}, argc, argv);
}
