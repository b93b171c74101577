#include "core/rounded_normal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/exact_normal.h"
#include "core/machine_clones.h"
#include "core/normal_cover.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

constexpr unsigned kPlaceShift = 12;  // a word: place (52 bits), one bit unused, sign, layer (10)
constexpr int kPlaceBits = 52;
constexpr double kPlaces = 0x1p52;
constexpr std::uint64_t kBitsOfPlaces = std::bit_cast<std::uint64_t>(kPlaces);
constexpr unsigned kSignShift = 53;  // from the bit above the layer's to the highest
constexpr std::uint64_t kMinus = std::uint64_t{1} << 63U;
constexpr std::uint64_t kMagnitude = kMinus - 1;
constexpr std::uint64_t kLayerMask = NormalCover::kLayers - 1;
constexpr double kRounding = 0x1.8p52;  // adding and subtracting it rounds to whole numbers

// What value + deviation·x may be off by in double: x is known to 52 bits of its edge
// (2^-52·2^14·5), the product and the sum are rounded (2^-53·(2^17 + 2^36)).
constexpr double kUncertain = 0x1p-16;
constexpr double kDecided = 0.5 - kUncertain;

// Heights on the curve, in double, with all that leads to them.
constexpr double kHeightError = 0x1p-40;

// Vectors of the compiler's: a table looked up by a loop, it does not turn into vectors by itself.
using Pair [[gnu::vector_size(16)]] = double;
using Four [[gnu::vector_size(32)]] = double;
using FourWords [[gnu::vector_size(32)]] = std::uint64_t;
constexpr std::size_t kGroup = 4;

// Of a group: its numbers, and in the sign bits which of them are not decided.
struct Placed {
  Four whole;
  FourWords open;
};

[[gnu::always_inline]] inline bool any_open(const FourWords& signs) {
  return ((signs[0] | signs[1] | signs[2] | signs[3]) & kMinus) != 0;
}

[[gnu::always_inline]] inline Placed placed(const NormalCover::Layer* __restrict layers,
                                            const std::uint64_t* __restrict word,
                                            const double* __restrict values, double deviation) {
  Pair entry[kGroup];
  for (std::size_t i = 0; i < kGroup; ++i) {
    std::memcpy(&entry[i], layers + (word[i] & kLayerMask), sizeof(Pair));
  }
  const Four even = __builtin_shufflevector(entry[0], entry[2], 0, 1, 2, 3);
  const Four odd = __builtin_shufflevector(entry[1], entry[3], 0, 1, 2, 3);
  const Four step = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  const Four inner = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  FourWords bits;
  std::memcpy(&bits, word, sizeof bits);
  const Four distance =
      (reinterpret_cast<Four>(bits >> kPlaceShift | kBitsOfPlaces) - kPlaces) * step;
  const Four noise = reinterpret_cast<Four>(reinterpret_cast<FourWords>(distance * deviation) |
                                            (bits << kSignShift & kMinus));
  Four value;
  std::memcpy(&value, values, sizeof value);
  const Four sum = value + noise;
  const Four whole = (sum + kRounding) - kRounding;
  const Four off = reinterpret_cast<Four>(reinterpret_cast<FourWords>(sum - whole) & kMagnitude);
  const Four size = reinterpret_cast<Four>(reinterpret_cast<FourWords>(sum) & kMagnitude);
  const FourWords open = reinterpret_cast<FourWords>(inner - distance) |
                         reinterpret_cast<FourWords>(kDecided - off) |
                         reinterpret_cast<FourWords>(RoundedNormal::kLargestQuick - size);
  return {whole, open};
}

// Whole groups from `at` on, up to the first in which a number is not decided, which is left as it
// was; returns that group, or `groups`.
SOTTO_CLONES std::size_t add_until_undecided(const NormalCover::Layer* __restrict layers,
                                             const std::uint64_t* __restrict words,
                                             double* __restrict values, double deviation,
                                             std::size_t at, std::size_t groups) {
  for (; at + 1 < groups; at += 2) {
    const Placed one = placed(layers, words + at * kGroup, values + at * kGroup, deviation);
    const Placed two =
        placed(layers, words + (at + 1) * kGroup, values + (at + 1) * kGroup, deviation);
    if (any_open(one.open | two.open)) [[unlikely]] {
      if (any_open(one.open)) return at;
      std::memcpy(values + at * kGroup, &one.whole, sizeof one.whole);
      return at + 1;
    }
    std::memcpy(values + at * kGroup, &one.whole, sizeof one.whole);
    std::memcpy(values + (at + 1) * kGroup, &two.whole, sizeof two.whole);
  }
  for (; at < groups; ++at) {
    const Placed one = placed(layers, words + at * kGroup, values + at * kGroup, deviation);
    if (any_open(one.open)) return at;
    std::memcpy(values + at * kGroup, &one.whole, sizeof one.whole);
  }
  return at;
}

// One draw, from the word that begins it. Decided in double where that is certain, else exactly,
// with the same bits and more.
class Draw {
 public:
  Draw(double value, double deviation, RandomSource& random, bool exact_only)
      : value_(value), deviation_(deviation), random_(&random), exact_only_(exact_only) {}

  double from(std::uint64_t word) {
    while (!try_word(word)) word = (*random_)();
    return whole_;
  }

 private:
  bool try_word(std::uint64_t word) {
    layer_ = word & kLayerMask;
    place_ = word >> kPlaceShift;
    across_.reset();
    x_ = static_cast<double>(place_) * NormalCover::instance().layer(layer_).step;
    deviation_ = std::copysign(deviation_, (word << kSignShift & kMinus) != 0 ? -1.0 : 1.0);
    if (exact_only_ || x_ >= NormalCover::instance().layer(layer_).inner) {
      if (layer_ == 0 && is_in_tail()) return try_tail();
      if (!is_below_curve()) return false;
    }
    const double sum = value_ + deviation_ * x_;
    if (!nearest_is_certain(sum)) {
      whole_ = nearest_whole(value_, deviation_, layer_, across(), *random_);
    }
    return true;
  }

  DrawnFraction& across() {
    if (!across_) across_.emplace(place_, kPlaceBits);
    return *across_;
  }

  bool nearest_is_certain(double sum) {
    whole_ = std::nearbyint(sum);
    return !exact_only_ && std::abs(sum - whole_) <= kDecided &&
           std::abs(sum) <= RoundedNormal::kLargestQuick;
  }

  bool is_in_tail() {
    const double beyond = x_ - NormalCover::kLastEdge;
    if (!exact_only_ && std::abs(beyond) > 0x1p-36) return beyond > 0;
    return lies_in_tail(across(), *random_);
  }

  bool is_below_curve() {
    const std::uint64_t word = (*random_)();
    const double low = NormalCover::instance().height(layer_);
    const double high = NormalCover::instance().height(layer_ + 1);
    const double height = low + static_cast<double>(word >> 11U) * 0x1p-53 * (high - low);
    const double distance = std::exp(-x_ * x_ / 2) - height;
    if (!exact_only_ && std::abs(distance) > kHeightError * high) return distance > 0;
    DrawnFraction up(word, 64);
    return lies_below_curve(layer_, across(), up, *random_);
  }

  bool try_tail() {
    const std::uint64_t place = (*random_)();
    const std::uint64_t height = (*random_)();
    const double fraction = static_cast<double>(place >> 11U) * 0x1p-53;
    const double beyond = -std::log1p(-fraction) / NormalCover::kLastEdge;
    const double distance =
        std::exp(-beyond * beyond / 2) - static_cast<double>(height >> 11U) * 0x1p-53;
    // Beyond that the fraction's 53 bits are too few.
    const bool certain = !exact_only_ && fraction < 1 - 0x1p-20 && std::abs(distance) > 0x1p-30;
    if (certain && distance < 0) return false;
    const double sum = value_ + deviation_ * (NormalCover::kLastEdge + beyond);
    if (certain && nearest_is_certain(sum)) return true;
    TailDraw tail(DrawnFraction(place, 64), DrawnFraction(height, 64), *random_);
    if (!tail.is_kept()) return false;
    whole_ = tail.nearest_whole(value_, deviation_);
    return true;
  }

  double value_;
  double deviation_;
  RandomSource* random_;
  bool exact_only_;
  std::size_t layer_ = 0;
  std::uint64_t place_ = 0;
  double x_ = 0;
  std::optional<DrawnFraction> across_;
  double whole_ = 0;
};

}  // namespace

RoundedNormal::RoundedNormal(double deviation, Effort effort)
    : deviation_(deviation), effort_(effort) {
  check_argument(deviation >= kLeastDeviation && deviation <= kLargestDeviation,
                 "rounded noise: the deviation must be from 2^6 to 2^14 units, got ", deviation);
}

double RoundedNormal::nearest(double value, std::uint64_t word, RandomSource& random) const {
  return Draw(value, deviation_, random, effort_ == Effort::kExactOnly).from(word);
}

void RoundedNormal::add_to(std::span<double> values, RandomSource& random) const {
  const auto* layers = NormalCover::instance().layers();
  std::array<std::uint64_t, 512> words;  // NOLINT: filled before they are read
  while (!values.empty()) {
    const auto block = values.first(std::min(values.size(), words.size()));
    const auto bits = std::span(words).first(block.size());
    random.fill(bits);
    const auto one_by_one = [&](std::size_t begin, std::size_t end) {
      for (; begin < end; ++begin) block[begin] = nearest(block[begin], bits[begin], random);
    };
    const std::size_t groups = effort_ == Effort::kExactOnly ? 0 : block.size() / kGroup;
    for (std::size_t at = 0; at < groups; ++at) {
      at = add_until_undecided(layers, bits.data(), block.data(), deviation_, at, groups);
      if (at < groups) one_by_one(at * kGroup, (at + 1) * kGroup);
    }
    one_by_one(groups * kGroup, block.size());
    values = values.subspan(block.size());
  }
}

}  // namespace sotto
