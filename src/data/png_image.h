// PNG files (libpng).
#pragma once

#include <string>
#include <string_view>

#include "data/image.h"

namespace sotto::data {

// True if `bytes` start as every PNG file does.
bool is_png(std::string_view bytes);

// Any PNG as 8-bit grey (channels = 1) or colour (3); what is transparent lies on black. Throws
// InvalidArgument, naming `name`, if it is not a PNG, corrupt, cut short, or wider or higher than
// `largest_side`.
Image decode_png(std::string_view bytes, const std::string& name, std::int64_t channels,
                 std::int64_t largest_side = kLargestImageSide);

// The bytes of a PNG file. Throws InvalidArgument unless image.validate() holds.
std::string encode_png(const Image& image);

}  // namespace sotto::data
