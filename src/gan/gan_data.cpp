#include "gan/gan_data.h"

#include <ATen/ATen.h>

#include "core/atomic_file.h"
#include "data/csv_schema.h"
#include "runs/recorded_identity.h"

namespace sotto::gan {
namespace {

ColumnSpan span_of(const data::NumericColumn& column, std::int64_t begin) {
  const bool range = std::holds_alternative<data::RangeScale>(column.scale);
  return {begin, 1, false, false, range ? 1.0 : 10.0};
}

ColumnSpan span_of(const data::CategoricalColumn& column, std::int64_t begin) {
  return {begin, static_cast<std::int64_t>(column.categories.size()), true, column.other, 1};
}

}  // namespace

std::vector<ColumnSpan> columns_of(const std::string& schema) {
  std::vector<ColumnSpan> spans;
  std::int64_t begin = 0;
  for (const auto& [column, rule] : data::parse_csv_schema(schema, "schema").columns) {
    spans.push_back(std::visit([&](const auto& kind) { return span_of(kind, begin); }, rule));
    begin += spans.back().size;
  }
  return spans;
}

GanData load_gan_data(const DataChoice& choice, bool counted_classes) {
  runs::require_public_test_rows(choice.csv_test, choice.dataset);
  train::TrainingConfig config;
  config.dataset = choice.dataset;
  config.csv_schema = choice.csv_schema;
  config.schema_text = choice.schema_text;
  config.csv_test = choice.csv_test;
  config.classes = choice.classes;
  config.image_size = choice.image_size;
  config.image_channels = choice.image_channels;
  config.class_names = choice.class_names;
  config.held_out_epsilon = choice.held_out_epsilon;
  config.disable_dp = counted_classes;
  GanData data{train::load_data(config), {}, {}};
  if (data.tensors.shape.size() == 1 && !choice.csv_schema.empty()) {
    data.schema = choice.schema_text.empty() ? read_file(choice.csv_schema) : choice.schema_text;
    data.columns = columns_of(data.schema);
  }
  return data;
}

at::Tensor label_columns(const at::Tensor& labels, std::int64_t classes) {
  return at::one_hot(labels, classes).to(at::kFloat);
}

}  // namespace sotto::gan
