// One layer of a fused program.
#pragma once

#include <cstdint>
#include <vector>

#include "fused/tile.h"

namespace sotto::fused {

// A parameter by its number in the program; kNone where a layer has none.
constexpr int kNone = -1;

struct Parameter {
  int number = kNone;
  bool trained = true;

  bool exists() const { return number != kNone; }
  bool wanted() const { return exists() && trained; }
};

// By parameter number, as the model stores them; frozen ones included.
using ParameterValues = std::vector<const float*>;

// A gradient of `size` floats that a layer writes out for every sample.
struct WrittenGradient {
  int parameter = kNone;
  std::int64_t size = 0;
};

// Between which slots a layer stands.
struct Place {
  Slot in = 0;
  Slot out = 0;
  bool wants_input_gradient = true;  // a trained parameter comes before it
};

// Layers hold no state of a tile: one object serves all threads.
class Layer {
 public:
  explicit Layer(const Place& place) : place_(place) {}
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  // Once: the most samples that a tile will hold.
  virtual void fit(std::int64_t /*tile_samples*/) {}
  // Once a step, before any tile.
  virtual void prepare(const ParameterValues& /*parameters*/) {}
  // Reads the input slot, writes the output slot.
  virtual void forward(const Tile& tile) const = 0;
  // Reads the output's gradient; writes the input's if somebody needs it, the squared norms of the
  // samples' parameter gradients, and those gradients themselves.
  virtual void backward(const Tile& tile) const = 0;
  // False if backward() has nothing to do.
  bool wants_backward() const { return place_.wants_input_gradient || has_trained_parameter(); }
  virtual bool has_trained_parameter() const { return !written_gradients().empty(); }
  const Place& place() const { return place_; }

  // Floats a sample that forward() leaves for backward().
  virtual std::int64_t kept_size() const { return 0; }
  // Floats a sample to work in.
  virtual std::int64_t scratch_size() const { return 0; }

  virtual std::vector<WrittenGradient> written_gradients() const { return {}; }
  // From the layout in which gradients are written to the parameter's own: out += sum.
  virtual void add_to_parameter(int /*parameter*/, const float* /*sum*/, float* /*out*/) const {}
  virtual void add_to_parameter(int /*parameter*/, const std::int32_t* /*sum*/,
                                double* /*out*/) const {}

  // Where this layer's things are in a tile; set once by the program.
  void settle(std::size_t number, std::size_t first_written) {
    number_ = number;
    first_written_ = first_written;
  }

 protected:
  float* input(const Tile& tile) const { return tile.value(place_.in); }
  float* output(const Tile& tile) const { return tile.value(place_.out); }
  float* input_gradient(const Tile& tile) const { return tile.gradient(place_.in); }
  const float* output_gradient(const Tile& tile) const { return tile.gradient(place_.out); }
  float* kept(const Tile& tile) const { return tile.kept[number_]; }
  float* written(const Tile& tile, std::size_t which) const {
    return tile.written[first_written_ + which];
  }

 private:
  Place place_;
  std::size_t number_ = 0;
  std::size_t first_written_ = 0;
};

// Values of a parameter; null if there is none.
inline const float* values_of(const Parameter& parameter, const ParameterValues& all) {
  return parameter.exists() ? all[static_cast<std::size_t>(parameter.number)] : nullptr;
}

}  // namespace sotto::fused
