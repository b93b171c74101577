#include "lipschitz/registered.h"

#include "sotto/core/error.h"

namespace sotto::lipschitz {

void require_registered(const torch::nn::Module& module, const std::string& name,
                        const at::Tensor& used) {
  const auto parameters = module.named_parameters(/*recurse=*/false);
  const auto* registered = parameters.find(name);
  check_argument(registered != nullptr && registered->is_same(used), module.name(), ": its ", name,
                 " was replaced by another tensor, whose gradient nothing bounds; copy values "
                 "instead");
}

}  // namespace sotto::lipschitz
