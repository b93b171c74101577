#include "train/predictor.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <sstream>

#include "core/atomic_file.h"
#include "data/csv_table.h"
#include "data/folder_files.h"
#include "data/image_folder.h"
#include "data/pixel.h"
#include "sotto/core/error.h"
#include "sotto/train/evaluation.h"
#include "train/tensor_data.h"

namespace sotto::train {
namespace {

namespace fs = std::filesystem;

at::Tensor image_input(const std::string& path, const std::vector<std::int64_t>& shape) {
  check_argument(shape.size() == 3, path, ": the model takes rows of a table, not images");
  const auto image = data::resize(data::read_image(path, shape[0]), shape[1], shape[2]);
  std::vector<float> pixels;
  data::append_pixels(image.pixels, pixels);
  const auto rows = at::tensor(pixels).reshape({1, shape[1], shape[2], shape[0]});
  return model_input(rows.permute({0, 3, 1, 2}));
}

}  // namespace

Predictor::Predictor(LoadedModel& loaded, SchemaOfTable schema_of, bool several)
    : loaded_(loaded), schema_of_(std::move(schema_of)), several_(several) {
  result_.classes = loaded.card.classes;
}

void Predictor::add(const std::string& path) {
  if (fs::is_directory(path)) {
    add_folder(path);
  } else if (fs::path(path).extension() == ".csv") {
    add_table(path);
  } else {
    add_pictures({path}, "");
  }
}

void Predictor::add_folder(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& file : data::files_below(folder)) {
    if (data::has_image_name(file)) files.push_back(file.string());
  }
  check_argument(!files.empty(), folder.string(), ": holds no PNG or JPEG files");
  add_pictures(files, several_ ? fs::path() : folder);
}

// In parts: a folder may hold more than memory does.
void Predictor::add_pictures(const std::vector<std::string>& files, const fs::path& folder) {
  constexpr std::size_t kAtOnce = 64;
  for (std::size_t begin = 0; begin < files.size(); begin += kAtOnce) {
    std::vector<at::Tensor> inputs;
    std::vector<PredictedRow> rows;
    for (std::size_t i = begin; i < std::min(begin + kAtOnce, files.size()); ++i) {
      inputs.push_back(image_input(files[i], loaded_.card.shape));
      rows.push_back({folder.empty() ? files[i] : fs::relative(files[i], folder).string()});
    }
    add_rows(std::move(rows), at::cat(inputs));
  }
}

void Predictor::add_table(const std::string& path) {
  const auto schema = schema_of_(path);
  std::istringstream stream(read_file(path));
  const auto table = data::parse_rows_to_predict(stream, path, schema);
  check_argument(table.shape == loaded_.card.shape, path,
                 ": its rows have another number of features than the model was trained on");
  check_argument(result_.carried_names.empty() || result_.carried_names == table.carried_names,
                 path, ": has other id columns than the table before it");
  result_.carried_names = table.carried_names;
  result_.format = schema.format;
  if (table.size() == 0) return;
  std::vector<PredictedRow> rows;
  for (const auto& carried : table.carried) {
    rows.push_back({path, static_cast<std::int64_t>(rows.size()) + 1, carried});
  }
  const auto inputs = at::tensor(table.features).reshape({table.size(), table.shape[0]});
  add_rows(std::move(rows), model_input(inputs));
}

void Predictor::add_rows(std::vector<PredictedRow> rows, const at::Tensor& inputs) {
  const auto scores = scores_of(loaded_.model, inputs);
  const auto labels = scores.argmax(1);
  const auto shares = at::softmax(scores, 1).to(at::kDouble).contiguous();  // (n, classes)
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const auto* begin = shares.data_ptr<double>() + index * shares.size(1);
    rows[i].label = static_cast<std::size_t>(labels[index].item<std::int64_t>());
    rows[i].probabilities.assign(begin, begin + shares.size(1));
    result_.rows.push_back(std::move(rows[i]));
  }
}

}  // namespace sotto::train
