// Layers of every kind that has a rule, in random shapes and settings, for rapidcheck's properties.
// They draw from rapidcheck, so call them inside a property only.
#pragma once

#include <rapidcheck.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/grad/oracle.h"

namespace sotto::grad {

struct AnyLayer {
  Layer layer;
  std::string description;  // its settings, for the report of a failure
};

// Uniform on {low, ..., high}.
inline std::int64_t any_of_range(std::int64_t low, std::int64_t high) {
  return *rc::gen::inRange<std::int64_t>(low, high + 1);
}
inline bool any_bool() { return *rc::gen::arbitrary<bool>(); }
std::vector<std::int64_t> any_sizes(std::size_t count, std::int64_t low, std::int64_t high);

template <typename... Values>
std::string describe(const Values&... values) {
  std::ostringstream text;
  ((text << values << ' '), ...);
  return text.str();
}

AnyLayer any_linear();
AnyLayer any_embedding();
// With offsets: the indices of all bags in one row.
AnyLayer any_embedding_bag(bool offsets);
AnyLayer any_layer_norm();
AnyLayer any_group_norm();
AnyLayer any_instance_norm();
AnyLayer any_prelu();
AnyLayer any_arithmetic();

AnyLayer any_conv1d();
AnyLayer any_conv2d();
AnyLayer any_conv3d();
AnyLayer any_conv_transpose1d();
AnyLayer any_conv_transpose2d();
AnyLayer any_conv_transpose3d();

AnyLayer any_rnn();
AnyLayer any_gru();
AnyLayer any_lstm();
AnyLayer any_attention();
AnyLayer any_encoder_layer();

}  // namespace sotto::grad
