// The memory of training steps: by method and batch size, phase by phase.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "train/step_memory.h"

namespace sotto::train {

// One method at one batch size.
struct MemoryRow {
  std::string method;
  std::int64_t batch = 0;
  StepBytes predicted;
  std::optional<StepBytes> measured;
};

struct MemoryTable {
  std::string model;
  std::string optimizer;
  double trained_bytes = 0;             // 4 per trained parameter
  int optimizer_copies = 0;             // numbers that the optimizer keeps for each
  double program_bytes = 0;             // of the process, before any model
  std::optional<double> peak_resident;  // of the process in the end, if steps were measured
  std::vector<MemoryRow> rows;          // at least one
  std::optional<double> limit;          // bytes
  std::vector<std::int64_t> largest;    // with a limit: the batch that fits, by method of `methods`
  std::vector<std::string> methods;
};

struct MemoryPhase {
  const char* key;
  const char* name;
  double StepBytes::*bytes;
};
// In the order of a step.
std::span<const MemoryPhase> memory_phases();

struct MemoryPart {
  const char* key;
  const char* name;
  double bytes;
};
// What the peak is made of. What is left when the rest is known goes to per-sample quantities.
std::vector<MemoryPart> memory_parts(const MemoryTable& table, const StepBytes& bytes);

nlohmann::ordered_json memory_json(const MemoryTable& table);
// One line per row: method, batch, predicted and measured bytes of each phase.
std::string memory_csv(const MemoryTable& table);
// Peak against batch size, one line per method. SVG.
std::string memory_picture(const MemoryTable& table);

}  // namespace sotto::train
