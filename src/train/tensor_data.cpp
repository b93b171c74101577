#include "train/tensor_data.h"

#include <ATen/ATen.h>

#include "core/counted.h"
#include "data/registry.h"
#include "runs/held_out_release.h"
#include "settings/load_options.h"
#include "sotto/accounting/training_run.h"
#include "sotto/core/error.h"

namespace sotto::train {
namespace {

void require_fitting_settings(const TrainingConfig& config, data::TestPart test_part) {
  const bool held_out = test_part == data::TestPart::kHeldOut;
  check_setting(held_out || !config.held_out_epsilon, the_setting("held_out_epsilon"), ": ",
                config.dataset, " has test records of its own, which are taken to be public");
  check_setting(!config.disable_dp || !config.held_out_epsilon, the_setting("held_out_epsilon"),
                ": without privacy (", the_setting("disable_dp"), ") nothing is noised");
  if (!held_out || config.disable_dp || config.held_out_epsilon == 0.0) return;
  runs::require_fixed_sides(
      config.adjacency.value_or(accounting::default_adjacency(config.sampling)), config.dataset);
}

}  // namespace

at::Tensor model_input(const at::Tensor& features) {
  const bool images = features.dim() == 4;
  return images ? features * 2 - 1 : features.clone();
}

TensorData to_tensors(data::LabelledData data) {
  std::vector<std::int64_t> sizes = data.shape;
  sizes.insert(sizes.begin(), data.size());
  const at::Tensor features = at::from_blob(data.features.data(), sizes, at::kFloat);
  return {model_input(features), at::tensor(data.labels, at::kLong)};
}

TensorTrainTest load_data(const TrainingConfig& config) {
  const auto source = data::DataSource::parse(config.dataset);
  check_setting(config.disable_dp || config.classes > 0 || source.kind != data::DataKind::kIdx,
                config.dataset, ": ", the_setting("classes"),
                " must say how many classes there are; counting them in private labels "
                "would reveal something about single records");
  auto loaded = data::load(source, settings::load_options(config));
  require_fitting_settings(config, loaded.test_part);
  check_argument(loaded.train.size() >= 2, config.dataset, ": has ",
                 counted(loaded.train.size(), "training sample"), "; at least 2 are needed");
  TensorTrainTest result;
  result.shape = loaded.train.shape;
  result.classes = loaded.train.class_names;
  result.test_part = loaded.test_part;
  result.train = to_tensors(std::move(loaded.train));
  result.test = to_tensors(std::move(loaded.test));
  return result;
}

}  // namespace sotto::train
