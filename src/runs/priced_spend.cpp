#include "runs/priced_spend.h"

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>

#include "plan/plan_json.h"

namespace sotto::runs {
namespace {

// Everything that the price follows from.
using PricedKey = std::tuple<std::string, std::int64_t, std::int64_t, double>;

class KnownPrices {
 public:
  std::optional<accounting::PrivacyCost> find(const PricedKey& key) {
    const std::lock_guard lock(mutex_);
    const auto place = prices_.find(key);
    return place == prices_.end() ? std::nullopt : std::optional(place->second);
  }

  void add(const PricedKey& key, const accounting::PrivacyCost& cost) {
    const std::lock_guard lock(mutex_);
    if (prices_.size() >= kMost) prices_.clear();
    prices_.emplace(key, cost);
  }

 private:
  static constexpr std::size_t kMost = 4096;  // about 2 MB

  std::mutex mutex_;
  std::map<PricedKey, accounting::PrivacyCost> prices_;
};

KnownPrices& known_prices() {
  static KnownPrices prices;
  return prices;
}

}  // namespace

accounting::PrivacyCost priced(const Spend& spend, double delta) {
  const PricedKey key{json_of(spend.plan).dump(), spend.steps, spend.searches, delta};
  if (const auto known = known_prices().find(key)) return *known;
  const auto cost = spend.cost_at_delta(delta);
  known_prices().add(key, cost);
  return cost;
}

}  // namespace sotto::runs
