// Where things are in the folder of a sweep.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweep/run_outcome.h"

namespace sotto::sweep {

// The n-th run, from 0, is called run-0001 and so on.
std::string run_name(std::size_t run);

class SweepFolder {
 public:
  explicit SweepFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path plan() const { return path_ / "sweep-plan.json"; }
  std::filesystem::path results() const { return path_ / "results.csv"; }
  std::filesystem::path summary() const { return path_ / "sweep.json"; }
  std::filesystem::path picture() const { return path_ / "accuracy-against-epsilon.svg"; }

  // The folder that `sotto train` fills.
  std::filesystem::path run(std::size_t run) const { return path_ / run_name(run); }
  // What the sweep keeps beside it: the record, and what training printed.
  std::filesystem::path record(std::size_t run) const { return beside(run, ".json"); }
  std::filesystem::path output(std::size_t run) const { return beside(run, ".out"); }
  std::filesystem::path log(std::size_t run) const { return beside(run, ".log"); }

  // Makes what is missing of the folder. Throws FileError.
  void make() const;

  // Pending if there is none. Throws InvalidArgument, naming the file, if it cannot be understood.
  RunOutcome read_outcome(std::size_t run) const;
  std::vector<RunOutcome> read_outcomes(std::size_t runs) const;
  void write_outcome(std::size_t run, const RunOutcome& record) const;

  // True if training left something in the run's folder that it can go on from.
  bool can_resume(std::size_t run) const;
  // Removes what a run left that was interrupted before it had charged anything.
  void clear_run(std::size_t run) const;

 private:
  std::filesystem::path beside(std::size_t run, const char* ending) const {
    return path_ / "records" / (run_name(run) + ending);
  }

  std::filesystem::path path_;
};

}  // namespace sotto::sweep
