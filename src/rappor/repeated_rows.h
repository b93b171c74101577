// Notices rows that occur again, in constant memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace sotto::rappor {

// Keeps the rows whose hash is among the smallest (a sample of the distinct rows, of at most 65536,
// that is the same wherever a row occurs) and counts how often each was seen. If a part of a file
// is there twice, about that part of the sample was seen twice.
class RepeatedRows {
 public:
  void add(std::uint64_t row_hash);

  // Of the rows in the sample, those seen more than once. For fewer than 65536 rows: of all rows.
  std::size_t repeated() const;
  std::size_t sampled() const { return seen_.size(); }

 private:
  void thin();

  std::unordered_map<std::uint64_t, std::uint32_t> seen_;
  std::uint64_t limit_ = ~std::uint64_t{0};
};

// 64 well-mixed bits of the bytes. Not against forgery.
std::uint64_t row_hash(const void* bytes, std::size_t size, std::uint64_t start);

}  // namespace sotto::rappor
