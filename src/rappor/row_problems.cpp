#include "rappor/row_problems.h"

#include "sotto/core/error.h"

namespace sotto::rappor {

void RowProblems::add(const std::string& message) {
  if (strictness_ == Strictness::kRefuse) throw InvalidArgument(message);
  ++count_;
  if (messages_.size() < kMostMessages) messages_.push_back(message);
}

}  // namespace sotto::rappor
