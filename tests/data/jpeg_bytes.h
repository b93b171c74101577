// JPEG files for tests.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
// After <cstdio>, which it needs.
#include <jpeglib.h>

#include "data/image.h"

namespace sotto::data {

inline std::string encode_jpeg(const Image& image, int quality = 95) {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &buffer, &size);
  jpeg.image_width = static_cast<JDIMENSION>(image.width);
  jpeg.image_height = static_cast<JDIMENSION>(image.height);
  jpeg.input_components = static_cast<int>(image.channels);
  jpeg.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    const char* row = image.pixels.data() + jpeg.next_scanline * image.row_bytes();
    auto* samples = reinterpret_cast<JSAMPROW>(const_cast<char*>(row));
    jpeg_write_scanlines(&jpeg, &samples, 1);
  }
  jpeg_finish_compress(&jpeg);
  std::string bytes(reinterpret_cast<char*>(buffer), size);
  jpeg_destroy_compress(&jpeg);
  std::free(buffer);
  return bytes;
}

}  // namespace sotto::data
