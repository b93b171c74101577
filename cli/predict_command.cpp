#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/model_argument.h"
#include "core/atomic_file.h"
#include "train/predictor.h"

namespace sotto::cli {
namespace {

constexpr const char* kPredictExamples = R"(
Examples:
  sotto predict runs/mnist digit.png other.png
  sotto predict runs/income new-rows.csv --json
  sotto predict runs/income --data new-rows.csv -o predictions.csv
  sotto predict runs/scans --data pictures/ -o predictions.csv
)";

void print_predictions(const train::Predictions& predictions, const FlagText& output, bool json) {
  if (output) write_file_atomically(*output, train::predictions_csv(predictions));
  if (json) {
    auto object = train::predictions_json(predictions);
    if (output) object["output"] = *output;
    std::cout << object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else if (output) {
    const auto count = predictions.rows.size();
    std::cout << count << (count == 1 ? " prediction in " : " predictions in ") << *output << '\n';
  } else {
    for (const auto& row : predictions.rows) {
      std::cout << train::source_of(row) << '\t' << predictions.classes[row.label] << '\n';
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
  for (const auto& [flag, given] : {std::pair("FILE", &files), std::pair("--data", &data)}) {
    for (const auto& file : *given) {
      if (!std::filesystem::is_directory(file)) file_flag(flag, file);
    }
  }
  files.insert(files.end(), data.begin(), data.end());
  const auto path = model_path(model_text);
  auto loaded = train::load_model(path);
  auto config = config_beside(path).value_or(train::TrainingConfig{});
  if (config.schema_text.empty()) config.schema_text = loaded.card.schema;
  if (schema) use_schema(*schema, config);
  const auto schema_for = [&](const std::string& table) { return schema_of(config, table); };
  train::Predictor predictor(loaded, schema_for, files.size() > 1);
  for (const auto& file : files) predictor.add(file);
  print_predictions(predictor.result(), output, json);
  return 0;
}

}  // namespace sotto::cli
