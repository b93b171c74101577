#include "grad/libtorch/stepwise_lstm.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/lstm_native.h>
#include <torch/library.h>
#include <torch/version.h>

#include <atomic>
#include <mutex>
#include <tuple>

namespace sotto::grad {
namespace {

std::atomic<int> alive{0};

#if TORCH_VERSION_MAJOR >= 2
std::mutex switching;
int switched_off = 0;  // threads that want it so
bool before = true;

// LibTorch asks a switch of the whole process whether to take oneDNN's way.
class WithoutOneDnn {
 public:
  WithoutOneDnn() {
    const std::lock_guard lock(switching);
    if (switched_off++ > 0) return;
    before = at::globalContext().userEnabledMkldnn();
    at::globalContext().setUserEnabledMkldnn(false);
  }
  ~WithoutOneDnn() {
    const std::lock_guard lock(switching);
    if (--switched_off == 0) at::globalContext().setUserEnabledMkldnn(before);
  }
  WithoutOneDnn(const WithoutOneDnn&) = delete;
  WithoutOneDnn& operator=(const WithoutOneDnn&) = delete;
};

using States = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

States lstm(const at::Tensor& input, at::TensorList states, at::TensorList parameters, bool biases,
            std::int64_t layers, double dropout, bool training, bool both_ways, bool batch_first) {
  const auto computed = [&] {
    return at::native::lstm(input, states, parameters, biases, layers, dropout, training, both_ways,
                            batch_first);
  };
  if (alive.load() == 0) return computed();
  const WithoutOneDnn steps;
  return computed();
}
#endif

}  // namespace

StepwiseLstm::StepwiseLstm() { ++alive; }
StepwiseLstm::~StepwiseLstm() { --alive; }

#if TORCH_VERSION_MAJOR >= 2
TORCH_LIBRARY_IMPL(aten, AutogradCPU, library) { library.impl("lstm.input", lstm); }
#endif

}  // namespace sotto::grad
