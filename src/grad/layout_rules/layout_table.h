// Which rule says who owns an operation's inputs: the table, and the families that fill it.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <vector>

#include "grad/layout_rules.h"

namespace sotto::grad {

using Owners = std::vector<Owner>;  // one an input
using LayoutRule = std::function<Owners(const OwnedOutput&)>;

// By the name of the backward node.
class LayoutTable {
 public:
  void add(std::initializer_list<const char*> nodes, const LayoutRule& rule) {
    for (const auto* node : nodes) rules_.emplace(node, rule);
  }
  // Null if there is none.
  const LayoutRule* find(const std::string& node) const {
    const auto rule = rules_.find(node);
    return rule == rules_.end() ? nullptr : &rule->second;
  }

 private:
  std::unordered_map<std::string, LayoutRule> rules_;
};

// One family a file.
void add_elementwise_layouts(LayoutTable& table);
void add_shape_layouts(LayoutTable& table);
void add_axis_layouts(LayoutTable& table);
void add_layer_layouts(LayoutTable& table);

}  // namespace sotto::grad
