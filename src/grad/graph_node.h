// Reading LibTorch's autograd graph.
//
// A node is the backward function of one operation. Its "inputs" in LibTorch's words are the
// gradients of the operation's outputs; here `output` always means the forward output, and `input`
// the forward input that a next edge leads to.
#pragma once

#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>

#include <cstddef>
#include <string>

#include "grad/sample_layout.h"

namespace sotto::grad {

using torch::autograd::Edge;
using torch::autograd::Node;

Shape output_shape(const Node& node, std::size_t output);
// The shape of the forward input behind a valid next edge.
inline Shape input_shape(const Edge& edge) { return output_shape(*edge.function, edge.input_nr); }

// The node's name without "torch::autograd::".
std::string node_name(const Node& node);
// The parameter whose gradient this node accumulates; undefined for every other node.
at::Tensor accumulated_parameter(const Node& node);

}  // namespace sotto::grad
