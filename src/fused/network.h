// The layers of a model, in order, and the slots between them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/convolution.h"
#include "fused/layer.h"
#include "fused/linear.h"
#include "fused/normalisation.h"
#include "fused/pooling.h"
#include "fused/shape.h"
#include "fused/vector_kernels.h"

namespace sotto::fused {

struct SlotInfo {
  std::int64_t size = 0;  // floats a sample
  // Kept for the whole batch, since a Linear layer's clipped sum is made of it at the end.
  bool batch_values = false;
  bool batch_gradient = false;
};

// Grows layer by layer; each call adds a layer behind the last one.
class Network {
 public:
  explicit Network(const Shape& input);

  // Shape of what the last layer gives.
  const Shape& shape() const { return shape_; }

  void add_convolution(ConvolutionOptions options, const Parameter& weight, const Parameter& bias);
  void add_linear(std::int64_t outputs, const Parameter& weight, const Parameter& bias);
  void add_activation(const Activation& function);
  void add_max_pooling(PoolingWindows windows);
  void add_average_pooling(PoolingWindows windows);
  void add_normalisation(NormalisationOptions options, const Parameter& scale,
                         const Parameter& shift);
  void add_dropout(double probability);
  void add_flatten();

  // A residual block: everything added between begin and middle is its body, between middle and end
  // its shortcut.
  void begin_residual();
  void middle_of_residual();
  void end_residual();
  // The body's output may be overwritten by the sum: it does not end in an activation.
  bool can_be_added_to() const { return overwritable_; }
  // The shortcut gives what the body gave.
  bool residual_fits() const { return shape_ == residuals_.back().body_shape; }

  const Shape& input_shape() const { return input_shape_; }
  Slot input() const { return 0; }
  Slot output() const { return slot_; }
  const std::vector<SlotInfo>& slots() const { return slots_; }
  const std::vector<std::unique_ptr<Layer>>& layers() const { return layers_; }
  const std::vector<Linear*>& linear_layers() const { return linear_layers_; }
  // Those of the layers that have a gradient to compute, last first.
  std::vector<const Layer*> backward_order() const;

 private:
  struct Residual {
    Slot body = 0;
    Slot shortcut = 0;
    Shape body_shape;
    Shape start_shape;
    bool shortcut_wants_gradient = false;
    bool body_wants_gradient = false;
  };

  Slot add_slot(std::int64_t size);
  Place next_place(std::int64_t output_size);
  Place place_for_elementwise(bool invertible);
  template <typename Added, typename... Arguments>
  Added& add(Arguments&&... arguments);

  Shape input_shape_;
  Shape shape_;
  Slot slot_ = 0;
  bool wants_gradient_ = false;  // a trained parameter has come before slot_
  bool overwritable_ = false;    // nobody needs slot_'s values but the layer to come
  std::vector<SlotInfo> slots_;
  std::vector<std::unique_ptr<Layer>> layers_;
  std::vector<Linear*> linear_layers_;
  std::vector<Residual> residuals_;
};

}  // namespace sotto::fused
