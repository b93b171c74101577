#include "cli/memory_output.h"

#include "cli/byte_count.h"
#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "core/counted.h"

namespace sotto::cli {
namespace {

using train::MemoryRow;
using train::MemoryTable;

std::string phase_table(const MemoryRow& row) {
  TextTable table({TextColumn::fixed(16), TextColumn::fixed(12)});
  table.add({"phase", "predicted", row.measured ? "measured" : ""});
  for (const auto& phase : train::memory_phases()) {
    table.add({phase.name, bytes_text(row.predicted.*phase.bytes),
               row.measured ? bytes_text((*row.measured).*phase.bytes) : ""});
  }
  return "\n" + table.text();
}

std::string parts_table(const MemoryTable& answer, const MemoryRow& row) {
  TextTable table({TextColumn::fixed(28)});
  table.add({"what for, at the peak", "predicted"});
  for (const auto& part : train::memory_parts(answer, row.predicted)) {
    table.add({part.name, bytes_text(part.bytes)});
  }
  return "\n" + table.text();
}

std::string rows_table(const MemoryTable& answer) {
  TextTable table({TextColumn::fixed(16), TextColumn::fixed(7), TextColumn::fixed(12)});
  table.add({"method", "batch", "predicted", "measured"});
  for (const auto& row : answer.rows) {
    table.add({row.method, std::to_string(row.batch), bytes_text(row.predicted.peak()),
               row.measured ? bytes_text(row.measured->peak()) : "-"});
  }
  return "\n" + table.text();
}

}  // namespace

std::string memory_text(const MemoryTable& answer) {
  const auto& first = answer.rows.front();
  std::string text =
      labelled_paragraph("Model", answer.model + ", trained with " + answer.optimizer + ": " +
                                      std::to_string(static_cast<long>(answer.trained_bytes / 4)) +
                                      " parameters to train");
  if (answer.rows.size() == 1) {
    text += labelled_paragraph(
        "Step", "At most " + bytes_text(first.predicted.peak()) + " for a batch of " +
                    std::to_string(first.batch) + " (" + first.method + "), plus " +
                    bytes_text(answer.program_bytes) +
                    " for the program itself and whatever the data set needs.");
    text += phase_table(first) + parts_table(answer, first);
  } else {
    text += rows_table(answer);
  }
  if (answer.peak_resident) {
    text += labelled_paragraph("Resident", "The process had at most " +
                                               bytes_text(*answer.peak_resident) +
                                               " in memory, the program included.");
  }
  for (std::size_t i = 0; i < answer.largest.size(); ++i) {
    text += labelled_paragraph(
        "Limit",
        "Within " + bytes_text(*answer.limit) + ", " + answer.methods[i] + ": " +
            (answer.largest[i] == 0 ? "not even one sample"
                                    : "batches of up to " + counted(answer.largest[i], "sample")) +
            ".");
  }
  return text;
}

}  // namespace sotto::cli
