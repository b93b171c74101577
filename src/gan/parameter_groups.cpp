#include "gan/parameter_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/counted.h"
#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

struct Cluster {
  ClipGroup group;
  bool bias = false;
};

struct Pair {
  std::size_t first = 0;
  std::size_t second = 0;
  double ratio = std::numeric_limits<double>::infinity();
};

double ratio(const Cluster& one, const Cluster& other) {
  return std::max(one.group.bound, other.group.bound) /
         std::min(one.group.bound, other.group.bound);
}

Pair most_alike(const std::vector<Cluster>& clusters, bool of_one_kind) {
  Pair best;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (std::size_t j = i + 1; j < clusters.size(); ++j) {
      if (of_one_kind && clusters[i].bias != clusters[j].bias) continue;
      const double r = ratio(clusters[i], clusters[j]);
      if (r < best.ratio) best = {i, j, r};
    }
  }
  return best;
}

void join(std::vector<Cluster>& clusters, const Pair& pair) {
  auto& kept = clusters[pair.first].group;
  const auto& gone = clusters[pair.second].group;
  kept.parameters.insert(kept.parameters.end(), gone.parameters.begin(), gone.parameters.end());
  kept.bound = std::hypot(kept.bound, gone.bound);
  clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(pair.second));
}

}  // namespace

std::vector<ClipGroup> cluster_parameters(const std::vector<double>& bounds,
                                          const std::vector<std::string>& names,
                                          std::int64_t count) {
  check_argument(count >= 1 && count <= static_cast<std::int64_t>(bounds.size()), "groups ", count,
                 ": the critic has ", counted(bounds.size(), "parameter tensor"),
                 "; expected 1 to ", bounds.size());
  std::vector<Cluster> clusters;
  for (std::size_t p = 0; p < bounds.size(); ++p) {
    clusters.push_back({{{p}, std::clamp(bounds[p], 1e-9, 1e9)}, names[p].ends_with("bias")});
  }
  while (static_cast<std::int64_t>(clusters.size()) > count) {
    Pair pair = most_alike(clusters, /*of_one_kind=*/true);
    if (!std::isfinite(pair.ratio)) pair = most_alike(clusters, /*of_one_kind=*/false);
    join(clusters, pair);
  }
  std::vector<ClipGroup> groups;
  for (auto& cluster : clusters) groups.push_back(std::move(cluster.group));
  return groups;
}

}  // namespace sotto::gan
