// Whole numbers that LibTorch saves for the backward pass: int64_t in older releases, SymInt, which
// may stand for a number that is not known yet, in later ones. Which member has which type differs
// from release to release; rules read them by these functions and never ask.
#pragma once

#include <c10/core/SymInt.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <vector>

namespace sotto::grad {

inline std::int64_t whole(std::int64_t value) { return value; }
// Throws c10::Error for a number that is not known, as in graphs that are being compiled.
inline std::int64_t whole(const c10::SymInt& value) { return value.expect_int(); }

// `Optional` is LibTorch's own in older releases, and std::optional in later ones.
template <typename Optional>
std::int64_t whole_or(const Optional& value, std::int64_t otherwise) {
  return value ? whole(*value) : otherwise;
}

inline std::vector<std::int64_t> wholes(const std::vector<std::int64_t>& values) { return values; }
inline std::vector<std::int64_t> wholes(c10::ArrayRef<c10::SymInt> values) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(values.size());
  for (const auto& value : values) numbers.push_back(whole(value));
  return numbers;
}

}  // namespace sotto::grad
