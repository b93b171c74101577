#include <ATen/ATen.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/model_argument.h"
#include "core/atomic_file.h"
#include "data/csv.h"
#include "data/csv_table.h"
#include "data/image_folder.h"
#include "data/pixel.h"
#include "sotto/core/error.h"
#include "sotto/train/evaluation.h"
#include "train/tensor_data.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPredictExamples = R"(
Examples:
  sotto predict runs/mnist digit.png other.png
  sotto predict runs/income new-rows.csv --json
)";

struct Prediction {
  std::string source;  // file, or file:row
  std::string label;
};

at::Tensor image_input(const std::string& path, const std::vector<std::int64_t>& shape) {
  check_argument(shape.size() == 3, path, ": the model takes rows of a table, not images");
  const auto image = data::resize(data::read_image(path, shape[0]), shape[1], shape[2]);
  std::vector<float> pixels;
  data::append_pixels(image.pixels, pixels);
  const auto rows = at::tensor(pixels).reshape({1, shape[1], shape[2], shape[0]});
  return train::model_input(rows.permute({0, 3, 1, 2}));
}

bool is_table(const std::string& path) { return std::filesystem::path(path).extension() == ".csv"; }

void write_record(const std::vector<std::string>& fields, std::string& text) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    text += i == 0 ? "\"" : ",\"";
    for (const char c : fields[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += '"';
  }
  text += '\n';
}

// The table's text. New rows have no labels: if the column is not there, it is filled with any
// class.
std::string with_label_column(const std::string& path, const data::CsvSchema& schema) {
  std::istringstream stream(read_file(path));
  data::CsvReader reader(stream, path);
  std::vector<std::string> fields;
  std::string text;
  bool header = true;
  bool labelled = false;
  while (reader.next(fields)) {
    if (header) labelled = std::find(fields.begin(), fields.end(), schema.label) != fields.end();
    if (!labelled) fields.push_back(header ? schema.label : schema.classes.front());
    header = false;
    write_record(fields, text);
  }
  return text;
}

void predict_table(const std::string& path, const data::CsvSchema& schema,
                   train::LoadedModel& loaded, std::vector<Prediction>& predictions) {
  std::istringstream stream(with_label_column(path, schema));
  auto table = data::parse_csv_table(stream, path, schema);
  check_argument(table.shape == loaded.card.shape, path,
                 ": its rows have another number of features than the model was trained on");
  const auto classes = train::predict(loaded.model, train::to_tensors(std::move(table)).inputs);
  for (std::int64_t i = 0; i < classes.size(0); ++i) {
    predictions.push_back(
        {path + ":" + std::to_string(i + 1), loaded.card.classes[classes[i].item<std::int64_t>()]});
  }
}

}  // namespace

int predict_command(const Arguments& arguments) {
  FlagSet app("Labels for images or rows of a table.", "sotto predict");
  std::string model_text;
  std::vector<std::string> files;
  FlagText schema;
  bool json = false;
  app.add_option("MODEL", model_text, "model.pt, or the folder of a run").required();
  app.add_option("FILE", files,
                 "PNG or JPEG images, or CSV tables with the training columns, labels or not")
      .required();
  app.add_option("--schema", schema, "csv: the schema file (default: that of the run)");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kPredictExamples);
  if (!app.parse(arguments)) return 0;
  const auto path = model_path(model_text);
  auto loaded = train::load_model(path);
  auto config = config_beside(path).value_or(train::TrainingConfig{});
  if (schema) use_schema(*schema, config);
  std::vector<Prediction> predictions;
  for (const auto& file : files) {
    file_flag("FILE", file);
    if (is_table(file)) {
      predict_table(file, schema_of(config, file), loaded, predictions);
      continue;
    }
    const auto label = train::predict(loaded.model, image_input(file, loaded.card.shape));
    predictions.push_back({file, loaded.card.classes[label.item<std::int64_t>()]});
  }
  Json list = Json::array();
  for (const auto& prediction : predictions) {
    list.push_back({{"input", prediction.source}, {"label", prediction.label}});
    if (!json) std::cout << prediction.source << '\t' << prediction.label << '\n';
  }
  if (json) std::cout << Json{{"predictions", list}}.dump(2) << '\n';
  return 0;
}

}  // namespace sotto::cli
