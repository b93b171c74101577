// The scattering transform against its definition, computed slowly: convolutions in space, in
// double precision.
#include "sotto/features/features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "sotto/core/error.h"

namespace sotto::features {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

// A periodic picture.
struct Torus {
  std::int64_t height, width;
  std::vector<Complex> values;

  Torus(std::int64_t h, std::int64_t w)
      : height(h), width(w), values(static_cast<std::size_t>(h * w)) {}
  Complex& at(std::int64_t y, std::int64_t x) {
    return values[static_cast<std::size_t>((y + height) % height * width + (x + width) % width)];
  }
  Complex at(std::int64_t y, std::int64_t x) const { return const_cast<Torus&>(*this).at(y, x); }
};

Torus each(std::int64_t height, std::int64_t width,
           const std::function<Complex(std::int64_t, std::int64_t)>& value) {
  Torus torus(height, width);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) torus.at(y, x) = value(y, x);
  }
  return torus;
}

// Σ over everything of a(u) b(y - u), at every `step`-th place.
Torus convolved(const Torus& a, const Torus& b, std::int64_t step) {
  return each(a.height / step, a.width / step, [&](std::int64_t y, std::int64_t x) {
    Complex sum = 0;
    for (std::int64_t u = 0; u < a.height; ++u) {
      for (std::int64_t v = 0; v < a.width; ++v)
        sum += a.at(u, v) * b.at(y * step - u, x * step - v);
    }
    return sum;
  });
}

// Without scaling; sign -1 is forward.
Torus fourier(const Torus& a, int sign) {
  return each(a.height, a.width, [&](std::int64_t k, std::int64_t l) {
    Complex sum = 0;
    for (std::int64_t y = 0; y < a.height; ++y) {
      for (std::int64_t x = 0; x < a.width; ++x) {
        const double turns = static_cast<double>(k * y) / static_cast<double>(a.height) +
                             static_cast<double>(l * x) / static_cast<double>(a.width);
        sum += a.at(y, x) * std::polar(1.0, sign * 2 * pi * turns);
      }
    }
    return sum;
  });
}

// A filter for pictures that were halved so often: its low frequencies, real by symmetry.
Torus halved(const Torus& filter, std::int64_t times) {
  const auto spectrum = fourier(filter, -1);
  const auto low = [&](std::int64_t k, std::int64_t length) {
    const auto start = length >> (times + 1);
    return k < start || k >= start + length - (length >> times);
  };
  Torus folded(filter.height >> times, filter.width >> times);
  for (std::int64_t k = 0; k < filter.height; ++k) {
    for (std::int64_t l = 0; l < filter.width; ++l) {
      if (low(k, filter.height) && low(l, filter.width)) {
        folded.at(k % folded.height, l % folded.width) += spectrum.at(k, l).real();
      }
    }
  }
  auto result = fourier(folded, 1);
  for (auto& value : result.values) value /= static_cast<double>(result.values.size());
  return result;
}

Torus gabor(std::int64_t height, std::int64_t width, double sigma, double theta, double xi,
            double slant) {
  return each(height, width, [&](std::int64_t y, std::int64_t x) {
    Complex sum = 0;
    for (std::int64_t down = -2; down <= 2; ++down) {
      for (std::int64_t right = -2; right <= 2; ++right) {
        const auto a = static_cast<double>(y + down * height);
        const auto b = static_cast<double>(x + right * width);
        const double along = a * std::cos(theta) + b * std::sin(theta);
        const double across = b * std::cos(theta) - a * std::sin(theta);
        sum += std::exp(Complex(
            -(along * along + std::pow(slant * across, 2)) / (2 * sigma * sigma), xi * along));
      }
    }
    return sum * slant / (2 * pi * sigma * sigma);
  });
}

Torus morlet(std::int64_t height, std::int64_t width, std::int64_t j, std::int64_t angle,
             std::int64_t angles) {
  const double sigma = 0.8 * std::pow(2, j);
  const double theta =
      (std::floor(angles / 2.0 - 1 + 1e-9) - static_cast<double>(angle)) * pi / angles;
  auto wave = gabor(height, width, sigma, theta, 0.75 * pi / std::pow(2, j), 4.0 / angles);
  const auto envelope = gabor(height, width, sigma, theta, 0, 4.0 / angles);
  Complex sum = 0;
  Complex whole = 0;
  for (std::size_t i = 0; i < wave.values.size(); ++i) {
    sum += wave.values[i];
    whole += envelope.values[i];
  }
  for (std::size_t i = 0; i < wave.values.size(); ++i) {
    wave.values[i] -= sum / whole * envelope.values[i];
  }
  return wave;
}

Torus magnitude(Torus signal) {
  for (auto& value : signal.values) value = std::abs(value);
  return signal;
}

class SlowScattering {
 public:
  explicit SlowScattering(const ScatteringOptions& options)
      : options_(options),
        height_(((options.height >> options.scales) + 2) << options.scales),
        width_(((options.width >> options.scales) + 2) << options.scales),
        phi_(gabor(height_, width_, 0.8 * std::pow(2, options.scales - 1), 0, 0, 1)) {}

  std::vector<double> operator()(const std::vector<float>& picture) {
    const auto x = padded(picture);
    std::vector<double> features;
    average(x, 0, features);
    std::vector<double> second;
    for (std::int64_t j = 0; j < options_.scales; ++j) {
      for (std::int64_t angle = 0; angle < options_.angles; ++angle) {
        const auto wave = magnitude(convolved(x, psi(j, angle), std::int64_t{1} << j));
        average(wave, j, features);
        if (options_.order == 2) scatter(wave, j, second);
      }
    }
    features.insert(features.end(), second.begin(), second.end());
    return features;
  }

 private:
  Torus psi(std::int64_t j, std::int64_t angle) const {
    return morlet(height_, width_, j, angle, options_.angles);
  }
  // Mirrored at the edges, which are not repeated.
  Torus padded(const std::vector<float>& picture) const {
    const auto mirrored = [](std::int64_t at, std::int64_t size) {
      while (at < 0 || at >= size) at = at < 0 ? -at : 2 * (size - 1) - at;
      return at;
    };
    return each(height_, width_, [&](std::int64_t y, std::int64_t x) {
      const auto row = mirrored(y - (height_ - options_.height) / 2, options_.height);
      const auto column = mirrored(x - (width_ - options_.width) / 2, options_.width);
      return picture[static_cast<std::size_t>(row * options_.width + column)];
    });
  }
  void average(const Torus& signal, std::int64_t level, std::vector<double>& features) const {
    const auto maps =
        convolved(signal, halved(phi_, level), std::int64_t{1} << (options_.scales - level));
    for (std::int64_t y = 1; y + 1 < maps.height; ++y) {
      for (std::int64_t x = 1; x + 1 < maps.width; ++x) features.push_back(maps.at(y, x).real());
    }
  }
  void scatter(const Torus& wave, std::int64_t level, std::vector<double>& features) const {
    for (std::int64_t j = level + 1; j < options_.scales; ++j) {
      for (std::int64_t angle = 0; angle < options_.angles; ++angle) {
        const auto again = magnitude(
            convolved(wave, halved(psi(j, angle), level), std::int64_t{1} << (j - level)));
        average(again, j, features);
      }
    }
  }

  ScatteringOptions options_;
  std::int64_t height_, width_;
  Torus phi_;
};

std::vector<float> random_pictures(std::size_t numbers) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> pictures(numbers);
  for (auto& number : pictures) number = uniform(random);
  return pictures;
}

std::vector<float> features_of(const Scattering& scattering, const float* pictures,
                               std::int64_t count, int threads) {
  std::vector<float> features(static_cast<std::size_t>(
      count * scattering.channels() * scattering.map_height() * scattering.map_width()));
  scattering.transform(pictures, count, threads, features.data());
  return features;
}

TEST(Scattering, IsWhatItsDefinitionSays) {
  for (const auto& options :
       {ScatteringOptions{9, 11, 1, 4, 2}, ScatteringOptions{12, 10, 2, 3, 2},
        ScatteringOptions{10, 21, 2, 2, 1}, ScatteringOptions{8, 16, 3, 2, 2}}) {
    const Scattering scattering(options);
    const auto picture = random_pictures(static_cast<std::size_t>(options.height * options.width));
    const auto expected = SlowScattering(options)(picture);
    const auto features = features_of(scattering, picture.data(), 1, 1);
    ASSERT_EQ(features.size(), expected.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
      ASSERT_NEAR(features[i], expected[i], 2e-6)
          << options.height << ' ' << options.scales << ' ' << i;
    }
  }
}

TEST(Scattering, HasTheFieldsShapes) {
  const Scattering digits({28, 28, 2, 8, 2});
  EXPECT_EQ(digits.channels(), 81);
  EXPECT_EQ(digits.map_height(), 7);
  const Scattering colours({32, 48, 3, 8, 2});
  EXPECT_EQ(colours.channels(), 217);
  EXPECT_EQ(colours.map_height(), 4);
  EXPECT_EQ(colours.map_width(), 6);
  EXPECT_EQ(Scattering({28, 28, 2, 8, 1}).channels(), 17);
}

// Bit for bit: private training needs features that are a function of the record alone.
TEST(Scattering, APictureIsTransformedForItself) {
  const Scattering scattering({14, 13, 2, 4, 2});
  constexpr std::int64_t kCount = 37;
  constexpr std::int64_t kPixels = 14 * 13;
  auto pictures = random_pictures(kCount * kPixels);
  pictures[5 * kPixels] = NAN;  // of another one
  pictures[6 * kPixels] = 1e30F;
  const auto together = features_of(scattering, pictures.data(), kCount, 1);
  EXPECT_EQ(std::memcmp(together.data(), features_of(scattering, pictures.data(), kCount, 3).data(),
                        together.size() * sizeof(float)),
            0);
  const auto size = static_cast<std::int64_t>(together.size()) / kCount;
  for (std::int64_t i = 0; i < kCount; ++i) {
    const auto alone = features_of(scattering, pictures.data() + i * kPixels, 1, 2);
    EXPECT_EQ(std::memcmp(alone.data(), together.data() + i * size, alone.size() * sizeof(float)),
              0)
        << i;
  }
  EXPECT_TRUE(features_of(scattering, pictures.data(), 0, 2).empty());
}

void write_floats(std::ofstream& file, const std::vector<float>& values) {
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(float)));
}

// For compare_kymatio.py: in each file HEIGHT-WIDTH-J-L-ORDER some pictures, then their features.
TEST(SlowScattering, WritesWhatOthersCompareWith) {
  const char* folder = std::getenv("SOTTO_COMPARE_SCATTERING");
  if (folder == nullptr) GTEST_SKIP() << "only for scripts/test --slow";
  for (const auto& [height, width, scales, angles, order] :
       {ScatteringOptions{28, 28, 2, 8, 2}, ScatteringOptions{32, 32, 2, 8, 2},
        ScatteringOptions{28, 28, 2, 8, 1}, ScatteringOptions{48, 40, 3, 6, 2},
        ScatteringOptions{64, 64, 4, 4, 2}, ScatteringOptions{17, 31, 1, 5, 2}}) {
    const Scattering scattering({height, width, scales, angles, order});
    const auto pictures = random_pictures(3 * height * width);
    std::string name = folder;
    for (const auto part : {height, width, scales, angles, order}) {
      name += (name == folder ? "/" : "-") + std::to_string(part);
    }
    std::ofstream file(name, std::ios::binary);
    write_floats(file, pictures);
    write_floats(file, features_of(scattering, pictures.data(), 3, 2));
    ASSERT_TRUE(file.good()) << name;
  }
}

TEST(Scattering, RefusesWhatItCannotDo) {
  EXPECT_THROW(Scattering({3, 28, 2, 8, 2}), InvalidArgument);
  EXPECT_THROW(Scattering({28, 4000, 2, 8, 2}), InvalidArgument);
  EXPECT_THROW(Scattering({28, 28, 0, 8, 2}), InvalidArgument);
  EXPECT_THROW(Scattering({28, 28, 2, 0, 2}), InvalidArgument);
  EXPECT_THROW(Scattering({28, 28, 2, 8, 3}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::features
