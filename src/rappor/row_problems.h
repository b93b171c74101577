// Rows that are not reports: counted, and the first of them remembered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sotto::rappor {

enum class Strictness {
  kCount,   // a malformed row is left out, counted and reported
  kRefuse,  // it ends the reading
};

class RowProblems {
 public:
  static constexpr std::size_t kMostMessages = 10;

  explicit RowProblems(Strictness strictness = Strictness::kCount) : strictness_(strictness) {}

  // `message` says where and what. Throws it as InvalidArgument if strictness is kRefuse.
  void add(const std::string& message);

  std::uint64_t count() const { return count_; }
  const std::vector<std::string>& first_messages() const { return messages_; }

 private:
  Strictness strictness_;
  std::uint64_t count_ = 0;
  std::vector<std::string> messages_;
};

}  // namespace sotto::rappor
