#include "train/optimizer_state.h"

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <memory>
#include <stdexcept>
#include <type_traits>

#include "grad/libtorch/optimizer_key.h"
#include "sotto/core/error.h"
#include "train/weight_tensors.h"

namespace sotto::train {
namespace {

using torch::optim::Optimizer;
using weights::WeightFile;

// Shows each number that a state holds to `visit`, by name.
template <typename Visit>
void visit_fields(torch::optim::SGDParamState& state, Visit visit) {
  visit("momentum_buffer", state.momentum_buffer());
}
template <typename State, typename Visit>
void visit_moments(State& state, Visit visit) {
  visit("step", state.step());
  visit("exp_avg", state.exp_avg());
  visit("exp_avg_sq", state.exp_avg_sq());
  visit("max_exp_avg_sq", state.max_exp_avg_sq());
}
template <typename Visit>
void visit_fields(torch::optim::AdamParamState& state, Visit visit) {
  visit_moments(state, visit);
}
template <typename Visit>
void visit_fields(torch::optim::AdamWParamState& state, Visit visit) {
  visit_moments(state, visit);
}
template <typename Visit>
void visit_fields(torch::optim::RMSpropParamState& state, Visit visit) {
  visit("step", state.step());
  visit("square_avg", state.square_avg());
  visit("momentum_buffer", state.momentum_buffer());
  visit("grad_avg", state.grad_avg());
}

// Calls `use` with the type of state that this optimizer keeps.
template <typename Use>
void with_state_type(const Optimizer& optimizer, Use use) {
  if (dynamic_cast<const torch::optim::SGD*>(&optimizer) != nullptr) {
    use(std::type_identity<torch::optim::SGDParamState>());
  } else if (dynamic_cast<const torch::optim::Adam*>(&optimizer) != nullptr) {
    use(std::type_identity<torch::optim::AdamParamState>());
  } else if (dynamic_cast<const torch::optim::AdamW*>(&optimizer) != nullptr) {
    use(std::type_identity<torch::optim::AdamWParamState>());
  } else if (dynamic_cast<const torch::optim::RMSprop*>(&optimizer) != nullptr) {
    use(std::type_identity<torch::optim::RMSpropParamState>());
  } else {
    throw std::logic_error("checkpoints know SGD, Adam, AdamW and RMSprop");
  }
}

// With each parameter's prefix.
template <typename Use>
void for_each_parameter(const Optimizer& optimizer, const std::string& prefix, Use use) {
  std::size_t number = 0;
  for (const auto& group : optimizer.param_groups()) {
    for (const auto& parameter : group.params()) {
      use(parameter, prefix + std::to_string(number++) + ".");
    }
  }
}

class FieldWriter {
 public:
  FieldWriter(WeightFile& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}
  void operator()(const char* name, const at::Tensor& tensor) const {
    if (tensor.defined()) add_tensor(file_, prefix_ + name, stored_of(tensor));
  }
  void operator()(const char* name, std::int64_t number) const {
    add_tensor(file_, prefix_ + name, stored_of(at::scalar_tensor(number, at::kLong)));
  }

 private:
  WeightFile& file_;
  std::string prefix_;
};

class FieldReader {
 public:
  FieldReader(const WeightFile& file, std::string prefix, const at::Tensor& parameter,
              std::size_t& read)
      : file_(file), prefix_(std::move(prefix)), parameter_(parameter), read_(read) {}

  void operator()(const char* name, at::Tensor& tensor) const {
    const auto found = file_.tensors.find(prefix_ + name);
    if (found == file_.tensors.end()) return;
    const at::Tensor stored = tensor_of(found->second);
    check_argument(
        stored.sizes() == parameter_.sizes() && stored.scalar_type() == parameter_.scalar_type(),
        "an optimizer's tensor has another shape than its parameter");
    tensor = stored.contiguous();
    ++read_;
  }
  void operator()(const char* name, std::int64_t& number) const {
    const auto found = file_.tensors.find(prefix_ + name);
    if (found == file_.tensors.end()) return;
    const at::Tensor stored = tensor_of(found->second);
    check_argument(stored.dim() == 0 && stored.scalar_type() == at::kLong,
                   "an optimizer's count is not a whole number");
    number = stored.item<std::int64_t>();
    check_argument(number >= 0, "an optimizer's count is negative");
    ++read_;
  }

 private:
  const WeightFile& file_;
  std::string prefix_;
  const at::Tensor& parameter_;
  std::size_t& read_;
};

std::size_t tensors_behind(const WeightFile& file, const std::string& prefix) {
  std::size_t count = 0;
  for (const auto& [name, tensor] : file.tensors) count += name.starts_with(prefix) ? 1 : 0;
  return count;
}

}  // namespace

void add_optimizer_state(const Optimizer& optimizer, const std::string& prefix, WeightFile& file) {
  with_state_type(optimizer, [&](auto type) {
    using State = typename decltype(type)::type;
    for_each_parameter(optimizer, prefix, [&](const at::Tensor& parameter, const auto& own) {
      const auto found = optimizer.state().find(grad::optimizer_key(parameter, optimizer.state()));
      if (found == optimizer.state().end()) return;
      visit_fields(static_cast<State&>(*found->second), FieldWriter(file, own));
    });
  });
}

void read_optimizer_state(const WeightFile& file, const std::string& prefix, Optimizer& optimizer) {
  std::size_t read = 0;
  with_state_type(optimizer, [&](auto type) {
    using State = typename decltype(type)::type;
    for_each_parameter(optimizer, prefix, [&](const at::Tensor& parameter, const auto& own) {
      if (tensors_behind(file, own) == 0) return;
      auto state = std::make_unique<State>();
      visit_fields(*state, FieldReader(file, own, parameter, read));
      optimizer.state()[grad::optimizer_key(parameter, optimizer.state())] = std::move(state);
    });
  });
  check_argument(read == tensors_behind(file, prefix),
                 "an optimizer's tensor belongs to no parameter");
}

bool remembers_own_parameters(const Optimizer& optimizer) {
  std::size_t own = 0;
  for_each_parameter(optimizer, "", [&](const at::Tensor& parameter, const auto&) {
    const auto found = optimizer.state().find(grad::optimizer_key(parameter, optimizer.state()));
    if (found != optimizer.state().end() && found->second) ++own;
  });
  return own == optimizer.state().size();
}

}  // namespace sotto::train
