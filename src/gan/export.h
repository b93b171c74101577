// Synthetic data as files that other programs read.
#pragma once

#include <filesystem>
#include <string>

#include "sotto/gan/generator_file.h"

namespace sotto::gan {

// A folder with train-images-idx3-ubyte, train-labels-idx1-ubyte and the same for t10k, which
// `--dataset idx:FOLDER` reads: the last seventh of the samples is the test part. Throws
// InvalidArgument for tables, and if the folder is there and not empty.
void write_idx(const std::filesystem::path& folder, const SyntheticData& data,
               const GeneratorCard& card);

// One folder per class, one image per sample.
void write_png(const std::filesystem::path& folder, const SyntheticData& data,
               const GeneratorCard& card);

// A table: the schema's columns and the label, under their names, in the order of the file that was
// learnt from. Numbers lie in their declared ranges, categories have their names, and what is
// missing is an empty field. Images have one column per pixel, 0 to 255, and the label first.
void write_csv(const std::filesystem::path& file, const SyntheticData& data,
               const GeneratorCard& card);

// Some samples of every class on one picture. For images.
void write_sheet(const std::filesystem::path& file, const Generator& generator,
                 const GeneratorCard& card);

}  // namespace sotto::gan
