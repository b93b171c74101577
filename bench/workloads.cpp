#include "bench/workloads.h"

#include <algorithm>

#include "sotto/core/error.h"
#include "sotto/models/models.h"
#include "train/benchmark_networks.h"

namespace sotto::bench {
namespace {

void require_known(const std::string& name) {
  const auto& names = workload_names();
  check_argument(std::find(names.begin(), names.end(), name) != names.end(), "workload '", name,
                 "': accepted are cnn, mlp, vgg-head, resnet20, lstm and transformer");
}

train::Network named_model(const std::string& name, const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t kClasses = 10;
  return train::Network::of(models::make_model(name, {shape, kClasses}), shape, kClasses);
}

train::Network network_named(const std::string& name, std::int64_t scale) {
  if (name == "cnn") return named_model(name, {1, 28, 28});
  if (name == "resnet20") return named_model(name, {3, 32, 32});
  return train::make_benchmark_network(name == "mlp" ? "wide-mlp" : name, scale);
}

}  // namespace

const std::vector<std::string>& workload_names() {
  static const std::vector<std::string> names = {"cnn",      "mlp",  "vgg-head",
                                                 "resnet20", "lstm", "transformer"};
  return names;
}

std::vector<std::int64_t> batch_sizes_of(const std::string& name) {
  require_known(name);
  if (name == "cnn" || name == "mlp") return {64, 256, 1024};
  if (name == "vgg-head") return {16, 64};
  return {64};
}

train::Workload make_workload(const std::string& name, std::int64_t batch, std::int64_t scale) {
  require_known(name);
  return {network_named(name, scale), batch};
}

}  // namespace sotto::bench
