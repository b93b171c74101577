// The data that a generator learns, as tensors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gan/networks.h"
#include "sotto/gan/gan.h"
#include "train/tensor_data.h"

namespace sotto::gan {

struct GanData {
  train::TensorTrainTest tensors;
  std::vector<ColumnSpan> columns;  // of rows
  std::string schema;               // JSON of a table; empty for images
  std::vector<std::string> header;  // a table's columns in the order of its file
};

// Throws InvalidArgument for what `sotto train` would refuse. `counted_classes`: of idx folders
// without --classes, which is allowed for public data only.
GanData load_gan_data(const DataChoice& choice, bool counted_classes);

// (n) -> (n, classes), float.
at::Tensor label_columns(const at::Tensor& labels, std::int64_t classes);

}  // namespace sotto::gan
