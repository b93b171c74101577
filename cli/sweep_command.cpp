#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>
#include <utility>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/sweep_checks.h"
#include "cli/sweep_display.h"
#include "cli/sweep_output.h"
#include "cli/sweep_request.h"
#include "core/counted.h"
#include "core/folder_lock.h"
#include "core/memory_size.h"
#include "sotto/accounting/statement.h"
#include "sweep/result_files.h"
#include "sweep/run_queue.h"

namespace sotto::cli {
namespace {

using sweep::QueueEnd;
using sweep::RunStatus;
using sweep::SweepFolder;
using sweep::SweepPlan;

// The program itself: it becomes sotto-torch when it is asked to train.
std::vector<std::string> train_program() {
  return {std::filesystem::canonical("/proc/self/exe").string(), "train"};
}

// Nothing of somebody else's work is mixed with a sweep's.
void require_own_folder(const SweepFolder& folder, bool must_be_there) {
  std::error_code none;
  const bool planned = std::filesystem::exists(folder.plan(), none);
  if (planned || std::filesystem::exists(folder.path() / "records", none)) return;
  const std::string name = folder.path().string();
  if (must_be_there) {
    throw UsageError("--output '" + name +
                     "': no sweep to go on with; give --config, or flags of sotto train");
  }
  if (!std::filesystem::exists(folder.path(), none)) return;
  if (!std::filesystem::is_directory(folder.path(), none) ||
      !std::filesystem::is_empty(folder.path(), none)) {
    throw UsageError("--output '" + name + "': expected a new or empty folder, or a sweep's");
  }
}

// No run spends anything before it is known that training takes the settings of all. A sweep that
// was planned goes on with what it was planned with, useless flags of older versions included.
void check_before_anything_is_made(const sweep::SweepSettings& settings, bool is_planned) {
  const auto runs = checked_configurations(settings);
  if (!is_planned) refuse_useless_flags(settings);
  auto warnings = delta_warnings(runs);
  for (auto& warning : person_warnings(runs, settings)) warnings.push_back(std::move(warning));
  for (const auto& warning : warnings) std::cerr << "WARNING: " << warning << '\n';
}

sweep::QueueOptions queue_options(const SweepRequest& request, const FolderLock& lock) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  sweep::QueueOptions options;
  options.train = train_program();
  options.jobs = request.jobs ? static_cast<int>(*request.jobs) : std::max(1, cores / 4);
  options.threads = std::max(1, cores / options.jobs);
  options.memory = request.memory.value_or(available_memory());
  options.try_one_first = request.memory.has_value();
  options.kept_open = lock.descriptor();
  return options;
}

sweep::QueueOutcome train_all(const SweepPlan& plan, const SweepFolder& folder,
                              const sweep::QueueOptions& options) {
  SweepDisplay display;
  return run_all(plan, folder, options, display);
}

// "" or what all runs together have cost so far.
std::string spent_so_far(const sweep::SweepSummary& summary, const SweepFolder& folder) {
  const auto& tuning = summary.tuning;
  if (tuning.basis == sweep::TuningBasis::kNothing) return "";
  const double epsilon = tuning.epsilon_of_all;
  if (!std::isfinite(epsilon)) {
    return "; no ε holds for choosing among its runs; for what the data have cost, run sotto spent "
           "--runs " +
           folder.path().string();
  }
  return "; its runs so far have cost ε ≤ " + accounting::rounded_up(epsilon) +
         " at δ = " + accounting::rounded_up(tuning.delta.value_or(1));
}

[[noreturn]] void report_refusal(const SweepPlan& plan, const sweep::SweepSummary& summary,
                                 const SweepFolder& folder, const sweep::QueueOutcome& outcome) {
  const std::size_t configuration = plan.configuration_of(outcome.refused_run);
  throw UsageError("configuration " + std::to_string(configuration + 1) + " (" +
                   describe(plan.configurations()[configuration]) + "): " + outcome.refusal +
                   spent_so_far(summary, folder));
}

[[noreturn]] void report_stop(const SweepPlan& plan, const sweep::SweepSummary& summary,
                              const SweepFolder& folder) {
  throw std::runtime_error(
      "stopped after " + std::to_string(plan.runs() - summary.count(RunStatus::kPending)) + " of " +
      counted(plan.runs(), "run") + spent_so_far(summary, folder) +
      "; nothing is lost: continue with sotto sweep --output " + folder.path().string());
}

}  // namespace

int sweep_command(const Arguments& arguments) {
  const auto request = parse_sweep_request(arguments);
  if (!request) return 0;
  const SweepFolder folder(request->output);
  require_own_folder(folder, !request->settings);
  std::error_code none;
  const bool is_planned = std::filesystem::exists(folder.plan(), none);
  if (request->settings) check_before_anything_is_made(*request->settings, is_planned);
  folder.make();
  const FolderLock lock(folder.path(), FolderLock::Turn::kNow);
  const SweepPlan plan = request->settings ? plan_for(*request->settings, folder.plan())
                                           : sweep::read_plan(folder.plan());
  const auto outcome = train_all(plan, folder, queue_options(*request, lock));
  const auto summary = summarise(plan, folder);
  write_results(plan, summary, folder);
  if (outcome.end == QueueEnd::kRefused) report_refusal(plan, summary, folder, outcome);
  if (outcome.end == QueueEnd::kStopped) report_stop(plan, summary, folder);
  std::cout << (request->json ? summary_json(plan, summary, folder).dump(2) + "\n"
                              : sweep_text(plan, summary, folder));
  return summary.count(RunStatus::kFailed) == 0 ? 0 : 1;
}

}  // namespace sotto::cli
