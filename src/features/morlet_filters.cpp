#include "features/morlet_filters.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace sotto::features {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr double kWidth = 0.8;                   // of an envelope of scale 1, in pixels
constexpr double kCentralFrequency = 0.75 * pi;  // of a wavelet of scale 1
constexpr int kPeriods = 2;                      // to both sides, that are added up

std::size_t place(std::int64_t y, std::int64_t x, std::int64_t width) {
  return static_cast<std::size_t>(y * width + x);
}

// e^{-2πi k / n} for all k.
std::vector<Complex> roots_of_unity(std::int64_t n) {
  std::vector<Complex> roots;
  for (std::int64_t k = 0; k < n; ++k) {
    roots.push_back(std::polar(1.0, -2 * pi * static_cast<double>(k) / static_cast<double>(n)));
  }
  return roots;
}

// An oriented Gaussian envelope, times a wave of this frequency along it, on the torus.
struct Gabor {
  double width;      // σ
  double slant;      // across it is wider by 1 / slant
  double angle;      // of the wave
  double frequency;  // 0: the envelope alone

  Complex operator()(double y, double x) const {
    const double along = y * std::cos(angle) + x * std::sin(angle);
    const double across = -y * std::sin(angle) + x * std::cos(angle);
    const double squared = along * along + slant * slant * across * across;
    const double envelope = std::exp(-squared / (2 * width * width));
    return std::polar(envelope * slant / (2 * pi * width * width), frequency * along);
  }
};

std::vector<Complex> on_torus(std::int64_t height, std::int64_t width, const Gabor& gabor) {
  std::vector<Complex> values(static_cast<std::size_t>(height * width));
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      Complex& value = values[place(y, x, width)];
      for (int down = -kPeriods; down <= kPeriods; ++down) {
        for (int right = -kPeriods; right <= kPeriods; ++right) {
          value +=
              gabor(static_cast<double>(y + down * height), static_cast<double>(x + right * width));
        }
      }
    }
  }
  return values;
}

Complex sum_of(const std::vector<Complex>& values) {
  Complex sum = 0;
  for (const auto& value : values) sum += value;
  return sum;
}

// The real part, which is all there is of a function with f(-u) = conj f(u).
Spectrum transformed(std::int64_t height, std::int64_t width, const std::vector<Complex>& values) {
  const auto of_rows = roots_of_unity(width);
  const auto of_columns = roots_of_unity(height);
  std::vector<Complex> rows(values.size());  // (y, frequency along x)
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t k = 0; k < width; ++k) {
      for (std::int64_t x = 0; x < width; ++x) {
        rows[place(y, k, width)] +=
            values[place(y, x, width)] * of_rows[static_cast<std::size_t>(k * x % width)];
      }
    }
  }
  Spectrum spectrum{height, width, std::vector<double>(values.size())};
  for (std::int64_t l = 0; l < height; ++l) {
    for (std::int64_t k = 0; k < width; ++k) {
      Complex sum = 0;
      for (std::int64_t y = 0; y < height; ++y) {
        sum += rows[place(y, k, width)] * of_columns[static_cast<std::size_t>(l * y % height)];
      }
      spectrum.values[place(l, k, width)] = sum.real();
    }
  }
  return spectrum;
}

// Whether a frequency is kept when `length` frequencies become length / 2^halvings.
bool is_low(std::int64_t frequency, std::int64_t length, std::int64_t halvings) {
  const std::int64_t kept = length >> halvings;
  const std::int64_t first_cut = length >> (halvings + 1);
  return frequency < first_cut || frequency >= first_cut + length - kept;
}

// φ along one axis, as frequencies.
std::vector<double> gaussian_spectrum(std::int64_t length, double width) {
  const auto roots = roots_of_unity(length);
  std::vector<double> spectrum(static_cast<std::size_t>(length));
  for (std::int64_t u = 0; u < length; ++u) {
    double value = 0;
    for (int period = -kPeriods; period <= kPeriods; ++period) {
      const auto at = static_cast<double>(u + period * length);
      value += std::exp(-at * at / (2 * width * width));
    }
    value /= std::sqrt(2 * pi) * width;
    for (std::int64_t k = 0; k < length; ++k) {
      spectrum[static_cast<std::size_t>(k)] +=
          value * roots[static_cast<std::size_t>(k * u % length)].real();
    }
  }
  return spectrum;
}

}  // namespace

Spectrum morlet(std::int64_t height, std::int64_t width, const MorletShape& shape) {
  const double scale = std::exp2(static_cast<double>(shape.scale));
  const auto angles = static_cast<double>(shape.angles);
  const auto first = static_cast<std::int64_t>(angles - angles / 2 - 1);
  Gabor gabor{kWidth * scale, 4 / angles, static_cast<double>(first - shape.angle) * pi / angles,
              kCentralFrequency / scale};
  auto wave = on_torus(height, width, gabor);
  gabor.frequency = 0;
  const auto envelope = on_torus(height, width, gabor);
  const Complex mean = sum_of(wave) / sum_of(envelope);  // so that the wavelet has none
  for (std::size_t i = 0; i < wave.size(); ++i) wave[i] -= mean * envelope[i];
  return transformed(height, width, wave);
}

Spectrum low_frequencies(const Spectrum& spectrum, std::int64_t halvings) {
  Spectrum low{spectrum.height >> halvings, spectrum.width >> halvings, {}};
  low.values.resize(static_cast<std::size_t>(low.height * low.width));
  for (std::int64_t y = 0; y < spectrum.height; ++y) {
    if (!is_low(y, spectrum.height, halvings)) continue;
    for (std::int64_t x = 0; x < spectrum.width; ++x) {
      if (!is_low(x, spectrum.width, halvings)) continue;
      low.values[place(y % low.height, x % low.width, low.width)] += spectrum.at(y, x);
    }
  }
  return low;
}

std::vector<double> averaging_rows(std::int64_t length, std::int64_t scales,
                                   std::int64_t halvings) {
  const auto spectrum =
      gaussian_spectrum(length, kWidth * std::exp2(static_cast<double>(scales - 1)));
  const std::int64_t size = length >> halvings;
  const std::int64_t step = std::int64_t{1} << (scales - halvings);
  const std::int64_t maps = (length >> scales) - 2;
  const auto roots = roots_of_unity(size);
  std::vector<double> rows(static_cast<std::size_t>(maps * size));
  for (std::int64_t map = 0; map < maps; ++map) {
    for (std::int64_t u = 0; u < size; ++u) {
      double weight = 0;
      for (std::int64_t k = 0; k < length; ++k) {
        if (!is_low(k, length, halvings)) continue;
        const std::int64_t distance = ((map + 1) * step - u + size) % size;
        // e^{+2πi k distance / size}, of which the imaginary parts cancel.
        weight += spectrum[static_cast<std::size_t>(k)] *
                  roots[static_cast<std::size_t>(k % size * distance % size)].real();
      }
      rows[place(map, u, size)] = weight / static_cast<double>(size);
    }
  }
  return rows;
}

}  // namespace sotto::features
