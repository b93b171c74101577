#include "train/evaluation_file.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "core/base64.h"
#include "runs/classification_json.h"
#include "runs/held_out_json.h"
#include "train/scored_tensors.h"

namespace sotto::train {
namespace {

constexpr std::int64_t kShownRecords = 24;

// image (C, H, W), from -1 to 1.
nlohmann::json picture_json(const at::Tensor& image) {
  const at::Tensor bytes = ((image + 1) * 127.5)
                               .round()
                               .clamp(0, 255)
                               .to(at::kByte)
                               .permute({1, 2, 0})
                               .contiguous();  // (H, W, C)
  const auto* first = reinterpret_cast<const char*>(bytes.data_ptr<std::uint8_t>());
  return {{"height", image.size(1)},
          {"width", image.size(2)},
          {"channels", image.size(0)},
          {"pixels", base64({first, static_cast<std::size_t>(bytes.numel())})}};
}

// row (columns).
nlohmann::json row_json(const at::Tensor& row) {
  const at::Tensor values = row.to(at::kDouble).contiguous();
  const auto* first = values.data_ptr<double>();
  return {{"values", std::vector<double>(first, first + values.numel())}};
}

nlohmann::json predictions_json(torch::nn::Sequential& model, const TensorTrainTest& data) {
  const auto& test = data.test;
  const auto count = std::min(kShownRecords, test.size());
  const at::Tensor records = at::arange(count) * (test.size() / count);
  const at::Tensor inputs = test.inputs.index_select(0, records);      // (count, *shape)
  const at::Tensor likely = at::softmax(scores_of(model, inputs), 1);  // (count, classes)
  const auto [probability, prediction] = likely.max(1);
  auto rows = nlohmann::json::array();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto record = records[i].item<std::int64_t>();
    const at::Tensor shown = data.pictures.defined() ? data.pictures[record] : inputs[i];
    auto row = shown.dim() == 3 ? picture_json(shown) : row_json(shown.flatten());
    row["label"] = test.labels[record].item<std::int64_t>();
    row["prediction"] = prediction[i].item<std::int64_t>();
    row["probability"] = probability[i].item<double>();
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

nlohmann::json exact_evaluation_json(const Evaluation& test, torch::nn::Sequential& model,
                                     const TensorTrainTest& data) {
  nlohmann::json json = {
      {"accuracy", test.accuracy},   {"loss", test.loss},
      {"samples", data.test.size()}, {"class_names", data.classes},
      {"confusion", test.confusion}, {"predictions", predictions_json(model, data)}};
  const auto scores = classification_scores(test, data.test.labels);
  json.update(nlohmann::json(runs::json_of(scores, data.classes)));
  return json;
}

nlohmann::json evaluation_json(const TrainingResult& result, torch::nn::Sequential& model,
                               const TensorTrainTest& data) {
  nlohmann::json json = {{"class_names", data.classes}};
  if (result.test) json = exact_evaluation_json(*result.test, model, data);
  if (result.held_out) {
    json["held_out"] = json_of(*result.held_out);
    json["accuracy"] = json["held_out"]["accuracy"];
  }
  json["profile"] = nlohmann::json::array();
  for (const auto& entry : result.profile) {
    json["profile"].push_back({{"part", entry.what}, {"seconds", entry.seconds}});
  }
  json["seconds"] = result.seconds;
  return json;
}

}  // namespace sotto::train
