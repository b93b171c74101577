#include "sotto/mechanisms/randomised_response.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/distributions.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

constexpr double kTail = 0.05;
constexpr double kRoundUp = 1 + 1e-14;

void check_probability(const char* what, double value) {
  check_argument(value >= 0 && value <= 1, what, " must be a probability, got ", value);
}

// |ln(a / b)|; two outcomes that cannot occur do not differ.
double log_ratio(double a, double b) {
  if (a == b) return 0;
  if (a == 0 || b == 0) return std::numeric_limits<double>::infinity();
  return std::abs(std::log(a / b)) * kRoundUp;
}

// An answer occurs with probability `if_true` or `if_false`; its share is between the two,
// linearly.
ShareEstimate estimate_share(std::int64_t count, std::int64_t answers, double if_true,
                             double if_false) {
  using Binomial = boost::math::binomial_distribution<double>;
  const auto n = static_cast<double>(answers);
  const auto found = static_cast<double>(count);
  const double slope = if_true - if_false;
  const double rate = found / n;
  const auto share = [&](double r) { return (r - if_false) / slope; };
  const double one = share(Binomial::find_lower_bound_on_p(n, found, kTail / 2));
  const double other = share(Binomial::find_upper_bound_on_p(n, found, kTail / 2));
  // With n - 1 the variance is unbiased.
  const double error = std::sqrt(rate * (1 - rate) / std::max(1.0, n - 1)) / std::abs(slope);
  return {share(rate), error, std::clamp(std::min(one, other), 0.0, 1.0),
          std::clamp(std::max(one, other), 0.0, 1.0)};
}

std::uint64_t draw_index(std::uint64_t limit, RandomSource& random) {
  const std::uint64_t whole = RandomSource::max() - RandomSource::max() % limit;
  while (true) {
    const std::uint64_t word = random();
    if (word < whole) return word % limit;
  }
}

}  // namespace

YesNoResponse::YesNoResponse(double yes_if_true, double yes_if_false)
    : yes_if_true_(yes_if_true), yes_if_false_(yes_if_false) {
  check_argument(yes_if_true != yes_if_false,
                 "the answer does not depend on the truth, so nothing could be learnt");
}

YesNoResponse YesNoResponse::forced_yes(double honest) {
  check_probability("honest", honest);
  return {1, 1 - honest};
}

YesNoResponse YesNoResponse::two_coins(double honest, double heads) {
  check_probability("honest", honest);
  check_probability("heads", heads);
  return {honest + (1 - honest) * heads, (1 - honest) * heads};
}

YesNoResponse YesNoResponse::contrary_question(double direct) {
  check_probability("direct", direct);
  return {direct, 1 - direct};
}

YesNoResponse YesNoResponse::for_epsilon(double epsilon) {
  check_argument(epsilon > 0 && epsilon <= 30, "epsilon must be in (0, 30], got ", epsilon);
  double lie = 1 / (1 + std::exp(epsilon));
  while (contrary_question(1 - lie).epsilon() > epsilon) lie *= 1 + 1e-14;
  return contrary_question(1 - lie);
}

bool YesNoResponse::respond(bool truth, RandomSource& random) const {
  return Bernoulli(truth ? yes_if_true_ : yes_if_false_)(random);
}

double YesNoResponse::epsilon() const {
  return std::max(log_ratio(yes_if_true_, yes_if_false_),
                  log_ratio(1 - yes_if_true_, 1 - yes_if_false_));
}

ShareEstimate YesNoResponse::estimate(std::int64_t yes, std::int64_t answers) const {
  check_argument(answers >= 1 && yes >= 0 && yes <= answers, "yes must be from 0 to the number of ",
                 "answers, which must be at least 1; got ", yes, " of ", answers);
  return estimate_share(yes, answers, yes_if_true_, yes_if_false_);
}

ChoiceResponse::ChoiceResponse(int choices, double epsilon) : choices_(choices) {
  check_argument(choices >= 2 && choices <= 1 << 20U, "choices must be from 2 to 2^20, got ",
                 choices);
  check_argument(epsilon >= 1e-9 && epsilon <= 30, "epsilon must be from 1e-9 to 30, got ",
                 epsilon);
  noise_probability_ = choices / (std::expm1(epsilon) + choices);
  while (this->epsilon() > epsilon && noise_probability_ < 1) {
    noise_probability_ = std::min(1.0, noise_probability_ * (1 + 1e-15));
  }
}

int ChoiceResponse::respond(int truth, RandomSource& random) const {
  check_argument(truth >= 0 && truth < choices_, "answer must be from 0 to ", choices_ - 1,
                 ", got ", truth);
  if (!Bernoulli(noise_probability_)(random)) return truth;
  return static_cast<int>(draw_index(static_cast<std::uint64_t>(choices_), random));
}

// ln(1 + k (1 - γ) / γ): 1 - γ is exact for γ >= 1/2, and rounded once otherwise.
double ChoiceResponse::epsilon() const {
  return std::log1p(choices_ * (1 - noise_probability_) / noise_probability_) * kRoundUp;
}

std::vector<ShareEstimate> ChoiceResponse::estimate(std::span<const std::int64_t> counts) const {
  check_argument(counts.size() == static_cast<std::size_t>(choices_), "counts must number ",
                 choices_, ", got ", counts.size());
  for (const auto count : counts) check_argument(count >= 0, "a count is negative: ", count);
  const auto answers = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  check_argument(answers >= 1, "there are no answers");
  const double other = noise_probability_ / choices_;
  std::vector<ShareEstimate> shares;
  for (const auto count : counts) {
    shares.push_back(estimate_share(count, answers, 1 - noise_probability_ + other, other));
  }
  return shares;
}

}  // namespace sotto::mechanisms
