#include "data/png_image.h"

#include <png.h>

#include <stdexcept>

#include "sotto/core/error.h"

namespace sotto::data {

namespace {

// libpng's simplified interface: it catches its own long jumps and leaves a message.
class PngImage {
 public:
  PngImage() { image_.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&image_); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;

  png_image* get() { return &image_; }
  std::string message() const { return static_cast<const char*>(image_.message); }

 private:
  png_image image_{};
};

png_uint_32 format_of(std::int64_t channels) {
  return channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
}

}  // namespace

bool is_png(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

Image decode_png(std::string_view bytes, const std::string& name, std::int64_t channels,
                 std::int64_t largest_side) {
  check_argument(channels == 1 || channels == 3, name, ": ", channels,
                 " channels asked for, must be 1 or 3");
  check_argument(is_png(bytes), name, ": not a PNG file");
  PngImage png;
  // Read first: the message is there only after it has failed.
  const bool begun = png_image_begin_read_from_memory(png.get(), bytes.data(), bytes.size()) != 0;
  check_argument(begun, name, ": not a readable PNG file: ", png.message());
  Image image{png.get()->height, png.get()->width, channels, {}};
  check_argument(image.height <= largest_side && image.width <= largest_side, name, ": ",
                 image.width, " x ", image.height, " pixels, must be at most ", largest_side,
                 " each way");
  png.get()->format = format_of(channels);
  image.pixels.resize(PNG_IMAGE_SIZE(*png.get()));
  const bool finished =
      png_image_finish_read(png.get(), nullptr, image.pixels.data(), 0, nullptr) != 0;
  check_argument(finished, name, ": not a readable PNG file: ", png.message());
  return image;
}

std::string encode_png(const Image& image) {
  image.validate();
  PngImage png;
  png.get()->width = static_cast<png_uint_32>(image.width);
  png.get()->height = static_cast<png_uint_32>(image.height);
  png.get()->format = format_of(image.channels);
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(*png.get());
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(png.get(), bytes.data(), &size, 0, image.pixels.data(), 0,
                                nullptr) == 0) {
    throw std::runtime_error("libpng: " + png.message());
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace sotto::data
