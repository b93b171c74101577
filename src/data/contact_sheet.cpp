#include "data/contact_sheet.h"

#include <algorithm>
#include <vector>

#include "data/pixel.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

constexpr char kMarginGrey = '\x60';

void check_options(const LabelledData& data, const SheetOptions& options) {
  check_argument(data.shape.size() == 3 && (data.shape[0] == 1 || data.shape[0] == 3),
                 "a contact sheet needs images of 1 or 3 channels, these samples have rank ",
                 data.shape.size());
  check_argument(options.rows >= 1 && options.columns >= 1, "a contact sheet of ", options.rows,
                 " x ", options.columns, " samples, must be at least 1 x 1");
  check_argument(options.margin >= 0 && options.margin <= 100, "a margin of ", options.margin,
                 " pixels, must be in [0, 100]");
  check_argument(options.zoom >= 1 && options.zoom <= 100, "a zoom of ", options.zoom,
                 ", must be in [1, 100]");
}

class Sheet {
 public:
  Sheet(const LabelledData& data, const SheetOptions& options, std::int64_t rows)
      : data_(data),
        options_(options),
        cell_height_(data.shape[1] * options.zoom + options.margin),
        cell_width_(data.shape[2] * options.zoom + options.margin) {
    check_argument(rows <= kLargestImageSide / cell_height_ &&
                       options.columns <= kLargestImageSide / cell_width_,
                   "a contact sheet of ", rows, " x ", options.columns,
                   " samples is too large, must be at most ", kLargestImageSide,
                   " pixels each way");
    image_ = {rows * cell_height_ + options.margin,
              options.columns * cell_width_ + options.margin,
              data.shape[0],
              {}};
    image_.pixels.assign(static_cast<std::size_t>(image_.height * image_.row_bytes()), kMarginGrey);
  }

  void place(std::int64_t sample, std::int64_t row, std::int64_t column) {
    const auto height = data_.shape[1];
    const auto width = data_.shape[2];
    const auto top = row * cell_height_ + options_.margin;
    const auto left = column * cell_width_ + options_.margin;
    for (std::int64_t y = 0; y < height * options_.zoom; ++y) {
      for (std::int64_t x = 0; x < width * options_.zoom; ++x) {
        place_pixel(sample, y / options_.zoom, x / options_.zoom, top + y, left + x);
      }
    }
  }

  Image take() { return std::move(image_); }

 private:
  void place_pixel(std::int64_t sample, std::int64_t from_y, std::int64_t from_x, std::int64_t to_y,
                   std::int64_t to_x) {
    const auto plane = data_.shape[1] * data_.shape[2];
    const auto from = sample * data_.features_per_sample() + from_y * data_.shape[2] + from_x;
    const auto to = to_y * image_.row_bytes() + to_x * image_.channels;
    for (std::int64_t c = 0; c < image_.channels; ++c) {
      const float feature = data_.features[static_cast<std::size_t>(from + c * plane)];
      image_.pixels[static_cast<std::size_t>(to + c)] = static_cast<char>(pixel_byte(feature));
    }
  }

  const LabelledData& data_;
  const SheetOptions& options_;
  std::int64_t cell_height_;
  std::int64_t cell_width_;
  Image image_;
};

}  // namespace

Image contact_sheet(const LabelledData& data, const SheetOptions& options) {
  check_options(data, options);
  data.validate("contact sheet");
  const auto classes = static_cast<std::int64_t>(data.class_names.size());
  const auto rows = std::min(options.rows, classes);
  Sheet sheet(data, options, rows);
  std::vector<std::int64_t> shown(data.class_names.size(), 0);
  for (std::int64_t i = 0; i < data.size(); ++i) {
    const auto label = data.labels[static_cast<std::size_t>(i)];
    auto& column = shown[static_cast<std::size_t>(label)];
    if (label < rows && column < options.columns) sheet.place(i, label, column++);
  }
  return sheet.take();
}

}  // namespace sotto::data
