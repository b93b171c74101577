#include "data/jpeg_image.h"
#include "data/png_image.h"
#include "sotto/core/error.h"
#include "tests/data/jpeg_bytes.h"
#include "tests/data/test_images.h"
#include "tests/fuzz/fuzz_target.h"

using namespace sotto;

namespace {

constexpr std::int64_t kLargestSide = 256;

// Both kinds of picture, told apart by their first bytes as read_image does.
data::Image decode(std::string_view input, std::int64_t channels) {
  return data::is_png(input) ? data::decode_png(input, "fuzz", channels, kLargestSide)
                             : data::decode_jpeg(input, "fuzz", channels, kLargestSide);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  for (const std::int64_t channels : {1, 3}) {
    try {
      decode(input, channels).validate();
    } catch (const InvalidArgument& refusal) {
      expect_one_line(refusal);
    }
  }
  return 0;
}

std::vector<std::string> seed_inputs() {
  return {data::encode_png(data::ramp_image(9, 7, 3)), data::encode_png(data::ramp_image(5, 6, 1)),
          data::encode_jpeg(data::ramp_image(17, 9, 3)),
          data::encode_jpeg(data::ramp_image(8, 8, 1))};
}
