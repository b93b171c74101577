#include "tests/lipschitz/loss_cases.h"

#include <algorithm>

namespace sotto::lipschitz {

using torch::Tensor;

std::vector<LossCase> loss_cases() {
  std::vector<LossCase> cases;
  for (const double value : {0.01, 1.0, 30.0}) {
    for (const auto kind :
         {LossKind::kCrossEntropy, LossKind::kMulticlassHinge, LossKind::kMeanAbsoluteError,
          LossKind::kCosine, LossKind::kKr, LossKind::kHkr}) {
      for (const std::int64_t classes : {2, 3, 10}) {
        cases.push_back({{kind, value, value, value, value}, classes});
      }
    }
    for (const auto kind : {LossKind::kBinaryCrossEntropy, LossKind::kHinge}) {
      cases.push_back({{kind, value, value, value, value}, 1});
    }
  }
  return cases;
}

Tensor awkward_scores(std::int64_t classes) {
  std::vector<Tensor> all;
  for (const double scale : {1e-40, 1e-30, 1e-4, 0.1, 1.0, 10.0, 1e4, 1e30}) {
    all.push_back(torch::randn({40, classes}) * scale);
    all.push_back(torch::full({2, classes}, scale));
  }
  all.push_back(torch::zeros({2, classes}));
  return torch::cat(all);
}

Tensor random_labels(std::int64_t samples, std::int64_t classes) {
  return torch::randint(std::max<std::int64_t>(2, classes), {samples}, torch::kLong);
}

}  // namespace sotto::lipschitz
