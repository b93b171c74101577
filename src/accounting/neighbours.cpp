#include "sotto/accounting/guarantee.h"

#include "sotto/core/error.h"

namespace sotto::accounting {

std::string_view to_string(Adjacency adjacency) {
  switch (adjacency) {
    case Adjacency::kAddRemove:
      return "add-remove";
    case Adjacency::kReplaceOne:
      return "replace-one";
    case Adjacency::kZeroOut:
      return "zero-out";
  }
  throw std::logic_error("unknown adjacency");
}

Adjacency adjacency_from_name(std::string_view text) {
  for (const Adjacency adjacency :
       {Adjacency::kAddRemove, Adjacency::kReplaceOne, Adjacency::kZeroOut}) {
    if (text == to_string(adjacency)) return adjacency;
  }
  throw InvalidArgument("unknown adjacency '" + std::string(text) +
                        "'; accepted: add-remove, replace-one, zero-out");
}

Neighbours::Neighbours(Adjacency adjacency, int group_size)
    : adjacency_(adjacency), group_size_(group_size) {
  check_argument(group_size >= 1, "group size must be at least 1, got ", group_size);
}

double Neighbours::sum_sensitivity() const {
  return group_size_ * (adjacency_ == Adjacency::kReplaceOne ? 2.0 : 1.0);
}

std::string Neighbours::describe() const {
  std::string text{to_string(adjacency_)};
  if (group_size_ > 1) text += " of up to " + std::to_string(group_size_) + " records";
  return text;
}

}  // namespace sotto::accounting
