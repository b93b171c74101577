#include "sotto/accounting/guarantee.h"

#include "sotto/core/error.h"

namespace sotto::accounting {

std::string_view to_string(Relation relation) {
  switch (relation) {
    case Relation::kAddRemove:
      return "add-remove";
    case Relation::kReplaceOne:
      return "replace-one";
    case Relation::kZeroOut:
      return "zero-out";
  }
  throw std::logic_error("unknown relation");
}

Relation relation_from_name(std::string_view text) {
  for (const Relation relation :
       {Relation::kAddRemove, Relation::kReplaceOne, Relation::kZeroOut}) {
    if (text == to_string(relation)) return relation;
  }
  throw InvalidArgument("unknown relation '" + std::string(text) +
                        "'; accepted: add-remove, replace-one, zero-out");
}

Neighbours::Neighbours(Relation relation, int group_size)
    : relation_(relation), group_size_(group_size) {
  check_argument(group_size >= 1, "group size must be at least 1, got ", group_size);
}

double Neighbours::sum_sensitivity() const {
  return group_size_ * (relation_ == Relation::kReplaceOne ? 2.0 : 1.0);
}

std::string Neighbours::describe() const {
  std::string text{to_string(relation_)};
  if (group_size_ > 1) text += " of up to " + std::to_string(group_size_) + " records";
  return text;
}

}  // namespace sotto::accounting
