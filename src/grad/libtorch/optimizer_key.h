// How LibTorch's optimizers name the state of a parameter.
#pragma once

#include <ATen/core/Tensor.h>

#include <sstream>
#include <string>
#include <type_traits>

namespace sotto::grad {

// The key of a parameter in `optimizer.state()`: its address, in early releases as text.
template <typename States>
auto optimizer_key(const at::Tensor& parameter, const States&) {
  using Key = typename States::key_type;
  if constexpr (std::is_same_v<Key, std::string>) {
    std::ostringstream text;
    text << parameter.unsafeGetTensorImpl();
    return text.str();
  } else {
    return static_cast<Key>(parameter.unsafeGetTensorImpl());
  }
}

}  // namespace sotto::grad
