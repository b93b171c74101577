#include "data/registry.h"

#include "data/cifar.h"
#include "data/csv_schema.h"
#include "data/csv_table.h"
#include "data/idx.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

void require_location(const DataSource& source) {
  const auto location = source.location();
  const bool packaged = source.kind == DataKind::kFashionMnist;
  check_argument(
      std::filesystem::is_directory(location), source.spec(), ": not in ", location.string(),
      packaged ? "; install the package dataset-" : "; run: sotto data get ", source.spec());
}

TrainTest load_known_idx(const DataSource& source) {
  require_location(source);
  return read_idx_folder(source.location(), 10);
}

TrainTest load_fashion_mnist(const DataSource& source) {
  auto data = load_known_idx(source);
  data.train.class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                            "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
  data.test.class_names = data.train.class_names;
  return data;
}

TrainTest load_cifar10(const DataSource& source) {
  require_location(source);
  return read_cifar10_folder(source.location());
}

TrainTest load_csv(const DataSource& source, const LoadOptions& options) {
  const bool has_text = !options.schema_text.empty();
  check_argument(has_text || !options.csv_schema.empty(), source.spec(),
                 ": needs a schema with the public range or categories of every column");
  const auto schema = has_text ? parse_csv_schema(options.schema_text, "the run's schema")
                               : read_csv_schema(options.csv_schema);
  return options.csv_test.empty() ? read_csv(source.path, schema, options.held_out)
                                  : read_csv(source.path, options.csv_test, schema);
}

TrainTest load_kind(const DataSource& source, const LoadOptions& options) {
  switch (source.kind) {
    case DataKind::kFashionMnist:
      return load_fashion_mnist(source);
    case DataKind::kMnist:
      return load_known_idx(source);
    case DataKind::kCifar10:
      return load_cifar10(source);
    case DataKind::kDigits:
      return make_digits(options.digits);
    case DataKind::kCsv:
      return load_csv(source, options);
    case DataKind::kIdx:
      return read_idx_folder(source.path, options.idx_class_count);
    case DataKind::kImages:
      return read_image_folder(source.path, options.images, options.held_out);
  }
  throw InvalidArgument("a data source of no known kind");
}

}  // namespace

TrainTest load(const DataSource& source, const LoadOptions& options) {
  auto data = load_kind(source, options);
  data.name = source.spec();
  return data;
}

}  // namespace sotto::data
