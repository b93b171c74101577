#include "fused/network.h"

#include "fused/elementwise.h"

namespace sotto::fused {

Network::Network(const Shape& input) : input_shape_(input), shape_(input) {
  add_slot(input.size());
}

Slot Network::add_slot(std::int64_t size) {
  slots_.push_back({size});
  return static_cast<Slot>(slots_.size() - 1);
}

// From the present slot to a new one, which becomes the present one.
Place Network::next_place(std::int64_t output_size) {
  const Slot in = slot_;
  slot_ = add_slot(output_size);
  overwritable_ = true;
  return {in, slot_, wants_gradient_};
}

// In place where neither the layer itself nor the one before needs what is overwritten.
Place Network::place_for_elementwise(bool invertible) {
  if (!overwritable_ || !invertible) return next_place(shape_.size());
  return {slot_, slot_, wants_gradient_};
}

template <typename Added, typename... Arguments>
Added& Network::add(Arguments&&... arguments) {
  auto layer = std::make_unique<Added>(std::forward<Arguments>(arguments)...);
  auto& added = *layer;
  wants_gradient_ = wants_gradient_ || added.has_trained_parameter();
  layers_.push_back(std::move(layer));
  return added;
}

void Network::add_convolution(ConvolutionOptions options, const Parameter& weight,
                              const Parameter& bias) {
  options.input = shape_;
  shape_ = options.output();
  const Place place = next_place(shape_.size());
  add<Convolution>(options, place, weight, bias);
}

void Network::add_linear(std::int64_t outputs, const Parameter& weight, const Parameter& bias) {
  const std::int64_t inputs = shape_.size();
  shape_ = {1, 1, outputs};
  const Place place = next_place(outputs);
  auto& layer = add<Linear>(inputs, outputs, place, weight, bias);
  if (weight.wanted()) slots_[static_cast<std::size_t>(place.in)].batch_values = true;
  if (layer.has_trained_parameter()) {
    slots_[static_cast<std::size_t>(place.out)].batch_gradient = true;
    linear_layers_.push_back(&layer);
  }
}

void Network::add_activation(const Activation& function) {
  const Place place = place_for_elementwise(function.invertible());
  add<ActivationLayer>(function, shape_.size(), place);
  overwritable_ = !function.invertible();  // else its derivative is taken from its output
}

void Network::add_max_pooling(PoolingWindows windows) {
  shape_ = windows.output();
  const Place place = next_place(shape_.size());
  add<MaxPooling>(std::move(windows), place);
}

void Network::add_average_pooling(PoolingWindows windows) {
  shape_ = windows.output();
  const Place place = next_place(shape_.size());
  add<AveragePooling>(std::move(windows), place);
}

void Network::add_normalisation(NormalisationOptions options, const Parameter& scale,
                                const Parameter& shift) {
  const Place place = next_place(shape_.size());
  add<Normalisation>(std::move(options), place, scale, shift);
}

void Network::add_dropout(double probability) {
  const Place place = place_for_elementwise(true);
  add<Dropout>(probability, shape_.size(), place);
}

void Network::add_flatten() {
  const Shape before = shape_;
  shape_ = {1, 1, before.size()};
  if (before.pixels() == 1 || before.channels == 1) return;  // the order is the same
  const Place place = next_place(shape_.size());
  add<Flatten>(before, place);
}

void Network::begin_residual() {
  Residual residual;
  residual.start_shape = shape_;
  residual.shortcut = add_slot(shape_.size());
  residual.shortcut_wants_gradient = wants_gradient_;
  add<Fork>(shape_.size(), Place{slot_, residual.shortcut, wants_gradient_});
  residuals_.push_back(residual);
}

void Network::middle_of_residual() {
  auto& residual = residuals_.back();
  residual.body = slot_;
  residual.body_shape = shape_;
  residual.body_wants_gradient = wants_gradient_;
  slot_ = residual.shortcut;
  shape_ = residual.start_shape;
  wants_gradient_ = residual.shortcut_wants_gradient;
  overwritable_ = true;
}

void Network::end_residual() {
  const Residual residual = residuals_.back();
  residuals_.pop_back();
  add<Join>(shape_.size(), Place{slot_, residual.body, wants_gradient_});
  slot_ = residual.body;
  wants_gradient_ = wants_gradient_ || residual.body_wants_gradient;
  overwritable_ = true;
}

std::vector<const Layer*> Network::backward_order() const {
  std::vector<const Layer*> order;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if ((*layer)->wants_backward()) order.push_back(layer->get());
  }
  return order;
}

}  // namespace sotto::fused
