// Pictures sorted into folders by their class.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sotto/data/image.h"
#include "sotto/data/labelled_data.h"

namespace sotto::data {

struct ImageOptions {
  std::int64_t height = 32;
  std::int64_t width = 32;
  std::int64_t channels = 3;  // 1 or 3
};

// A PNG or JPEG file, whichever its content says it is. Throws FileError if it cannot be read,
// InvalidArgument, naming it, if it cannot be decoded.
Image read_image(const std::filesystem::path& path, std::int64_t channels);

// folder/train/<class>/*.png|jpg|jpeg and folder/test/<class>/...; without folder/train,
// folder/<class>/* with one file in six, chosen by a hash of "<class>/<file name>", as test
// samples. Samples are (channels, height, width) of pixels / 255, resized; classes and files are
// in the order of their names. Hidden files and files of other types are passed over.
//
// The classes are those that have a folder: public, like the names of the files.
// Throws InvalidArgument, naming folder or file, if a class has no images, a test class no training
// folder, or a file cannot be decoded.
TrainTest read_image_folder(const std::filesystem::path& folder, const ImageOptions& options = {});

}  // namespace sotto::data
