#include <ATen/ATen.h>
#include <torch/csrc/autograd/variable.h>

#include "grad/rules/rules.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

class MaskedUse final : public SharedUse {
 public:
  explicit MaskedUse(const UseOf& use)
      : node_(use.boundary.node),
        input_(use.boundary.input),
        output_(use.boundary.output),
        gradient_(use.gradient),
        samples_(use.samples),
        layout_(use.boundary.layout),
        shape_(use.shape()) {}

  Tensor per_sample(std::int64_t begin, std::int64_t end) const override {
    std::vector<Tensor> gradients;
    for (std::int64_t i = begin; i < end; ++i) {
      Tensor one = at::zeros({samples_}, gradient_.options());
      one[i] = 1;
      gradients.push_back(backward(one));
    }
    return at::stack(gradients);
  }

  // The operation's own backward multiplies a zero gradient with whatever it saved, NaN included.
  bool isolates() const override { return false; }

  void discard(const Tensor& bad) override {
    gradient_ = by_sample().masked_fill(bad.reshape({1, -1, 1}), 0).reshape(gradient_.sizes());
  }

 private:
  Tensor by_sample() const { return gradient_.reshape({layout_.outer, samples_, layout_.inner}); }

  Tensor backward(const Tensor& factors) const {
    torch::autograd::variable_list gradients(node_->num_inputs());
    const Tensor c = factors.reshape({1, -1, 1});
    gradients[output_] =
        (by_sample() * c).masked_fill(c == 0, 0).reshape(gradient_.sizes());  // 0·NaN is not 0
    const Tensor result = (*node_)(std::move(gradients))[input_];
    if (!result.defined()) return at::zeros(shape_, gradient_.options());
    return at::sum_to(result, shape_);  // a broadcast operand's gradient may still be unreduced
  }

  NodePointer node_;
  std::size_t input_;
  std::size_t output_;
  Tensor gradient_;
  std::int64_t samples_;
  SampleLayout layout_;
  Shape shape_;
};

}  // namespace

std::unique_ptr<SharedUse> masked_use(const UseOf& use) { return std::make_unique<MaskedUse>(use); }

}  // namespace sotto::grad
