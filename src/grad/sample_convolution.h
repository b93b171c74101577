// Every sample's own gradient of a convolution's weight, without unfolding the maps.
#pragma once

#include <cstdint>
#include <vector>

namespace sotto::grad {

// Of two axes: height, width. The weight pairs each pixel of the small map with the window of the
// wide map that it came from.
struct ConvolutionGeometry {
  std::int64_t channels = 0;      // of the wide map
  std::int64_t wide[2] = {0, 0};  // its height and width
  std::int64_t outputs = 0;       // channels of the small map
  std::int64_t small[2] = {0, 0};
  std::int64_t kernel[2] = {1, 1};
  std::int64_t stride[2] = {1, 1};
  std::int64_t padding[2] = {0, 0};
  std::int64_t dilation[2] = {1, 1};
};

// One thread's copies of a sample, pixel by pixel with all channels together, as the kernel wants
// them: a line of a window then lies together in memory.
class SampleConvolution {
 public:
  explicit SampleConvolution(const ConvolutionGeometry& geometry);

  // gradient (kernel height, kernel width, channels, outputs), overwritten or added to, from the
  // maps wide (channels, height, width) and small (outputs, height, width) of one sample.
  void write_gradient(const float* wide, const float* small, bool add, float* gradient);

 private:
  std::int64_t covered(int axis) const;
  void load_wide(const float* from);
  void load_small(const float* from);
  void write_run(const float* from, std::int64_t length, bool add, float* gradient) const;

  ConvolutionGeometry g_;
  std::int64_t height_;
  std::int64_t width_;
  std::int64_t stride_;               // between pixels of small_: outputs in whole panels
  std::vector<float> wide_;           // (height, width, channels), padded
  std::vector<float> small_;          // (pixels, stride)
  std::vector<std::int32_t> window_;  // where each pixel's window starts in wide_
};

}  // namespace sotto::grad
