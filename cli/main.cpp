// The program. Commands that need LibTorch live in a second one, sotto-torch, which it becomes: so
// that budget and explain start in milliseconds.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "cli/program.h"
#include "cli/train_request.h"
#include "core/blas_kernels.h"

namespace {

using sotto::cli::Arguments;

// Replaces this process. Does not return.
int become_torch_program(const std::string& command, const Arguments& arguments) {
  const auto program = std::filesystem::canonical("/proc/self/exe").parent_path() / "sotto-torch";
  std::string program_name = program.string();
  std::string command_name = command;
  Arguments copies = arguments;
  std::vector<char*> argv{program_name.data(), command_name.data()};
  for (auto& argument : copies) argv.push_back(argument.data());
  argv.push_back(nullptr);
  // Threads that spin while they wait make steps several times as slow beside any other work.
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  sotto::choose_blas_kernels();
  execv(argv[0], argv.data());
  throw std::runtime_error(program_name + ": cannot be started: " + std::strerror(errno));
}

// LibTorch takes a third of a second to load: help, recipes and refusals do without.
int begin_training(const Arguments& arguments) {
  return sotto::cli::parse_train_request(arguments) ? become_torch_program("train", arguments) : 0;
}

using sotto::cli::kNeedsLibTorch;

constexpr std::array kCommands = {
    sotto::cli::Command{"train", begin_training, "train a network with a proven privacy guarantee"},
    sotto::cli::Command{"sweep", sotto::cli::sweep_command,
                        "train many times, and say what choosing the best costs"},
    sotto::cli::Command{"evaluate", kNeedsLibTorch, "accuracy and confusion matrix of a model"},
    sotto::cli::Command{"inspect", kNeedsLibTorch, "what bounds a record's influence, by layer"},
    sotto::cli::Command{"predict", kNeedsLibTorch, "labels for images or CSV rows"},
    sotto::cli::Command{"memory", kNeedsLibTorch, "how much memory a training step needs"},
    sotto::cli::Command{"gan", kNeedsLibTorch, "train generators, publish synthetic data"},
    sotto::cli::Command{"report", sotto::cli::report_command,
                        "a page about one run, or one that compares several"},
    sotto::cli::Command{"statement", sotto::cli::statement_command,
                        "what a run promises, on one page for an ethics board"},
    sotto::cli::Command{"spent", sotto::cli::spent_command,
                        "the total cost of all runs and queries on the same data"},
    sotto::cli::Command{"data", sotto::cli::data_command, "list, get, check and show data sets"},
    sotto::cli::Command{"schema", sotto::cli::schema_command,
                        "say what is public about a table's columns"},
    sotto::cli::Command{"budget", sotto::cli::budget_command,
                        "what a private training run costs, in (ε, δ)"},
    sotto::cli::Command{"plot", sotto::cli::plot_command,
                        "pictures of how ε depends on a run's settings"},
    sotto::cli::Command{"query", sotto::cli::query_command,
                        "ask questions about a private table, within a budget"},
    sotto::cli::Command{"anonymity", sotto::cli::anonymity_command,
                        "measure the k-anonymity of a table, or make it k-anonymous"},
    sotto::cli::Command{"explain", sotto::cli::explain_command, "what an ε means for one person"},
    sotto::cli::Command{"explore", sotto::cli::explore_command,
                        "a page in the browser: budgets, and past runs"},
    sotto::cli::Command{"rappor", sotto::cli::rappor_command,
                        "how often strings occur among people, from randomised reports"},
};

}  // namespace

int main(int argc, char** argv) {
  const sotto::cli::CommandGroup group{
      "sotto", "sotto " SOTTO_VERSION ": private deep learning", kCommands,
      "\n`sotto help COMMAND` shows flags and examples; `sotto --version` (-V) the version. Every "
      "command takes --json.\n",
      become_torch_program};
  return sotto::cli::run_program(group, argc, argv);
}
