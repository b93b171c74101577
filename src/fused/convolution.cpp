#include "fused/convolution.h"

#include <algorithm>

#include "fused/matrix_kernels.h"
#include "fused/vector_kernels.h"

namespace sotto::fused {
namespace {

std::int64_t panels(std::int64_t columns) { return (columns + kPanel - 1) / kPanel; }

// Copies (samples, inner) to the middle of (samples, outer), zeros around.
void pad(const float* from, const Shape& inner, const Shape& outer, std::int64_t top,
         std::int64_t left, std::int64_t samples, float* to) {
  const std::int64_t c = inner.channels;
  std::fill_n(to, samples * outer.size(), 0.0F);
  for (std::int64_t n = 0; n < samples; ++n) {
    for (std::int64_t y = 0; y < inner.height; ++y) {
      std::copy_n(from + (n * inner.height + y) * inner.width * c, inner.width * c,
                  to + n * outer.size() + ((y + top) * outer.width + left) * c);
    }
  }
}

// The inverse: takes the middle out.
void crop(const float* from, const Shape& outer, const Shape& inner, std::int64_t top,
          std::int64_t left, std::int64_t samples, float* to) {
  const std::int64_t c = inner.channels;
  for (std::int64_t n = 0; n < samples; ++n) {
    for (std::int64_t y = 0; y < inner.height; ++y) {
      std::copy_n(from + n * outer.size() + ((y + top) * outer.width + left) * c, inner.width * c,
                  to + (n * inner.height + y) * inner.width * c);
    }
  }
}

}  // namespace

Shape ConvolutionOptions::output() const {
  const auto side = [&](std::int64_t size, int d) {
    return (size + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1;
  };
  return {side(input.height, 0), side(input.width, 1), outputs};
}

Convolution::Convolution(const ConvolutionOptions& options, const Place& place,
                         const Parameter& weight, const Parameter& bias)
    : Layer(place), options_(options), weight_(weight), bias_(bias), output_(options.output()) {
  const auto& in = options_.input;
  padded_shape_ = {in.height + 2 * options_.padding[0], in.width + 2 * options_.padding[1],
                   in.channels};
  const std::int64_t line = padded_shape_.width * in.channels;
  // A line of a window lies together unless it skips pixels or channels.
  const bool whole_lines = options_.groups == 1 && options_.dilation[1] == 1;
  run_length_ = whole_lines ? options_.kernel[1] * in.channels : group_inputs();
  for (std::int64_t y = 0; y < options_.kernel[0]; ++y) {
    for (std::int64_t x = 0; x < (whole_lines ? 1 : options_.kernel[1]); ++x) {
      run_.push_back(static_cast<std::int32_t>(y * options_.dilation[0] * line +
                                               x * options_.dilation[1] * in.channels));
    }
  }
}

void Convolution::fit(std::int64_t tile_samples) {
  const std::int64_t channels = options_.input.channels;
  const std::int64_t line = padded_shape_.width * channels;
  row_.clear();
  out_row_.clear();
  for (std::int64_t n = 0; n < tile_samples; ++n) {
    for (std::int64_t y = 0; y < output_.height; ++y) {
      for (std::int64_t x = 0; x < output_.width; ++x) {
        out_row_.push_back(static_cast<std::int32_t>(out_row_.size()) *
                           static_cast<std::int32_t>(options_.outputs));
        row_.push_back(static_cast<std::int32_t>(n * padded_shape_.size() +
                                                 y * options_.stride[0] * line +
                                                 x * options_.stride[1] * channels));
      }
    }
  }
}

// Taps are counted (line, column, channel), the model's weight is (output, channel, line, column).
std::int64_t Convolution::model_index(std::int64_t group, std::int64_t tap,
                                      std::int64_t output) const {
  const std::int64_t channels = group_inputs();
  const std::int64_t pixel = tap / channels;
  return ((group * group_outputs() + output) * channels + tap % channels) * options_.kernel[0] *
             options_.kernel[1] +
         pixel;
}

void Convolution::prepare(const ParameterValues& parameters) {
  const float* weight = values_of(weight_, parameters);
  bias_values_ = values_of(bias_, parameters);
  pack_forward(weight);
  if (place().wants_input_gradient) pack_backward(weight);
}

void Convolution::pack_forward(const float* weight) {
  const std::int64_t outputs = group_outputs();
  forward_panels_.assign(
      static_cast<std::size_t>(options_.groups * panels(outputs) * taps() * kPanel), 0.0F);
  float* to = forward_panels_.data();
  for (std::int64_t group = 0; group < options_.groups; ++group) {
    for (std::int64_t first = 0; first < outputs; first += kPanel) {
      for (std::int64_t tap = 0; tap < taps(); ++tap, to += kPanel) {
        for (std::int64_t j = 0; j < std::min(kPanel, outputs - first); ++j) {
          to[j] = weight[model_index(group, tap, first + j)];
        }
      }
    }
  }
}

void Convolution::pack_backward(const float* weight) {
  const auto runs = static_cast<std::int64_t>(run_.size());
  const std::int64_t outputs = group_outputs();
  backward_panels_.assign(
      static_cast<std::size_t>(options_.groups * runs * panels(run_length_) * outputs * kPanel),
      0.0F);
  float* to = backward_panels_.data();
  for (std::int64_t group = 0; group < options_.groups; ++group) {
    for (std::int64_t run = 0; run < runs; ++run) {
      for (std::int64_t first = 0; first < run_length_; first += kPanel) {
        for (std::int64_t output = 0; output < outputs; ++output, to += kPanel) {
          for (std::int64_t j = 0; j < std::min(kPanel, run_length_ - first); ++j) {
            to[j] = weight[model_index(group, run * run_length_ + first + j, output)];
          }
        }
      }
    }
  }
}

// The input with its padding, where the windows are read.
const float* Convolution::windows(const Tile& tile) const {
  if (!padded()) return input(tile);
  pad(input(tile), options_.input, padded_shape_, options_.padding[0], options_.padding[1],
      tile.samples, tile.scratch);
  return tile.scratch;
}

void Convolution::forward(const Tile& tile) const {
  const float* from = windows(tile);
  const std::int64_t outputs = group_outputs();
  const float* weights = forward_panels_.data();
  for (std::int64_t group = 0; group < options_.groups; ++group) {
    const GatheredRows rows{from + group * group_inputs(),          row_.data(),
                            tile.samples * output_.pixels(),        run_.data(),
                            static_cast<std::int64_t>(run_.size()), run_length_};
    for (std::int64_t first = 0; first < outputs; first += kPanel, weights += taps() * kPanel) {
      const std::int64_t channel = group * outputs + first;
      gathered_product(rows, weights, std::min(kPanel, outputs - first),
                       {output(tile) + channel, out_row_.data(),
                        bias_values_ == nullptr ? nullptr : bias_values_ + channel, false});
    }
  }
}

void Convolution::backward(const Tile& tile) const {
  if (weight_.wanted()) weight_gradients(tile, windows(tile));
  if (bias_.wanted()) bias_gradients(tile);
  if (place().wants_input_gradient) spread_gradient(tile);
}

// Of the given output pixels, laid out (group, tap, output).
void Convolution::weight_gradient(const float* from, const float* gradient, std::int64_t first_row,
                                  std::int64_t rows, float* out, bool add) const {
  const std::int64_t outputs = group_outputs();
  for (std::int64_t group = 0; group < options_.groups; ++group) {
    for (std::size_t run = 0; run < run_.size(); ++run, out += run_length_ * outputs) {
      for (std::int64_t first = 0; first < outputs; first += kPanel) {
        outer_sum({from + group * group_inputs() + run_[run], row_.data() + first_row,
                   gradient + first_row * options_.outputs + group * outputs + first,
                   options_.outputs, rows},
                  run_length_, std::min(kPanel, outputs - first), out + first, outputs, add);
      }
    }
  }
}

void Convolution::weight_gradients(const Tile& tile, const float* from) const {
  const float* gradient = output_gradient(tile);
  const std::int64_t pixels = output_.pixels();
  float* out = written(tile, 0);
  if (!tile.is_private()) {
    return weight_gradient(from, gradient, 0, tile.samples * pixels, out, true);
  }
  for (std::int64_t n = 0; n < tile.samples; ++n, out += weight_size()) {
    weight_gradient(from, gradient, n * pixels, pixels, out, false);
    tile.add_squared_norm(weight_.number, n, sum_of_squares(out, weight_size()));
  }
}

void Convolution::bias_gradients(const Tile& tile) const {
  float* out = written(tile, weight_.wanted() ? 1 : 0);
  const std::int64_t size = output_.size();
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    if (tile.is_private()) std::fill_n(out, options_.outputs, 0.0F);
    add_rows(output_gradient(tile) + n * size, output_.pixels(), options_.outputs, out);
    if (!tile.is_private()) continue;
    tile.add_squared_norm(bias_.number, n, sum_of_squares(out, options_.outputs));
    out += options_.outputs;
  }
}

// Every output pixel adds to its window: overlapping windows add up.
void Convolution::spread_gradient(const Tile& tile) const {
  float* to = padded() ? tile.scratch : input_gradient(tile);
  std::fill_n(to, tile.samples * padded_shape_.size(), 0.0F);
  const std::int64_t outputs = group_outputs();
  const float* weights = backward_panels_.data();
  for (std::int64_t group = 0; group < options_.groups; ++group) {
    const GatheredRows rows{output_gradient(tile) + group * outputs,
                            out_row_.data(),
                            tile.samples * output_.pixels(),
                            &no_run_,
                            1,
                            outputs};
    for (const std::int32_t run : run_) {
      for (std::int64_t first = 0; first < run_length_; first += kPanel) {
        gathered_product(rows, weights, std::min(kPanel, run_length_ - first),
                         {to + group * group_inputs() + run + first, row_.data(), nullptr, true});
        weights += outputs * kPanel;
      }
    }
  }
  if (!padded()) return;
  crop(to, padded_shape_, options_.input, options_.padding[0], options_.padding[1], tile.samples,
       input_gradient(tile));
}

std::int64_t Convolution::scratch_size() const { return padded() ? padded_shape_.size() : 0; }

std::vector<WrittenGradient> Convolution::written_gradients() const {
  std::vector<WrittenGradient> list;
  if (weight_.wanted()) list.push_back({weight_.number, weight_size()});
  if (bias_.wanted()) list.push_back({bias_.number, options_.outputs});
  return list;
}

template <typename From, typename To>
void Convolution::add_in_model_order(int parameter, const From* sum, To* out) const {
  if (parameter == bias_.number) {
    for (std::int64_t o = 0; o < options_.outputs; ++o) out[o] += static_cast<To>(sum[o]);
    return;
  }
  for (std::int64_t group = 0; group < options_.groups; ++group) {
    for (std::int64_t tap = 0; tap < taps(); ++tap) {
      for (std::int64_t output = 0; output < group_outputs(); ++output) {
        out[model_index(group, tap, output)] += static_cast<To>(*sum++);
      }
    }
  }
}

void Convolution::add_to_parameter(int parameter, const float* sum, float* out) const {
  add_in_model_order(parameter, sum, out);
}

void Convolution::add_to_parameter(int parameter, const std::int32_t* sum, double* out) const {
  add_in_model_order(parameter, sum, out);
}

}  // namespace sotto::fused
