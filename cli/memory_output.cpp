#include "cli/memory_output.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "cli/byte_count.h"
#include "cli/text_layout.h"
#include "core/counted.h"
#include "report/line_chart.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;
using train::StepBytes;

struct MemoryPhase {
  const char* key;
  const char* name;
  double StepBytes::*bytes;
};

constexpr std::array kMemoryPhases = {
    MemoryPhase{"load_model", "model loaded", &StepBytes::model},
    MemoryPhase{"load_batch", "batch loaded", &StepBytes::batch},
    MemoryPhase{"forward", "forward pass", &StepBytes::forward},
    MemoryPhase{"backward", "backward pass", &StepBytes::backward},
    MemoryPhase{"step", "after the step", &StepBytes::step}};

struct MemoryPart {
  const char* key;
  const char* name;
  double bytes;
};

// What the peak is made of. What is left when the rest is known goes to per-sample quantities.
std::vector<MemoryPart> parts_of(const MemoryAnswer& answer, const StepBytes& bytes) {
  const double optimizer = answer.optimizer_copies * answer.trained_bytes;
  const double activations = bytes.forward - bytes.batch;
  const double known = bytes.forward + answer.trained_bytes + optimizer;
  return {{"parameters", "parameters", bytes.model},
          {"data", "one batch of data", bytes.batch - bytes.model},
          {"activations", "activations", activations},
          {"gradient", "gradient", answer.trained_bytes},
          {"optimizer_state", "optimizer state", optimizer},
          {"per_sample_and_buffers", "per-sample values, buffers",
           std::max(0.0, bytes.peak() - known)}};
}

std::string phase_table(const MemoryRow& row) {
  std::string text = "\n" + padded("phase", 18) + padded("predicted", 14) +
                     (row.measured ? "measured" : "") + "\n";
  for (const auto& phase : kMemoryPhases) {
    text += padded(phase.name, 18) + padded(bytes_text(row.predicted.*phase.bytes), 14) +
            (row.measured ? bytes_text((*row.measured).*phase.bytes) : "") + "\n";
  }
  return text;
}

std::string parts_table(const MemoryAnswer& answer, const MemoryRow& row) {
  std::string text = "\n" + padded("what for, at the peak", 30) + "predicted\n";
  for (const auto& part : parts_of(answer, row.predicted)) {
    text += padded(part.name, 30) + bytes_text(part.bytes) + "\n";
  }
  return text;
}

std::string rows_table(const MemoryAnswer& answer) {
  std::string text =
      "\n" + padded("method", 18) + padded("batch", 9) + padded("predicted", 14) + "measured\n";
  for (const auto& row : answer.rows) {
    text += padded(row.method, 18) + padded(std::to_string(row.batch), 9) +
            padded(bytes_text(row.predicted.peak()), 14) +
            (row.measured ? bytes_text(row.measured->peak()) : "-") + "\n";
  }
  return text;
}

Json phases_json(const MemoryRow& row) {
  Json phases = Json::array();
  for (const auto& phase : kMemoryPhases) {
    Json one = {{"phase", phase.key}, {"predicted_bytes", row.predicted.*phase.bytes}};
    one["measured_bytes"] = row.measured ? Json((*row.measured).*phase.bytes) : Json();
    phases.push_back(one);
  }
  return phases;
}

Json row_json_of(const MemoryAnswer& answer, const MemoryRow& row) {
  Json json = {
      {"method", row.method}, {"batch_size", row.batch}, {"predicted_bytes", row.predicted.peak()}};
  json["measured_bytes"] = row.measured ? Json(row.measured->peak()) : Json();
  json["phases"] = phases_json(row);
  json["parts"] = Json::object();
  for (const auto& part : parts_of(answer, row.predicted)) json["parts"][part.key] = part.bytes;
  return json;
}

}  // namespace

std::string memory_text(const MemoryAnswer& answer) {
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

Json memory_json(const MemoryAnswer& answer) {
  Json json = row_json_of(answer, answer.rows.front());
  json["model"] = answer.model;
  json["optimizer"] = answer.optimizer;
  json["program_bytes"] = answer.program_bytes;
  if (answer.peak_resident) json["peak_resident_bytes"] = *answer.peak_resident;
  if (answer.limit) {
    json["limit_bytes"] = *answer.limit;
    json["largest_batch"] = answer.largest.front();
    json["largest_batches"] = Json::object();
    for (std::size_t i = 0; i < answer.largest.size(); ++i) {
      json["largest_batches"][answer.methods[i]] = answer.largest[i];
    }
  }
  if (answer.rows.size() > 1) {
    json["rows"] = Json::array();
    for (const auto& row : answer.rows) json["rows"].push_back(row_json_of(answer, row));
  }
  return json;
}

std::string memory_csv(const MemoryAnswer& answer) {
  std::ostringstream text;
  text.precision(15);
  text << "model,optimizer,method,batch_size";
  for (const auto& phase : kMemoryPhases) {
    text << ',' << phase.key << "_predicted_bytes," << phase.key << "_measured_bytes";
  }
  text << '\n';
  for (const auto& row : answer.rows) {
    text << answer.model << ',' << answer.optimizer << ',' << row.method << ',' << row.batch;
    for (const auto& phase : kMemoryPhases) {
      text << ',' << row.predicted.*phase.bytes << ',';
      if (row.measured) text << (*row.measured).*phase.bytes;
    }
    text << '\n';
  }
  return text.str();
}

std::string memory_picture(const MemoryAnswer& answer) {
  report::LineChart chart;
  chart.title = "Memory of a training step";
  chart.subtitle = answer.model + ", " + answer.optimizer +
                   (answer.rows.front().measured ? ", measured" : ", predicted");
  chart.x_label = "batch size";
  chart.y_label = "peak, MB";
  for (const auto& method : answer.methods) {
    report::Line line;
    line.label = method;
    for (const auto& row : answer.rows) {
      if (row.method != method) continue;
      line.xs.push_back(static_cast<double>(row.batch));
      line.ys.push_back((row.measured ? *row.measured : row.predicted).peak() / 1e6);
    }
    chart.lines.push_back(line);
  }
  return svg(chart);
}

}  // namespace sotto::cli
