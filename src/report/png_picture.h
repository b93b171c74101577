// SVG pictures as PNG.
#pragma once

#include <string>

namespace sotto::report {

// The bytes of a PNG file: the picture at `scale` times its size. Uses librsvg, which is loaded
// when it is first needed. Throws InvalidArgument for what is not an SVG or has no size of its own,
// and std::runtime_error if the library is not installed or fails.
std::string png_from_svg(const std::string& svg, double scale = 2);

}  // namespace sotto::report
