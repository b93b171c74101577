// Pictures sorted into folders by their class.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/image.h"
#include "data/labelled_data.h"

namespace sotto::data {

struct ImageOptions {
  std::int64_t height = 32;
  std::int64_t width = 32;
  std::int64_t channels = 3;  // 1 or 3
  // Names of the folders, in the order of the labels: public, whatever the folders hold.
  std::vector<std::string> class_names = {};
};

// A PNG or JPEG file, whichever its content says it is. Throws FileError if it cannot be read,
// InvalidArgument, naming it, if it cannot be decoded.
Image read_image(const std::filesystem::path& path, std::int64_t channels);

// Whether the name ends as those of PNG and JPEG files do.
bool has_image_name(const std::filesystem::path& path);

// Throws InvalidArgument unless there are at least two names, all different, each of which can be
// that of a folder.
void check_class_names(const std::vector<std::string>& names);

// folder/train/<class>/*.png|jpg|jpeg and folder/test/<class>/..., whose test records are public;
// without folder/train, folder/<class>/* with one file in six on average, chosen by a hash of
// "<class>/<file name>" alone, held out. Samples are (channels, height, width) of pixels / 255,
// resized; files are in the order of their names. Hidden files and files of other types are passed
// over.
//
// The classes are those of the options. A class whose folder is empty or missing has no samples: a
// class must not exist because of one record.
// Throws InvalidArgument, naming folder or file, if there are no class names, a folder is not one
// of them, or a file cannot be decoded.
TrainTest read_image_folder(const std::filesystem::path& folder, const ImageOptions& options,
                            HeldOut held_out = HeldOut::kOneInSix);

}  // namespace sotto::data
