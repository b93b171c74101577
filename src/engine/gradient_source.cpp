#include "engine/gradient_source.h"

#include <string>

namespace sotto {

void require_isolated_samples(const grad::PerSampleGradients& gradients) {
  std::string parameter;
  if (gradients.isolates_samples(&parameter)) return;
  throw grad::NotSeparable(
      "parameter '" + parameter +
      "' is used by an operation without a rule for single samples, where one "
      "sample that is not finite would spoil all others; give physical batches "
      "of 1, or write it with other operations");
}

}  // namespace sotto
