// Everything of a scattering transform that does not depend on pictures.
#pragma once

#include <cstdint>
#include <vector>

#include "features/lane_kernels.h"
#include "sotto/features/features.h"

namespace sotto::features {

struct ScatteringPlan {
  // Signals that were halved a number of times.
  struct Level {
    std::int64_t height, width;
    std::vector<FftPass> along_height, along_width;
    Averaging averaging;

    std::int64_t size() const { return height * width * kLanes; }
  };
  struct Wavelet {
    std::int64_t scale;
    // By the level of what is filtered; the factor of the inverse transform is in them.
    std::vector<std::vector<float>> spectra;
  };

  // Throws InvalidArgument as Scattering does.
  explicit ScatteringPlan(const ScatteringOptions& options);

  std::int64_t channels() const;
  std::int64_t map_height() const { return (height >> options.scales) - 2; }
  std::int64_t map_width() const { return (width >> options.scales) - 2; }
  std::int64_t map_size() const { return map_height() * map_width(); }

  ScatteringOptions options;
  std::int64_t height, width;               // of padded pictures
  std::vector<std::int64_t> rows, columns;  // where padded pixels come from
  std::vector<Level> levels;                // 0 to J - 1
  std::vector<Wavelet> wavelets;            // by scale, then angle

 private:
  Level level_of(std::int64_t level) const;
  Wavelet wavelet_of(std::int64_t scale, std::int64_t angle) const;
};

}  // namespace sotto::features
