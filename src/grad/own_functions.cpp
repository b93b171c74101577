#include "grad/own_functions.h"

#include <unordered_set>

namespace sotto::grad {
namespace {

std::unordered_set<std::string>& declared() {
  static std::unordered_set<std::string> names;
  return names;
}

}  // namespace

bool declare_sample_by_sample(const std::string& node_name) {
  declared().insert(node_name);
  return true;
}

bool is_sample_by_sample(const std::string& node_name) { return declared().contains(node_name); }

}  // namespace sotto::grad
