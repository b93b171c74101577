#include "engine/one_time_release.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "engine/clipped_rows.h"
#include "sotto/core/error.h"

namespace sotto {
namespace {

const OneTimeRelease& planned_release(const std::string& name, const Plan& plan) {
  const auto& planned = plan.options().releases;
  const auto found = std::find_if(planned.begin(), planned.end(),
                                  [&](const auto& release) { return release.name == name; });
  check_argument(found != planned.end(), "release '", name, "' is not in the plan");
  return *found;
}

}  // namespace

at::Tensor release_once(const std::string& name, const at::Tensor& rows, const Plan& plan,
                        Charges& charges, Noise& noise) {
  const auto& release = planned_release(name, plan);
  check_argument(rows.dim() == 2 && rows.size(0) == plan.dataset_size(), "release '", name,
                 "': expected one row for each of ", plan.dataset_size(), " records, got shape ",
                 rows.sizes());
  charges.claim_release(name);
  ClippedRowSums sums(1, 1);
  sums.add(rows, at::zeros({rows.size(0)}, at::kLong));
  charges.charge_release(release);
  return noise.release(sums.sums()[0], sums.unit(), release.noise_multiplier, 1, at::kDouble);
}

}  // namespace sotto
