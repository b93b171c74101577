#include <ATen/Parallel.h>

#include <iostream>

#include "cli/flags.h"
#include "cli/memory_output.h"
#include "cli/memory_request.h"
#include "core/atomic_file.h"
#include "train/optimizers.h"
#include "train/process_memory.h"

namespace sotto::cli {
namespace {

struct Predicted {
  train::StepSetting setting;
  train::StepPrediction prediction;
};

std::vector<train::StepPath> candidates_of(MemoryMethod method) {
  if (method) return {*method};
  return {train::StepPath::kFused, train::StepPath::kGraph};
}

Predicted predict_method(const MemoryRequest& request, MemoryMethod method) {
  train::StepSetting setting;
  setting.make_network = request.make_network;
  setting.optimizer = [config = request.config](const torch::nn::Module& module) {
    return train::make_optimizer(module, config);
  };
  for (const auto path : candidates_of(method)) {
    setting.path = path;
    if (const auto prediction = train::StepPrediction::make(setting)) {
      return {setting, *prediction};
    }
  }
  throw UsageError("--path '" + (method ? std::string(train::to_string(*method)) : "auto") +
                   "': the model cannot take it");
}

void add_method(const MemoryRequest& request, MemoryMethod method, train::MemoryTable& answer) {
  const auto [setting, prediction] = predict_method(request, method);
  const std::string path(train::to_string(setting.path));
  answer.methods.push_back(path);
  for (const auto batch : request.batches) {
    train::MemoryRow row{path, batch, prediction.at(batch), {}};
    if (request.measure) row.measured = train::measure_step(setting, batch);
    answer.rows.push_back(row);
  }
  if (answer.limit) {
    answer.largest.push_back(prediction.largest_batch(*answer.limit - answer.program_bytes));
  }
}

train::MemoryTable answer_to(const MemoryRequest& request) {
  train::MemoryTable answer;
  answer.model = request.model;
  answer.optimizer = std::string(to_string(request.config.optimizer));
  answer.optimizer_copies = train::numbers_kept_by(request.config.optimizer);
  answer.program_bytes = static_cast<double>(train::resident_bytes());
  answer.trained_bytes = static_cast<double>(request.make_network().trained_bytes());
  answer.limit = request.limit;
  for (const auto method : request.methods) add_method(request, method, answer);
  if (request.measure) answer.peak_resident = static_cast<double>(train::peak_resident_bytes());
  return answer;
}

}  // namespace

int memory_command(const Arguments& arguments) {
  const auto request = parse_memory_request(arguments);
  if (!request) return 0;
  at::set_num_threads(request->threads);
  const auto answer = answer_to(*request);
  if (request->csv) write_file_atomically(*request->csv, train::memory_csv(answer));
  if (request->plot) write_file_atomically(*request->plot, train::memory_picture(answer));
  std::cout << (request->json ? train::memory_json(answer).dump(2) + "\n" : memory_text(answer));
  return 0;
}

}  // namespace sotto::cli
