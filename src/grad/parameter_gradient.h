// All uses of one parameter, and what they add up to.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grad/outer_products.h"
#include "grad/shared_subgraph.h"
#include "grad/shared_use.h"

namespace sotto::grad {

class ParameterGradient {
 public:
  ParameterGradient(at::Tensor parameter, std::int64_t samples);

  // `chain` leads from the used tensor to the parameter; without it the gradient is carried through
  // the graph below `shared`, sample by sample.
  void add(std::shared_ptr<SharedUse> use, std::optional<ViewChain> chain, Edge shared);

  // (N), double.
  at::Tensor squared_norms();
  // The samples' gradients times their factors, added up without rounding: *shape, double.
  at::Tensor exact_sum(const ExactFactors& factors) const;
  // (end - begin, *shape).
  at::Tensor per_sample(std::int64_t begin, std::int64_t end) const;
  void discard(const at::Tensor& bad);
  // False if one sample that is not finite can make the gradients of others so.
  bool isolates() const;

 private:
  struct Use {
    std::shared_ptr<SharedUse> use;
    std::optional<ViewChain> chain;
    Edge shared;
  };

  std::vector<const OuterProductUse*> alike_products() const;
  void join_stored_uses();
  at::Tensor ghost_norms() const;
  at::Tensor norms_by_writing_out();
  at::Tensor sum_by_writing_out(const ExactFactors& factors) const;
  at::Tensor carried_through_graph(const Use& use, const at::Tensor& gradient) const;

  at::Tensor parameter_;
  std::int64_t samples_;
  std::vector<Use> uses_;
  // What the norms were taken of: the sum must be of the same gradients, to the last bit or up to
  // what the norm allows for.
  enum class Source : std::uint8_t { kUse, kWriters, kRows };
  Source source_ = Source::kUse;
  at::Tensor kept_;  // (N, *shape) if it was written out for the norms and is small
};

}  // namespace sotto::grad
