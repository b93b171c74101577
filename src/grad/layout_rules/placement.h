// Where the samples of an operation's inputs lie, given their axis: what the rules are made of.
#pragma once

#include <cstdint>

#include "grad/layout_rules/layout_table.h"

namespace sotto::grad {

constexpr const char* kMixes = "mixes the samples of a batch";

// An axis counted from the end, if `dim` is negative, as one counted from the front.
inline std::size_t wrap(std::int64_t dim, std::size_t rank) {
  return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim);
}

// Every input has the output's elements in the same order.
Owners same_elements(const OwnedOutput& out);
// The input behind `edge` has its samples at `axis`. Throws LayoutRefusal if its shape says no.
Owner owner_at(const Edge& edge, const SampleAxis& axis, std::int64_t samples);
// Input 0 has its samples at `axis`; all others are shared.
Owners first_input_at(const OwnedOutput& out, const SampleAxis& axis);
Owners all_inputs_at(const OwnedOutput& out, const SampleAxis& axis);
// An input that is broadcast to the output's shape: axes are matched from the last.
Owner broadcast_owner(const OwnedOutput& out, const Edge& edge);

}  // namespace sotto::grad
