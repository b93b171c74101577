#include "core/counted.h"
#include "sotto/core/error.h"
#include "sotto/train/model_file.h"
#include "train/tensor_data.h"

namespace sotto::train {
namespace {

bool has_names(const std::vector<std::string>& classes) {
  return classes != data::numbered_classes(static_cast<std::int64_t>(classes.size()));
}

void require_same_classes(const std::vector<std::string>& of_data,
                          const std::vector<std::string>& of_model, const std::string& dataset) {
  check_argument(of_data.size() == of_model.size(), dataset, ": has ",
                 counted(of_data.size(), "class", "classes"), ", the model ", of_model.size());
  if (!has_names(of_data) || !has_names(of_model)) return;
  for (std::size_t i = 0; i < of_data.size(); ++i) {
    check_argument(of_data[i] == of_model[i], dataset, ": its class ", i, " is '", of_data[i],
                   "', the model's is '", of_model[i], "'");
  }
}

}  // namespace

TensorTrainTest load_data_for(const ModelCard& card, const TrainingConfig& config) {
  auto data = load_data(config);
  check_argument(data.shape == card.shape, config.dataset,
                 ": its samples have another shape than the model was trained on");
  require_same_classes(data.classes, card.classes, config.dataset);
  return data;
}

}  // namespace sotto::train
