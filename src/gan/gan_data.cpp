#include "gan/gan_data.h"

#include <ATen/ATen.h>

#include <fstream>

#include "core/atomic_file.h"
#include "data/csv.h"
#include "data/csv_schema.h"
#include "data/data_source.h"
#include "gan/table_columns.h"
#include "runs/recorded_identity.h"
#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

// In the order of the file. The schema names them all, so that they are public.
std::vector<std::string> header_of(const std::string& dataset, const std::string& schema) {
  const auto source = data::DataSource::parse(dataset);
  if (source.kind != data::DataKind::kCsv) return {};
  std::ifstream file(source.path, std::ios::binary);
  std::vector<std::string> header;
  const auto format = data::parse_csv_schema(schema, "schema").format;
  data::CsvReader(file, source.path.string(), format.separator).next(header);
  return header;
}

// A schema whose columns are others than those of the data would be decoded as nonsense.
void require_all_features(const std::vector<ColumnSpan>& columns, std::int64_t features) {
  std::int64_t known = 0;
  for (const auto& column : columns) known += column.size;
  check_argument(known == features, "the schema has a kind of column that generators do not know");
}

}  // namespace

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
  GanData data{train::load_data(config), {}, {}, {}};
  if (data.tensors.shape.size() == 1 && !choice.csv_schema.empty()) {
    data.schema = choice.schema_text.empty() ? read_file(choice.csv_schema) : choice.schema_text;
    data.columns = columns_of(data.schema);
    data.header = header_of(choice.dataset, data.schema);
    require_all_features(data.columns, data.tensors.shape[0]);
  }
  return data;
}

at::Tensor label_columns(const at::Tensor& labels, std::int64_t classes) {
  return at::one_hot(labels, classes).to(at::kFloat);
}

}  // namespace sotto::gan
