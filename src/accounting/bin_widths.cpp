#include "accounting/bin_widths.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto::accounting {

namespace {
// A tail with this share of the tilted mass may use bins of one cell; thinner ones wider bins.
constexpr double kThinShare = 1e-3;
constexpr double kThinnest = 1e-300;
constexpr double kRelativeWidth = 0.01;
}  // namespace

BinWidths::BinWidths(std::vector<LossAtom> coarse, const std::vector<double>& tilts)
    : tilt_(*std::max_element(tilts.begin(), tilts.end())) {
  std::sort(coarse.begin(), coarse.end(),
            [](const LossAtom& a, const LossAtom& b) { return a.loss < b.loss; });
  for (const auto& atom : coarse) losses_.push_back(atom.loss);
  smaller_tails_.resize(coarse.size());
  for (const double tilt : tilts) include_tilt(coarse, tilt);
}

void BinWidths::include_tilt(const std::vector<LossAtom>& coarse, double tilt) {
  const std::size_t count = coarse.size();
  std::vector<double> weights(count);
  double high = -1e308;
  for (const auto& atom : coarse) high = std::max(high, tilt * atom.loss + std::log(atom.mass));
  for (std::size_t i = 0; i < count; ++i) {
    weights[i] = std::exp(tilt * coarse[i].loss + std::log(coarse[i].mass) - high);
  }
  std::vector<double> up_to(count);
  std::partial_sum(weights.begin(), weights.end(), up_to.begin());
  const double total = count > 0 ? up_to.back() : 1;
  double from = 0;
  for (std::size_t i = count; i-- > 0;) {
    from += weights[i];
    smaller_tails_[i] = std::max(smaller_tails_[i], std::min(up_to[i], from) / total);
    if (up_to[i] >= total / 2) centre_ = losses_[i];
  }
}

double BinWidths::widest(double loss, double mesh) const {
  const auto after = std::lower_bound(losses_.begin(), losses_.end(), loss);
  const auto i = static_cast<std::size_t>(after - losses_.begin());
  double tail = kThinnest;
  if (i > 0) tail = std::max(tail, smaller_tails_[i - 1]);
  if (i < losses_.size()) tail = std::max(tail, smaller_tails_[i]);
  // First, the variance that the bin adds; second, the growth of e^{λL} across it. Above the bulk
  // that growth stays small even for several times λ, since tail bounds use such tilts; below it,
  // a bin may grow as long as its upper end stays thin.
  const double by_variance = mesh * std::sqrt(kThinShare / tail);
  if (loss < centre_) {
    const double growth = std::max(0.1, std::log(kThinShare / tail) / 4);
    return std::min(by_variance, growth / tilt_);
  }
  // Third, rare large losses: where sampling is rare they decide δ although their tilted mass is
  // thin, and their density falls like a high power of the loss.
  const double by_power = kRelativeWidth * (loss - centre_);
  return std::min({by_variance, 0.1 / tilt_, std::max(by_power, mesh)});
}

std::int64_t BinWidths::cells_above(double loss, double mesh) const {
  if (losses_.empty()) return 1;
  double width = widest(loss, mesh);
  // The far end must be thin too, and a bin must not step over the bulk.
  if (loss < centre_) width = std::min(width, (centre_ - loss) / 2);
  while (width > mesh && widest(loss + width, mesh) < width) width /= 2;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(width / mesh));
}

std::int64_t BinWidths::cells_below(double loss, double mesh) const {
  if (losses_.empty()) return 1;
  double width = widest(loss, mesh);
  if (loss > centre_) width = std::min(width, (loss - centre_) / 2);
  while (width > mesh && widest(loss - width, mesh) < width) width /= 2;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(width / mesh));
}

}  // namespace sotto::accounting
