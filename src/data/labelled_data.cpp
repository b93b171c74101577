#include "data/labelled_data.h"

#include <algorithm>

#include "core/counted.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const auto extent : shape) text += (text.empty() ? "" : ",") + std::to_string(extent);
  return "(" + text + ")";
}

}  // namespace

std::int64_t LabelledData::features_per_sample() const {
  std::int64_t product = 1;
  for (const auto extent : shape) product *= extent;
  return product;
}

void LabelledData::validate(const std::string& name) const {
  check_argument(!shape.empty() && std::all_of(shape.begin(), shape.end(),
                                               [](std::int64_t extent) { return extent > 0; }),
                 name, ": a sample of shape ", shape_text(shape), " holds no features");
  auto expected = labels.size();
  bool fits = true;
  for (const auto extent : shape) {
    fits = fits && !__builtin_mul_overflow(expected, static_cast<std::size_t>(extent), &expected);
  }
  check_argument(fits && features.size() == expected, name, ": ",
                 counted(features.size(), "feature"), " for ", counted(size(), "sample"),
                 " of shape ", shape_text(shape), ", must be ", expected);
  const auto classes = static_cast<std::int64_t>(class_names.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    check_argument(labels[i] >= 0 && labels[i] < classes, name, ": sample ", i, " has label ",
                   labels[i], ", must be in [0, ", classes, ")");
  }
}

void TrainTest::validate() const {
  train.validate(name + ", training part");
  test.validate(name + ", test part");
  check_argument(train.size() > 0, name, ": the training part holds no samples");
  check_argument(test.size() > 0 || test_part == TestPart::kHeldOut, name,
                 ": the test part holds no samples");
  check_argument(train.shape == test.shape, name, ": training samples of shape ",
                 shape_text(train.shape), " and test samples of shape ", shape_text(test.shape),
                 " must agree");
  check_argument(train.class_names == test.class_names, name,
                 ": training and test part must have the same classes");
}

std::vector<std::string> numbered_classes(std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace sotto::data
