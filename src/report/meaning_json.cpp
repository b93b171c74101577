#include "sotto/report/meaning_json.h"

#include <cmath>

#include "sotto/accounting/meaning.h"
#include "sotto/report/json_number.h"

namespace sotto::report {

nlohmann::ordered_json meaning_json(const accounting::EpsilonDelta& guarantee) {
  nlohmann::ordered_json json;
  json["epsilon"] = guarantee.epsilon;
  json["delta"] = guarantee.delta;
  json["odds_factor"] = json_number(std::exp(guarantee.epsilon));
  json["beliefs"] = nlohmann::ordered_json::array();
  for (const double prior : kPriors) {
    const auto belief = accounting::belief_after_release(guarantee.epsilon, prior);
    json["beliefs"].push_back(
        {{"prior", prior}, {"lowest", belief.lowest}, {"highest", belief.highest}});
  }
  json["membership_tests"] = nlohmann::ordered_json::array();
  for (const double rate : kFalsePositiveRates) {
    json["membership_tests"].push_back(
        {{"false_positive_rate", rate},
         {"true_positive_rate", accounting::best_true_positive_rate(guarantee, rate)}});
  }
  json["membership_advantage"] = accounting::best_membership_advantage(guarantee);
  return json;
}

}  // namespace sotto::report
