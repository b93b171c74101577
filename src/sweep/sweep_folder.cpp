#include "sweep/sweep_folder.h"

#include <array>
#include <cstdio>

#include "core/atomic_file.h"
#include "core/shallow_json.h"
#include "sotto/core/error.h"

namespace sotto::sweep {

std::string run_name(std::size_t run) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "run-%04zu", run + 1);
  return text.data();
}

void SweepFolder::make() const {
  std::error_code error;
  std::filesystem::create_directories(path_ / "records", error);
  if (error) throw FileError(path_, "cannot make the folder", error.value());
}

RunOutcome SweepFolder::read_outcome(std::size_t run) const {
  const auto file = record(run);
  if (!std::filesystem::exists(file)) return {};
  constexpr int kDepth = 16;
  const auto json = read_shallow_json(file, kDepth);
  try {
    return outcome_from(json);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(file.string() + ": " + error.what());
  }
}

std::vector<RunOutcome> SweepFolder::read_outcomes(std::size_t runs) const {
  std::vector<RunOutcome> records;
  for (std::size_t run = 0; run < runs; ++run) records.push_back(read_outcome(run));
  return records;
}

void SweepFolder::write_outcome(std::size_t run, const RunOutcome& record) const {
  write_file_atomically(this->record(run), to_json(record).dump(2) + "\n");
}

bool SweepFolder::can_resume(std::size_t run) const {
  const auto folder = this->run(run);
  return std::filesystem::exists(folder / "ledger.jsonl") ||
         std::filesystem::exists(folder / "checkpoint.pt");
}

void SweepFolder::clear_run(std::size_t run) const {
  std::error_code ignored;
  std::filesystem::remove_all(this->run(run), ignored);
}

}  // namespace sotto::sweep
