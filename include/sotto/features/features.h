// The wavelet scattering transform of pictures: features that are stable under small shifts and
// deformations, and need no training. A picture's features are a function of that picture alone.
//
// Bruna and Mallat, "Invariant Scattering Convolution Networks" (arXiv:1203.1513), with the
// filters and the padding of kymatio 0.3, whose figures others can be compared with:
//
//   S0 = x * φ,   S1 = |x * ψ1| * φ,   S2 = ||x * ψ1| * ψ2| * φ    (ψ2 coarser than ψ1)
//
// with Morlet wavelets ψ of J scales and L angles, and a Gaussian φ of width 2^J.
#pragma once

#include <cstdint>
#include <memory>

namespace sotto::features {

struct ScatteringPlan;

struct ScatteringOptions {
  std::int64_t height = 28;  // of a picture
  std::int64_t width = 28;
  std::int64_t scales = 2;  // J: features are averages over about 2^J pixels
  std::int64_t angles = 8;  // L
  std::int64_t order = 2;   // 1 or 2
};

class Scattering {
 public:
  // Throws InvalidArgument, naming the option, unless pictures have at least 2^J pixels each way,
  // 1 to 8 scales, 1 to 64 angles, and an order of 1 or 2.
  explicit Scattering(const ScatteringOptions& options);
  ~Scattering();
  Scattering(Scattering&&) noexcept;
  Scattering& operator=(Scattering&&) noexcept;

  const ScatteringOptions& options() const;
  // 1 + L J, and L² J (J - 1) / 2 more in order 2: S0, S1 by scale and angle, S2 by ψ1, then ψ2.
  std::int64_t channels() const;
  // Of a map of features: about height / 2^J and width / 2^J.
  std::int64_t map_height() const;
  std::int64_t map_width() const;

  // pictures (count, height, width) -> features (count, channels(), map_height(), map_width()), on
  // this many threads. The features of a picture do not depend on the others, on its place, or on
  // the threads, bit for bit.
  void transform(const float* pictures, std::int64_t count, int threads, float* features) const;

 private:
  std::unique_ptr<const ScatteringPlan> plan_;
};

}  // namespace sotto::features
