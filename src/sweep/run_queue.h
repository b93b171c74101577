// Trains the runs of a plan, several at once, each in a process of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sweep/sweep_folder.h"
#include "sweep/sweep_plan.h"

namespace sotto::sweep {

struct QueueOptions {
  std::vector<std::string> train;  // the program and what goes before the flags: sotto, train
  int jobs = 1;                    // runs at once, at most
  int threads = 1;                 // of each run
  // Bytes. Another run starts only if all together stay below it, each taking what the largest
  // finished one took.
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
  bool try_one_first = false;  // no second run before it is known what one takes
  int kept_open = -1;          // a descriptor that the runs inherit, e.g. of the folder's lock
};

struct QueueProgress {
  std::size_t runs = 0;
  std::size_t done = 0;  // finished or failed, also before this call
  std::size_t running = 0;
  double seconds_left = 0;  // estimated; 0 while nothing is known
  std::optional<double> best_accuracy = {};
};

class QueueObserver {
 public:
  virtual ~QueueObserver() = default;
  // After every change, and about once a second.
  virtual void on_progress(const QueueProgress& progress) = 0;
  virtual void on_message(const std::string& text) = 0;
};

enum class QueueEnd {
  kDone,     // every run has finished or failed
  kStopped,  // by SIGINT or SIGTERM; nothing is lost
  kRefused,  // training refused a configuration (exit status 2)
};

struct QueueOutcome {
  QueueEnd end = QueueEnd::kDone;
  std::size_t refused_run = 0;
  std::string refusal = {};  // what training said
};

// Runs whatever has no finished record in the folder: interrupted and failed runs continue from
// where they were, with --resume. A run that fails is recorded, and the others go on; at the first
// refusal the others are stopped as by a signal. SIGINT, SIGTERM and SIGCHLD are blocked in the
// calling thread meanwhile. The runs get SIGTERM if this process dies. Throws std::runtime_error if
// training cannot be started at all.
QueueOutcome run_all(const SweepPlan& plan, const SweepFolder& folder, const QueueOptions& options,
                     QueueObserver& observer);

}  // namespace sotto::sweep
