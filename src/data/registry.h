// Every source of data under one function.
#pragma once

#include <filesystem>

#include "data/data_source.h"
#include "data/digits.h"
#include "data/image_folder.h"
#include "data/labelled_data.h"

namespace sotto::data {

// Each member concerns one kind of source; the others ignore it.
struct LoadOptions {
  DigitsOptions digits;
  ImageOptions images;
  std::int64_t idx_class_count = 0;       // 0: see read_idx_folder
  std::filesystem::path csv_schema;       // needed for csv
  std::string schema_text;                // if there is any: the schema itself
  std::filesystem::path csv_test;         // public rows; empty: rows of the one file are held out
  HeldOut held_out = HeldOut::kOneInSix;  // csv without csv_test, and images without test folder
};

// The data, valid (TrainTest::validate), named by their spec. Throws FileError or InvalidArgument;
// for a known data set that is missing, the message says how to get it.
TrainTest load(const DataSource& source, const LoadOptions& options = {});

}  // namespace sotto::data
