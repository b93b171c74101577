#include "fused/normalisation.h"

#include <algorithm>
#include <cmath>

#include "fused/vector_kernels.h"

namespace sotto::fused {

Normalisation::Normalisation(NormalisationOptions options, const Place& place,
                             const Parameter& scale, const Parameter& shift)
    : Layer(place), options_(std::move(options)), scale_(scale), shift_(shift) {}

std::int64_t Normalisation::model_index(std::int64_t channel) const {
  return options_.parameter_index.empty()
             ? channel
             : options_.parameter_index[static_cast<std::size_t>(channel)];
}

std::vector<float> Normalisation::by_channel(const float* values, float without) const {
  std::vector<float> result(static_cast<std::size_t>(channels()), without);
  if (values == nullptr) return result;
  for (std::int64_t c = 0; c < channels(); ++c) {
    result[static_cast<std::size_t>(c)] = values[model_index(c)];
  }
  return result;
}

void Normalisation::prepare(const ParameterValues& parameters) {
  scale_values_ = by_channel(values_of(scale_, parameters), 1);
  shift_values_ = by_channel(values_of(shift_, parameters), 0);
}

// Every channel's entry: the sum over its group, divided by the group's number of values.
void Normalisation::group_means(const float* channel_sums, float* means) const {
  const std::int64_t size = channels() / options_.groups;
  for (std::int64_t first = 0; first < channels(); first += size) {
    double sum = 0;
    for (std::int64_t c = first; c < first + size; ++c) sum += static_cast<double>(channel_sums[c]);
    const double mean = sum / static_cast<double>(size * options_.size.pixels);
    std::fill_n(means + first, size, static_cast<float>(mean));
  }
}

// Leaves every channel's mean and 1 / standard deviation for backward().
void Normalisation::forward(const Tile& tile) const {
  float* sums = tile.scratch;
  float* scale = tile.scratch + channels();
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    const float* x = input(tile) + n * sample_size();
    float* mean = kept(tile) + n * kept_size();
    float* inverse = mean + channels();
    std::fill_n(sums, channels(), 0.0F);
    add_rows(x, options_.size.pixels, channels(), sums);
    group_means(sums, mean);
    std::fill_n(sums, channels(), 0.0F);
    add_squared_distances(options_.size, x, mean, sums);
    group_means(sums, inverse);
    for (std::int64_t c = 0; c < channels(); ++c) {
      inverse[c] =
          static_cast<float>(1 / std::sqrt(static_cast<double>(inverse[c]) + options_.epsilon));
      scale[c] = inverse[c] * scale_values_[static_cast<std::size_t>(c)];
    }
    scale_channels(options_.size, x, mean, scale, shift_values_.data(),
                   output(tile) + n * sample_size());
  }
}

// With x̂ the normalised input, r = 1 / deviation and means over a group:
// dx = r (γ g - mean(γ g) - x̂ mean(γ g x̂)), where the sums of g and g x̂ over pixels are also the
// gradients of shift and scale.
void Normalisation::backward(const Tile& tile) const {
  float* shift = tile.scratch;        // Σ g
  float* scale = shift + channels();  // Σ g x̂
  float* a = scale + channels();
  float* b = a + channels();
  float* d = b + channels();
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    const float* x = input(tile) + n * sample_size();
    const float* g = output_gradient(tile) + n * sample_size();
    const float* mean = kept(tile) + n * kept_size();
    const float* inverse = mean + channels();
    std::fill_n(shift, 2 * channels(), 0.0F);
    add_rows(g, options_.size.pixels, channels(), shift);
    add_correlations(options_.size, g, x, mean, inverse, scale);
    parameter_gradients(tile, n, scale, shift);
    if (!place().wants_input_gradient) continue;
    for (std::int64_t c = 0; c < channels(); ++c) {
      const float gamma = scale_values_[static_cast<std::size_t>(c)];
      shift[c] *= gamma;
      scale[c] *= gamma;
      a[c] = inverse[c] * gamma;
    }
    group_means(shift, b);
    group_means(scale, d);
    for (std::int64_t c = 0; c < channels(); ++c) {
      b[c] *= inverse[c];
      d[c] *= inverse[c] * inverse[c];
    }
    normalisation_backward(options_.size, g, x, {a, b, mean, d},
                           input_gradient(tile) + n * sample_size());
  }
}

void Normalisation::parameter_gradients(const Tile& tile, std::int64_t n, const float* scale,
                                        const float* shift) const {
  std::size_t which = 0;
  const auto write = [&](const Parameter& parameter, const float* gradient) {
    if (!parameter.wanted()) return;
    float* out = written(tile, which++);
    if (!tile.is_private()) return add_scaled(gradient, channels(), 1, out);
    std::copy_n(gradient, channels(), out + n * channels());
    tile.add_squared_norm(parameter.number, n, sum_of_squares(gradient, channels()));
  };
  write(scale_, scale);
  write(shift_, shift);
}

std::vector<WrittenGradient> Normalisation::written_gradients() const {
  std::vector<WrittenGradient> list;
  if (scale_.wanted()) list.push_back({scale_.number, channels()});
  if (shift_.wanted()) list.push_back({shift_.number, channels()});
  return list;
}

void Normalisation::add_to_parameter(int /*parameter*/, const float* sum, float* out) const {
  for (std::int64_t c = 0; c < channels(); ++c) out[model_index(c)] += sum[c];
}

void Normalisation::add_to_parameter(int /*parameter*/, const std::int32_t* sum,
                                     double* out) const {
  for (std::int64_t c = 0; c < channels(); ++c) out[model_index(c)] += sum[c];
}

}  // namespace sotto::fused
