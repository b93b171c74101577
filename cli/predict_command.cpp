#include <ATen/ATen.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/model_argument.h"
#include "cli/predicted_rows.h"
#include "core/atomic_file.h"
#include "data/csv_table.h"
#include "data/folder_files.h"
#include "data/image_folder.h"
#include "data/pixel.h"
#include "sotto/core/error.h"
#include "sotto/train/evaluation.h"
#include "train/tensor_data.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPredictExamples = R"(
Examples:
  sotto predict runs/mnist digit.png other.png
  sotto predict runs/income new-rows.csv --json
  sotto predict runs/income --data new-rows.csv -o predictions.csv
  sotto predict runs/scans --data pictures/ -o predictions.csv
)";

at::Tensor image_input(const std::string& path, const std::vector<std::int64_t>& shape) {
  check_argument(shape.size() == 3, path, ": the model takes rows of a table, not images");
  const auto image = data::resize(data::read_image(path, shape[0]), shape[1], shape[2]);
  std::vector<float> pixels;
  data::append_pixels(image.pixels, pixels);
  const auto rows = at::tensor(pixels).reshape({1, shape[1], shape[2], shape[0]});
  return train::model_input(rows.permute({0, 3, 1, 2}));
}

bool is_table(const std::string& path) { return fs::path(path).extension() == ".csv"; }

class Predictor {
 public:
  // `several`: a folder's pictures are named with the folder, as others may have the same names.
  Predictor(train::LoadedModel& loaded, const train::TrainingConfig& config, bool several)
      : loaded_(loaded), config_(config), several_(several) {
    result_.classes = loaded.card.classes;
  }

  void add(const std::string& path) {
    if (fs::is_directory(path)) {
      add_folder(path);
    } else if (is_table(path)) {
      add_table(path);
    } else {
      add_pictures({path}, "");
    }
  }

  const Predictions& result() const { return result_; }

 private:
  void add_folder(const fs::path& folder) {
    std::vector<std::string> files;
    for (const auto& file : data::files_below(folder)) {
      if (data::has_image_name(file)) files.push_back(file.string());
    }
    check_argument(!files.empty(), folder.string(), ": holds no PNG or JPEG files");
    add_pictures(files, several_ ? fs::path() : folder);
  }

  // In parts: a folder may hold more than memory does.
  void add_pictures(const std::vector<std::string>& files, const fs::path& folder) {
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

  void add_table(const std::string& path) {
    const auto schema = schema_of(config_, path);
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
    add_rows(std::move(rows), train::model_input(inputs));
  }

  void add_rows(std::vector<PredictedRow> rows, const at::Tensor& inputs) {
    const auto scores = train::scores_of(loaded_.model, inputs);
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

  train::LoadedModel& loaded_;
  const train::TrainingConfig& config_;
  bool several_;
  Predictions result_;
};

void print_predictions(const Predictions& predictions, const FlagText& output, bool json) {
  if (output) write_file_atomically(*output, predictions_csv(predictions));
  if (json) {
    auto object = predictions_json(predictions);
    if (output) object["output"] = *output;
    std::cout << object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else if (output) {
    const auto count = predictions.rows.size();
    std::cout << count << (count == 1 ? " prediction in " : " predictions in ") << *output << '\n';
  } else {
    for (const auto& row : predictions.rows) {
      std::cout << source_of(row) << '\t' << predictions.classes[row.label] << '\n';
    }
  }
}

}  // namespace

int predict_command(const Arguments& arguments) {
  FlagSet app("Labels and probabilities for images or rows of a table.", "sotto predict");
  std::string model_text;
  std::vector<std::string> files, data;
  FlagText schema, output;
  bool json = false;
  app.add_option("MODEL", model_text, "model.pt, or the folder of a run").required().names_run();
  app.add_option("FILE", files,
                 "PNG or JPEG images, folders of them, or CSV tables with the training columns, "
                 "with or without labels")
      .reads();
  app.add_option("--data PATH", data, "the same, as a flag").repeatable().reads();
  app.add_option("-o,--output FILE", output,
                 "CSV file: ids, the predicted label and a probability for each class")
      .writes();
  app.add_option("--schema FILE", schema, "csv: the schema file (default: that of the run)");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kPredictExamples);
  if (!app.parse(arguments)) return 0;
  if (files.empty() && data.empty()) {
    throw UsageError("--data is missing: expected images, a folder of them, or a CSV table");
  }
  for (const auto& file : files) {
    if (!fs::is_directory(file)) file_flag("FILE", file);
  }
  for (const auto& file : data) {
    if (!fs::is_directory(file)) file_flag("--data", file);
  }
  files.insert(files.end(), data.begin(), data.end());
  const auto path = model_path(model_text);
  auto loaded = train::load_model(path);
  auto config = config_beside(path).value_or(train::TrainingConfig{});
  if (config.schema_text.empty()) config.schema_text = loaded.card.schema;
  if (schema) use_schema(*schema, config);
  Predictor predictor(loaded, config, files.size() > 1);
  for (const auto& file : files) predictor.add(file);
  print_predictions(predictor.result(), output, json);
  return 0;
}

}  // namespace sotto::cli
