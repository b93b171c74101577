#include "plan/plan_difference.h"

#include <set>

namespace sotto {

namespace {

using nlohmann::json;

std::string shown(const json* value) {
  return value == nullptr ? "nothing" : value->dump(-1, ' ', true, json::error_handler_t::replace);
}

const json* find(const json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::set<std::string> keys_of_both(const json& left, const json& right) {
  std::set<std::string> keys;
  for (const auto& item : left.items()) keys.insert(item.key());
  for (const auto& item : right.items()) keys.insert(item.key());
  return keys;
}

std::optional<PlanDifference> difference_below(const std::string& prefix, const json& left,
                                               const json& right) {
  for (const auto& key : keys_of_both(left, right)) {
    const json* in_left = find(left, key);
    const json* in_right = find(right, key);
    const bool both = in_left != nullptr && in_right != nullptr;
    if (both && *in_left == *in_right) continue;
    if (both && in_left->is_object() && in_right->is_object()) {
      return difference_below(prefix + key + ".", *in_left, *in_right);
    }
    return PlanDifference{prefix + key, shown(in_left), shown(in_right)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<PlanDifference> first_difference(const json& left, const json& right) {
  return difference_below("", left, right);
}

}  // namespace sotto
