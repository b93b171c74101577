// Labels and probabilities for pictures and for rows of tables, file by file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sotto/train/model_file.h"
#include "train/predicted_rows.h"

namespace sotto::train {

// What the columns of this table mean.
using SchemaOfTable = std::function<data::CsvSchema(const std::string& table)>;

class Predictor {
 public:
  // The model must outlive it. `several`: a folder's pictures are named with the folder, as others
  // may have the same names.
  Predictor(LoadedModel& loaded, SchemaOfTable schema_of, bool several);

  // A PNG or JPEG file, a folder of them, or a table (.csv). Throws InvalidArgument if the model
  // cannot take it, or a table has other id columns than the one before; FileError.
  void add(const std::string& path);

  const Predictions& result() const { return result_; }

 private:
  void add_folder(const std::filesystem::path& folder);
  void add_pictures(const std::vector<std::string>& files, const std::filesystem::path& folder);
  void add_table(const std::string& path);
  void add_rows(std::vector<PredictedRow> rows, const at::Tensor& inputs);

  LoadedModel& loaded_;
  SchemaOfTable schema_of_;
  bool several_;
  Predictions result_;
};

}  // namespace sotto::train
