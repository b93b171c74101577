#include "report/meaning_json.h"

#include <cmath>

#include "core/json_number.h"
#include "sotto/accounting/tradeoff_curve.h"

namespace sotto::report {

nlohmann::ordered_json meaning_json(const accounting::EpsilonDelta& guarantee,
                                    const accounting::TradeoffCurve& curve) {
  nlohmann::ordered_json json;
  json["epsilon"] = guarantee.epsilon;
  json["delta"] = guarantee.delta;
  json["odds_factor"] = json_number(std::exp(guarantee.epsilon));
  json["curve"] = curve.is_of_one_pair() ? "pair" : "run";
  json["verdict_rate"] = kVerdictRate;
  json["beliefs"] = nlohmann::ordered_json::array();
  for (const double prior : kPriors) {
    const auto belief = accounting::belief_after_verdict(curve, prior, kVerdictRate);
    json["beliefs"].push_back(
        {{"prior", prior}, {"lowest", belief.lowest}, {"highest", belief.highest}});
  }
  json["membership_tests"] = nlohmann::ordered_json::array();
  for (const double rate : kFalsePositiveRates) {
    json["membership_tests"].push_back({{"false_positive_rate", rate},
                                        {"true_positive_rate", curve.true_positive_rate(rate)},
                                        {"by_guessing", rate}});
  }
  json["membership_advantage"] = curve.advantage();
  return json;
}

}  // namespace sotto::report
