// For each operation: given which sample owns each element of its output, who owns its inputs.
//
// An operation without a rule, or one that would make an element of one sample depend on another
// sample, is refused: its gradients have no valid sensitivity.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "grad/graph_node.h"
#include "grad/sample_layout.h"

namespace sotto::grad {

// An input either has a sample for each element, or is shared by all samples (a function of
// parameters alone).
struct Owner {
  std::optional<SampleLayout> layout;  // nothing: shared

  bool shared() const { return !layout.has_value(); }
  bool operator==(const Owner&) const = default;
};

// Why an operation is refused, in words that follow its name.
class LayoutRefusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One output of a node, every element of which belongs to a sample.
struct OwnedOutput {
  const Node& node;
  std::size_t output = 0;
  std::int64_t samples = 0;  // >= 2
  SampleLayout layout = {};

  Shape shape() const { return output_shape(node, output); }
  // Throws LayoutRefusal if the samples do not lie within one axis.
  SampleAxis axis() const;
};

// The owner of every input (one an edge; meaningless for edges that lead nowhere). Throws
// LayoutRefusal.
std::vector<Owner> input_owners(const OwnedOutput& output);

}  // namespace sotto::grad
