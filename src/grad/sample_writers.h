// One thread's writers of all uses of a parameter.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "grad/outer_products.h"

namespace sotto::grad {

class SampleWriters {
 public:
  explicit SampleWriters(const std::vector<const OuterProductUse*>& uses) {
    for (const auto* use : uses) writers_.push_back(use->writer());
  }

  // The sum of what all uses contribute.
  void write(std::int64_t sample, float* gradient) {
    bool add = false;
    for (const auto& writer : writers_) writer->write(sample, std::exchange(add, true), gradient);
  }

 private:
  std::vector<std::unique_ptr<SampleWriter>> writers_;
};

}  // namespace sotto::grad
