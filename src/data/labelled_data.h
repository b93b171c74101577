// Samples with their classes, in plain memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sotto::data {

struct LabelledData {
  std::vector<float> features;       // (n, *shape), row-major
  std::vector<std::int64_t> labels;  // (n), each an index into class_names
  std::vector<std::int64_t> shape;   // of one sample: {channels, height, width} or {columns}
  std::vector<std::string> class_names;

  std::int64_t size() const { return static_cast<std::int64_t>(labels.size()); }
  std::int64_t features_per_sample() const;

  // Throws InvalidArgument, naming `name`, unless there are n x prod(shape) features, every extent
  // is positive, and every label has a class.
  void validate(const std::string& name) const;
};

// Whose records the test part holds.
enum class TestPart {
  kPublic,   // test records of their own, which may be looked at
  kHeldOut,  // held out of the private records: as private as those that are trained on
};

// How much of private records is held out, where they come without test records.
enum class HeldOut { kOneInSix, kNothing };

struct TrainTest {
  LabelledData train;
  LabelledData test;
  std::string name;  // what messages call it
  TestPart test_part = TestPart::kPublic;

  // Throws InvalidArgument unless both parts are valid, hold samples, and agree in their shape and
  // their classes. A held-out part may be empty: whether it is depends on private records.
  void validate() const;
};

// "0", "1", ...: the names of classes that have none.
std::vector<std::string> numbered_classes(std::int64_t count);

}  // namespace sotto::data
