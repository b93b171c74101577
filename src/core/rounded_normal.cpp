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

// A word of 64 bits: place (52 bits), one bit unused, sign, layer (10).
constexpr unsigned kPlaceShift = 12;
constexpr int kPlaceBits = 52;
constexpr unsigned kSignShift = 53;  // from the bit above the layer's to the highest
constexpr std::uint64_t kMinus = std::uint64_t{1} << 63U;
constexpr std::uint64_t kLayerMask = NormalCover::kLayers - 1;
// A half word begins one: the leading 21 bits of a place, sign, layer.
constexpr unsigned kHalfPlaceShift = 11;
constexpr unsigned kHalfSignShift = 21;
constexpr std::uint32_t kHalfMinus = std::uint32_t{1} << 31U;
static_assert(32 - kHalfPlaceShift == NormalCover::kQuickBits);

// What value + deviation·x may be off by in double: x is known to 52 bits of its edge
// (2^-52·2^11·5), the product and the sum are rounded (2^-53·(2^14 + 2^36)).
constexpr double kUncertain = 0x1p-16;
constexpr double kDecided = 0.5 - kUncertain;

// The same in float, for all places that begin with 21 bits, computed from the middle one: half an
// interval, deviation·step / 2; four roundings of a product and one of its sum with a fraction,
// each 2^-24 of it; what a fraction in float is off by, and five roundings of these margins.
constexpr float kHalfRelative = 0x1p-21F;
constexpr float kHalfDecided = 0.5F - 0x1p-20F;
constexpr float kHalfRounding = 0x1.8p23F;
constexpr double kRounding = 0x1.8p52;  // adding and subtracting it rounds to whole numbers

// Heights on the curve, in double, with all that leads to them.
constexpr double kHeightError = 0x1p-40;

// Vectors of the compiler's: a table looked up by a loop, it does not turn into vectors by itself.
constexpr std::size_t kGroup = 8;
using Pair [[gnu::vector_size(8)]] = float;
using Floats [[gnu::vector_size(32)]] = float;
using Words [[gnu::vector_size(32)]] = std::uint32_t;
using Signed [[gnu::vector_size(32)]] = std::int32_t;
using Doubles [[gnu::vector_size(64)]] = double;
using WordPairs [[gnu::vector_size(32)]] = std::uint64_t;

// Steps and inner edges of eight words' layers.
struct Entries {
  Floats step;
  Floats inner;
};

[[gnu::always_inline]] inline Entries entries_of(const NormalCover::QuickLayer* __restrict layers,
                                                 const std::uint32_t* __restrict words) {
  Pair entry[kGroup];
  for (std::size_t i = 0; i < kGroup; ++i) {
    std::memcpy(&entry[i], layers + (words[i] & kLayerMask), sizeof(Pair));
  }
  const auto one = __builtin_shufflevector(entry[0], entry[1], 0, 1, 2, 3);
  const auto two = __builtin_shufflevector(entry[2], entry[3], 0, 1, 2, 3);
  const auto three = __builtin_shufflevector(entry[4], entry[5], 0, 1, 2, 3);
  const auto four = __builtin_shufflevector(entry[6], entry[7], 0, 1, 2, 3);
  const Floats low = __builtin_shufflevector(one, three, 0, 1, 2, 3, 4, 5, 6, 7);
  const Floats high = __builtin_shufflevector(two, four, 0, 1, 2, 3, 4, 5, 6, 7);
  return {__builtin_shufflevector(low, high, 0, 2, 8, 10, 4, 6, 12, 14),
          __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15)};
}

// Of a group: its numbers, and in the sign bits which of them are not decided.
struct Placed {
  Doubles released;
  Words open;
};

struct Work {
  const NormalCover::QuickLayer* layers = nullptr;
  const std::uint32_t* half_words = nullptr;
  const double* sums = nullptr;
  std::size_t size = 0;  // a multiple of kGroup
  float deviation = 0;
  float over_half_deviation = 0;
  RoundedNormal::Scales scales = {};
};

[[gnu::always_inline]] inline Placed placed(const Work& work, std::size_t at) {
  const Entries layer = entries_of(work.layers, work.half_words + at);
  Words words;
  std::memcpy(&words, work.half_words + at, sizeof words);
  const auto place = reinterpret_cast<Signed>(words >> kHalfPlaceShift);
  const Floats distance = (__builtin_convertvector(place, Floats) + 0.5F) * layer.step;
  const Floats size = distance * work.deviation;
  const auto noise = reinterpret_cast<Floats>(reinterpret_cast<Words>(size) |
                                              (words << kHalfSignShift & kHalfMinus));
  const Floats decided =
      kHalfDecided - size * kHalfRelative - layer.step * work.over_half_deviation;
  Doubles value;
  std::memcpy(&value, work.sums + at, sizeof value);
  value *= work.scales.into_steps;
  const Doubles begun = (value + kRounding) - kRounding;
  const Floats sum = __builtin_convertvector(value - begun, Floats) + noise;
  const Floats nearest = (sum + kHalfRounding) - kHalfRounding;
  const auto off = reinterpret_cast<Floats>(reinterpret_cast<Words>(sum - nearest) & ~kHalfMinus);
  const auto large = reinterpret_cast<Floats>(
      reinterpret_cast<Words>(__builtin_convertvector(begun, Floats)) & ~kHalfMinus);
  return {(begun + __builtin_convertvector(nearest, Doubles)) * work.scales.out_of_them,
          reinterpret_cast<Words>(layer.inner - distance) | reinterpret_cast<Words>(decided - off) |
              reinterpret_cast<Words>(static_cast<float>(RoundedNormal::kLargestQuick) - large)};
}

[[gnu::always_inline]] inline bool any_open(const Words& signs) {
  const auto pairs = reinterpret_cast<WordPairs>(signs);
  return ((pairs[0] | pairs[1] | pairs[2] | pairs[3]) & 0x8000'0000'8000'0000U) != 0;
}

// Writes whole groups. What stands where a number is not decided means nothing: its place goes to
// `undecided`; returns how many they are.
template <typename Value>
[[gnu::always_inline]] inline std::size_t release_groups(const Work& work, Value* __restrict out,
                                                         std::uint32_t* __restrict undecided) {
  using Values [[gnu::vector_size(kGroup * sizeof(Value))]] = Value;
  std::size_t open = 0;
  for (std::size_t at = 0; at < work.size; at += kGroup) {
    const Placed group = placed(work, at);
    const Values values = __builtin_convertvector(group.released, Values);
    std::memcpy(out + at, &values, sizeof values);
    if (any_open(group.open)) [[unlikely]] {
      for (std::size_t i = 0; i < kGroup; ++i) {
        if ((group.open[i] & kHalfMinus) != 0)
          undecided[open++] = static_cast<std::uint32_t>(at + i);
      }
    }
  }
  return open;
}

SOTTO_CLONES std::size_t release_where_decided(const Work& work, float* out,
                                               std::uint32_t* undecided) {
  return release_groups(work, out, undecided);
}

SOTTO_CLONES std::size_t release_where_decided(const Work& work, double* out,
                                               std::uint32_t* undecided) {
  return release_groups(work, out, undecided);
}

// What a half word begins, with 31 bits more of its place.
std::uint64_t extended(std::uint32_t half_word, RandomSource& random) {
  const std::uint64_t place = half_word >> kHalfPlaceShift;
  const std::uint64_t more = random() >> 33U;
  const std::uint64_t sign_and_layer = half_word & ((1U << kHalfPlaceShift) - 1);
  return (place << 31U | more) << kPlaceShift | sign_and_layer;
}

// Where one draw's further bits come from. A seeded stream has a branch for each draw: how many
// bits one takes, which its sum's last digit may decide, does not shift what others get.
class FurtherBits {
 public:
  FurtherBits(RandomSource& random, std::uint64_t branch) : source_(&random) {
    if (!random.is_private()) source_ = &branch_.emplace(branch);
  }
  FurtherBits(const FurtherBits&) = delete;
  FurtherBits& operator=(const FurtherBits&) = delete;
  RandomSource& operator*() { return *source_; }

 private:
  std::optional<SeededRandomNotPrivate> branch_;
  RandomSource* source_;
};

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
                 "rounded noise: the deviation must be from 2^5 to 2^11 steps, got ", deviation);
}

double RoundedNormal::nearest(double value, std::uint64_t word, RandomSource& random) const {
  return Draw(value, deviation_, random, effort_ == Effort::kExactOnly).from(word);
}

template <typename Value>
void RoundedNormal::release(std::span<const double> sums, std::span<Value> out,
                            const Scales& scales, RandomSource& random) const {
  while (!sums.empty()) {
    const std::size_t block = std::min(sums.size(), kBlock);
    const std::size_t grouped = effort_ == Effort::kAsNeeded ? block / kGroup * kGroup : 0;
    release_block(sums.first(grouped), out.first(grouped), scales, random);
    for (std::size_t i = grouped; i < block; ++i) {
      const double steps = nearest(sums[i] * scales.into_steps, random(), random);
      out[i] = static_cast<Value>(steps * scales.out_of_them);
    }
    sums = sums.subspan(block);
    out = out.subspan(block);
  }
}

template <typename Value>
void RoundedNormal::release_block(std::span<const double> sums, std::span<Value> out,
                                  const Scales& scales, RandomSource& random) const {
  std::array<std::uint64_t, kBlock / 2> words;   // NOLINT: filled before they are read
  std::array<std::uint32_t, kBlock> half_words;  // NOLINT
  std::array<std::uint32_t, kBlock> undecided;   // NOLINT
  const auto drawn = std::span(words).first(sums.size() / 2);
  random.fill(drawn);
  std::memcpy(half_words.data(), drawn.data(), drawn.size_bytes());
  const Work work{.layers = NormalCover::instance().quick_layers(),
                  .half_words = half_words.data(),
                  .sums = sums.data(),
                  .size = sums.size(),
                  .deviation = static_cast<float>(deviation_),
                  .over_half_deviation = static_cast<float>(deviation_ * 0.5001),
                  .scales = scales};
  const std::size_t open = release_where_decided(work, out.data(), undecided.data());
  for (const std::uint32_t i : std::span(undecided).first(open)) {
    FurtherBits further(random, words[i / 2] + i % 2);
    const double steps =
        nearest(sums[i] * scales.into_steps, extended(half_words[i], *further), *further);
    out[i] = static_cast<Value>(steps * scales.out_of_them);
  }
}

template void RoundedNormal::release(std::span<const double>, std::span<float>, const Scales&,
                                     RandomSource&) const;
template void RoundedNormal::release(std::span<const double>, std::span<double>, const Scales&,
                                     RandomSource&) const;

}  // namespace sotto
