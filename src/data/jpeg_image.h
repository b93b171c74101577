// JPEG files (libjpeg).
#pragma once

#include <string>
#include <string_view>

#include "data/image.h"

namespace sotto::data {

// True if `bytes` start as every JPEG file does.
bool is_jpeg(std::string_view bytes);

// Any grey or colour JPEG as 8-bit grey (channels = 1) or colour (3). Throws InvalidArgument,
// naming `name`, if it is not a JPEG, corrupt, cut short, in colours that have no way to these, or
// wider or higher than `largest_side`.
Image decode_jpeg(std::string_view bytes, const std::string& name, std::int64_t channels,
                  std::int64_t largest_side = kLargestImageSide);

}  // namespace sotto::data
