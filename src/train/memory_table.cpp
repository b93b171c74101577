#include "train/memory_table.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "report/line_chart.h"

namespace sotto::train {
namespace {

using MemoryJson = nlohmann::ordered_json;

constexpr std::array kMemoryPhases = {
    MemoryPhase{"load_model", "model loaded", &StepBytes::model},
    MemoryPhase{"load_batch", "batch loaded", &StepBytes::batch},
    MemoryPhase{"forward", "forward pass", &StepBytes::forward},
    MemoryPhase{"backward", "backward pass", &StepBytes::backward},
    MemoryPhase{"step", "after the step", &StepBytes::step}};

MemoryJson phases_json(const MemoryRow& row) {
  MemoryJson phases = MemoryJson::array();
  for (const auto& phase : kMemoryPhases) {
    MemoryJson one = {{"phase", phase.key}, {"predicted_bytes", row.predicted.*phase.bytes}};
    one["measured_bytes"] = row.measured ? MemoryJson((*row.measured).*phase.bytes) : MemoryJson();
    phases.push_back(one);
  }
  return phases;
}

MemoryJson row_json_of(const MemoryTable& table, const MemoryRow& row) {
  MemoryJson json = {
      {"method", row.method}, {"batch_size", row.batch}, {"predicted_bytes", row.predicted.peak()}};
  json["measured_bytes"] = row.measured ? MemoryJson(row.measured->peak()) : MemoryJson();
  json["phases"] = phases_json(row);
  json["parts"] = MemoryJson::object();
  for (const auto& part : memory_parts(table, row.predicted)) json["parts"][part.key] = part.bytes;
  return json;
}

}  // namespace

std::span<const MemoryPhase> memory_phases() { return kMemoryPhases; }

std::vector<MemoryPart> memory_parts(const MemoryTable& table, const StepBytes& bytes) {
  const double optimizer = table.optimizer_copies * table.trained_bytes;
  const double activations = bytes.forward - bytes.batch;
  const double known = bytes.forward + table.trained_bytes + optimizer;
  return {{"parameters", "parameters", bytes.model},
          {"data", "one batch of data", bytes.batch - bytes.model},
          {"activations", "activations", activations},
          {"gradient", "gradient", table.trained_bytes},
          {"optimizer_state", "optimizer state", optimizer},
          {"per_sample_and_buffers", "per-sample values, buffers",
           std::max(0.0, bytes.peak() - known)}};
}

MemoryJson memory_json(const MemoryTable& table) {
  MemoryJson json = row_json_of(table, table.rows.front());
  json["model"] = table.model;
  json["optimizer"] = table.optimizer;
  json["program_bytes"] = table.program_bytes;
  if (table.peak_resident) json["peak_resident_bytes"] = *table.peak_resident;
  if (table.limit) {
    json["limit_bytes"] = *table.limit;
    json["largest_batch"] = table.largest.front();
    json["largest_batches"] = MemoryJson::object();
    for (std::size_t i = 0; i < table.largest.size(); ++i) {
      json["largest_batches"][table.methods[i]] = table.largest[i];
    }
  }
  if (table.rows.size() > 1) {
    json["rows"] = MemoryJson::array();
    for (const auto& row : table.rows) json["rows"].push_back(row_json_of(table, row));
  }
  return json;
}

std::string memory_csv(const MemoryTable& table) {
  std::ostringstream text;
  text.precision(15);
  text << "model,optimizer,method,batch_size";
  for (const auto& phase : kMemoryPhases) {
    text << ',' << phase.key << "_predicted_bytes," << phase.key << "_measured_bytes";
  }
  text << '\n';
  for (const auto& row : table.rows) {
    text << table.model << ',' << table.optimizer << ',' << row.method << ',' << row.batch;
    for (const auto& phase : kMemoryPhases) {
      text << ',' << row.predicted.*phase.bytes << ',';
      if (row.measured) text << (*row.measured).*phase.bytes;
    }
    text << '\n';
  }
  return text.str();
}

std::string memory_picture(const MemoryTable& table) {
  report::LineChart chart;
  chart.title = "Memory of a training step";
  chart.subtitle = table.model + ", " + table.optimizer +
                   (table.rows.front().measured ? ", measured" : ", predicted");
  chart.x_label = "batch size";
  chart.y_label = "peak, MB";
  for (const auto& method : table.methods) {
    report::Line line;
    line.label = method;
    for (const auto& row : table.rows) {
      if (row.method != method) continue;
      line.xs.push_back(static_cast<double>(row.batch));
      line.ys.push_back((row.measured ? *row.measured : row.predicted).peak() / 1e6);
    }
    chart.lines.push_back(line);
  }
  return svg(chart);
}

}  // namespace sotto::train
