#include "data/gzip.h"
#include "data/idx.h"
#include "sotto/core/error.h"
#include "tests/data/gzip_bytes.h"
#include "tests/data/idx_bytes.h"
#include "tests/fuzz/fuzz_target.h"

using namespace sotto;

namespace {

void parse(std::string_view bytes) {
  const auto array = data::parse_idx(bytes, "fuzz");
  std::uint64_t product = 1;
  for (const auto extent : array.extents) product *= static_cast<std::uint64_t>(extent);
  if (product != array.values.size()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  try {
    constexpr std::size_t kLimit = 1U << 20U;
    if (data::is_gzip(input)) {
      parse(data::inflate_gzip(input, "fuzz", kLimit));
    } else {
      parse(input);
    }
  } catch (const InvalidArgument& refusal) {
    expect_one_line(refusal);
  }
  return 0;
}

std::vector<std::string> seed_inputs() {
  const std::string images = data::idx_bytes({2, 2, 3}, "abcdefghijkl");
  return {images, data::idx_bytes({3}, "abc"), data::idx_bytes({1, 3, 1, 1}, "abc"),
          data::gzip(images)};
}
