#include "sotto/lipschitz/fixed_layers.h"

#include <ATen/ATen.h>
#include <c10/util/Type.h>
#include <torch/csrc/autograd/custom_function.h>

#include <typeinfo>

#include "grad/own_functions.h"
#include "sotto/core/error.h"

namespace sotto::lipschitz {
namespace {

// max and min of halves, by one comparison on either way.
class MaxMin : public torch::autograd::Function<MaxMin> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
    const auto halves = x.chunk(2, 1);
    context->save_for_backward({halves[0] >= halves[1]});
    at::Tensor result = at::empty_like(x, at::MemoryFormat::Contiguous);
    auto parts = result.chunk(2, 1);
    at::maximum_out(parts[0], halves[0], halves[1]);
    at::minimum_out(parts[1], halves[0], halves[1]);
    return result;
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const at::Tensor in_order = context->get_saved_variables()[0];
    const auto halves = gradients[0].chunk(2, 1);
    return {at::cat(
        {at::where(in_order, halves[0], halves[1]), at::where(in_order, halves[1], halves[0])}, 1)};
  }
};

[[maybe_unused]] const bool kMaxMinDeclared =
    grad::declare_sample_by_sample("CppNode<" + c10::demangle(typeid(MaxMin).name()) + '>');

}  // namespace

GroupSortImpl::GroupSortImpl(std::int64_t the_group) : group(the_group) {
  check_argument(group >= 2, "a group to sort has at least 2 features, got ", group);
}

// A group's members lie features/group apart: halves are then sorted by two passes over memory.
at::Tensor GroupSortImpl::forward(const at::Tensor& x) {
  check_argument(x.dim() >= 2 && x.size(1) % group == 0, "groups of ", group,
                 " do not divide the features");
  if (group == 2) return MaxMin::apply(x);
  auto sizes = x.sizes().vec();
  sizes[1] = x.size(1) / group;
  sizes.insert(sizes.begin() + 1, group);
  return std::get<0>(x.reshape(sizes).sort(1, /*descending=*/true)).reshape(x.sizes());
}

std::string GroupSortImpl::kind() const {
  return group == 2 ? "maxmin" : "group sort " + std::to_string(group);
}

}  // namespace sotto::lipschitz
