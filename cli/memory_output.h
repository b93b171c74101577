// The memory of a training step as a table, JSON, CSV and a picture.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "train/step_memory.h"

namespace sotto::cli {

// One method at one batch size.
struct MemoryRow {
  std::string method;
  std::int64_t batch = 0;
  train::StepBytes predicted;
  std::optional<train::StepBytes> measured;
};

struct MemoryAnswer {
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

std::string memory_text(const MemoryAnswer& answer);
nlohmann::ordered_json memory_json(const MemoryAnswer& answer);
// One line per row: method, batch, predicted and measured bytes of each phase.
std::string memory_csv(const MemoryAnswer& answer);
// Peak against batch size, one line per method. SVG.
std::string memory_picture(const MemoryAnswer& answer);

}  // namespace sotto::cli
