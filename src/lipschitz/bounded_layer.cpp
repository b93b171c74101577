#include "sotto/lipschitz/bounded_layer.h"

#include "sotto/core/error.h"

namespace sotto::lipschitz {

double OneBranchLayer::only(const Norms& norms) const {
  check_argument(norms.size() == 1, kind(), ": takes one branch, got ", norms.size());
  return norms.front();
}

}  // namespace sotto::lipschitz
