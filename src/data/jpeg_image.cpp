#include "data/jpeg_image.h"

#include <csetjmp>
#include <cstdio>
#include <memory>
// After <cstdio>, which they need.
#include <jerror.h>
#include <jpeglib.h>

#include "sotto/core/error.h"

namespace sotto::data {

namespace {

// libjpeg leaves a failed call by a long jump. Every call is therefore made in a method whose only
// locals are plain data; buffers and exceptions live in the functions that call these.
struct JpegReader {
  jpeg_error_mgr errors{};  // first: libjpeg hands out its address
  jpeg_decompress_struct jpeg{};
  std::jmp_buf on_failure{};
  char message[JMSG_LENGTH_MAX]{};

  JpegReader();
  ~JpegReader() { jpeg_destroy_decompress(&jpeg); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  // Each returns false after leaving a message.
  bool read_header(std::string_view bytes, std::int64_t channels);
  bool read_pixels(char* pixels);
};

[[noreturn]] void leave_with_message(j_common_ptr jpeg) {
  auto* reader = static_cast<JpegReader*>(jpeg->client_data);
  jpeg->err->format_message(jpeg, static_cast<char*>(reader->message));
  std::longjmp(reader->on_failure, 1);
}

// A warning (level -1) means that pixels are made up; only stray bytes between markers do no harm.
void judge_warning(j_common_ptr jpeg, int level) {
  if (level < 0 && jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA) leave_with_message(jpeg);
}

JpegReader::JpegReader() {
  jpeg.err = jpeg_std_error(&errors);
  errors.error_exit = leave_with_message;
  errors.emit_message = judge_warning;
  jpeg.client_data = this;
}

bool JpegReader::read_header(std::string_view bytes, std::int64_t channels) {
  if (setjmp(on_failure) != 0) return false;  // NOLINT(cert-err52-cpp): libjpeg's way
  jpeg_create_decompress(&jpeg);
  jpeg.client_data = this;
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  return true;
}

bool JpegReader::read_pixels(char* pixels) {
  if (setjmp(on_failure) != 0) return false;  // NOLINT(cert-err52-cpp): libjpeg's way
  jpeg_start_decompress(&jpeg);
  const std::size_t row_bytes = static_cast<std::size_t>(jpeg.output_width) *
                                static_cast<std::size_t>(jpeg.output_components);
  while (jpeg.output_scanline < jpeg.output_height) {
    auto* row = reinterpret_cast<JSAMPROW>(pixels + jpeg.output_scanline * row_bytes);
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

}  // namespace

bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"); }

Image decode_jpeg(std::string_view bytes, const std::string& name, std::int64_t channels,
                  std::int64_t largest_side) {
  check_argument(channels == 1 || channels == 3, name, ": ", channels,
                 " channels asked for, must be 1 or 3");
  check_argument(is_jpeg(bytes), name, ": not a JPEG file");
  const auto reader = std::make_unique<JpegReader>();
  check_argument(reader->read_header(bytes, channels), name,
                 ": not a readable JPEG file: ", static_cast<const char*>(reader->message));
  Image image{reader->jpeg.image_height, reader->jpeg.image_width, channels, {}};
  check_argument(image.height <= largest_side && image.width <= largest_side, name, ": ",
                 image.width, " x ", image.height, " pixels, must be at most ", largest_side,
                 " each way");
  image.pixels.resize(static_cast<std::size_t>(image.height * image.row_bytes()));
  check_argument(reader->read_pixels(image.pixels.data()), name,
                 ": not a readable JPEG file: ", static_cast<const char*>(reader->message));
  return image;
}

}  // namespace sotto::data
