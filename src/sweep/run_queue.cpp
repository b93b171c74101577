#include "sweep/run_queue.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "core/child_process.h"
#include "core/memory_size.h"
#include "runs/run_record.h"
#include "sweep/signal_wait.h"

namespace sotto::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRefusedStatus = 2;

struct RunningRun {
  std::size_t run;
  pid_t process;
  bool resumed;
  Clock::time_point start;
};

// "sotto train: --lr 'x': expected ..." without the program's name.
std::string without_program(const std::string& line) {
  constexpr std::string_view kPrefix = "sotto train: ";
  return line.starts_with(kPrefix) ? line.substr(kPrefix.size()) : line;
}

class Queue {
 public:
  Queue(const SweepPlan& plan, const SweepFolder& folder, const QueueOptions& options,
        QueueObserver& observer)
      : plan_(plan), folder_(folder), options_(options), observer_(observer) {
    const auto before = folder.read_outcomes(plan.runs());
    for (std::size_t run = 0; run < before.size(); ++run) {
      largest_peak_ = std::max(largest_peak_, before[run].peak_memory);
      if (before[run].status == RunStatus::kFinished) {
        static_cast<void>(result_of(run));  // never trained again, whatever became of its folder
      } else {
        waiting_.push_back(run);
      }
    }
    to_do_ = waiting_.size();
  }

  QueueOutcome work() {
    while (true) {
      while (may_start()) start_next();
      report();
      if (running_.empty()) break;
      if (signals_.wait()) stop(QueueEnd::kStopped);
      reap();
    }
    return outcome_;
  }

 private:
  bool may_start() const {
    if (outcome_.end != QueueEnd::kDone || waiting_.empty()) return false;
    if (running_.empty()) return true;
    if (running_.size() >= static_cast<std::size_t>(options_.jobs)) return false;
    if (largest_peak_ == 0) return !options_.try_one_first;
    return largest_peak_ <= options_.memory / (running_.size() + 1);
  }

  void start_next() {
    const std::size_t run = waiting_.front();
    waiting_.pop_front();
    const bool resumed = folder_.can_resume(run);
    if (!resumed) folder_.clear_run(run);
    ChildOptions child{.arguments = arguments(run, resumed)};
    child.output = folder_.output(run);
    child.errors = folder_.log(run);
    child.append_errors = resumed;
    child.ends_with_parent = true;
    child.kept_open = options_.kept_open;
    running_.push_back({run, start_child(child), resumed, Clock::now()});
  }

  std::vector<std::string> arguments(std::size_t run, bool resumed) const {
    std::vector<std::string> all = options_.train;
    if (resumed) {
      all.emplace_back("--resume");
    } else {
      const auto flags = arguments_of(plan_.configurations()[plan_.configuration_of(run)]);
      all.insert(all.end(), flags.begin(), flags.end());
      all.emplace_back("--one-of-several");
    }
    all.insert(all.end(), {"--output", folder_.run(run).string(), "--threads",
                           std::to_string(options_.threads), "--json"});
    return all;
  }

  void reap() {
    for (std::size_t i = 0; i < running_.size();) {
      int status = 0;
      rusage used{};
      if (wait4(running_[i].process, &status, WNOHANG, &used) == 0) {
        ++i;
        continue;
      }
      const RunningRun ended = running_[i];
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      handle_end(ended, status, static_cast<std::uint64_t>(used.ru_maxrss) * 1024);
    }
  }

  void handle_end(const RunningRun& ended, int status, std::uint64_t peak) {
    const bool exited = WIFEXITED(status);
    if (exited && WEXITSTATUS(status) == kRefusedStatus && !ended.resumed) return refuse(ended.run);
    const bool succeeded = exited && WEXITSTATUS(status) == 0;
    if (!succeeded && outcome_.end != QueueEnd::kDone)
      return;  // it was stopped: goes on another day
    RunOutcome outcome = succeeded ? result_of(ended.run) : failure_of(ended.run, status);
    outcome.seconds = std::chrono::duration<double>(Clock::now() - ended.start).count();
    outcome.peak_memory = peak;
    note_memory(peak);
    folder_.write_outcome(ended.run, outcome);
    if (outcome.status == RunStatus::kFailed) {
      observer_.on_message(run_name(ended.run) + " failed: " + outcome.message);
    }
    ++ended_here_;
    seconds_here_ += outcome.seconds;
  }

  // Of a run whose training has come to its end.
  RunOutcome result_of(std::size_t run) {
    try {
      const auto accuracy = runs::RunRecord::read(folder_.run(run)).accuracy();
      if (accuracy) best_accuracy_ = std::max(best_accuracy_.value_or(0), *accuracy);
      return {.status = RunStatus::kFinished};
    } catch (const std::exception& error) {
      return {.status = RunStatus::kFailed, .message = error.what()};
    }
  }

  RunOutcome failure_of(std::size_t run, int status) const {
    const std::string last = without_program(last_line_of(folder_.log(run)));
    return {.status = RunStatus::kFailed,
            .message = how_it_ended(status) + (last.empty() ? "" : ": " + last)};
  }

  void note_memory(std::uint64_t peak) {
    if (peak > options_.memory && largest_peak_ <= options_.memory) {
      observer_.on_message("a run took " + memory_text(peak) + ", more than the limit of " +
                           memory_text(options_.memory) + ": from now on one runs at a time");
    }
    largest_peak_ = std::max(largest_peak_, peak);
  }

  void refuse(std::size_t run) {
    if (outcome_.end == QueueEnd::kRefused) return;
    stop(QueueEnd::kRefused);
    outcome_.refused_run = run;
    outcome_.refusal = without_program(last_line_of(folder_.log(run)));
  }

  void stop(QueueEnd why) {
    if (outcome_.end == QueueEnd::kDone) outcome_.end = why;
    for (const auto& one : running_) kill(one.process, SIGTERM);
  }

  void report() {
    QueueProgress progress;
    progress.runs = plan_.runs();
    progress.running = running_.size();
    progress.done = plan_.runs() - waiting_.size() - running_.size();
    if (ended_here_ > 0) {
      const double each = seconds_here_ / static_cast<double>(ended_here_);
      progress.seconds_left =
          each * static_cast<double>(to_do_ - ended_here_) / static_cast<double>(options_.jobs);
    }
    progress.best_accuracy = best_accuracy_;
    observer_.on_progress(progress);
  }

  const SweepPlan& plan_;
  const SweepFolder& folder_;
  const QueueOptions& options_;
  QueueObserver& observer_;
  std::deque<std::size_t> waiting_;
  std::vector<RunningRun> running_;
  SignalWait signals_;
  QueueOutcome outcome_;
  std::optional<double> best_accuracy_;
  std::uint64_t largest_peak_ = 0;
  std::size_t to_do_ = 0;
  std::size_t ended_here_ = 0;
  double seconds_here_ = 0;
};

}  // namespace

QueueOutcome run_all(const SweepPlan& plan, const SweepFolder& folder, const QueueOptions& options,
                     QueueObserver& observer) {
  return Queue(plan, folder, options, observer).work();
}

}  // namespace sotto::sweep
