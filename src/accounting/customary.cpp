#include "accounting/customary.h"

#include <cmath>

#include "sotto/accounting/statement.h"

namespace sotto::accounting {
namespace {

// The three tiers of Ponomareva et al., "How to DP-fy ML: A Practical Guide to Machine Learning
// with Differential Privacy", Journal of Artificial Intelligence Research 77 (2023).
const char* tier_of(double epsilon) {
  if (epsilon <= 1) return "strong";
  return epsilon <= 10 ? "reasonable" : "weak";
}

}  // namespace

std::string customary_range(double epsilon) {
  if (std::isinf(epsilon)) return "";
  return "ε = " + rounded_up(epsilon) + " is " + tier_of(epsilon) +
         " by a common rule for trained models: strong up to 1, reasonable up to 10, weak or none "
         "above (Ponomareva et al., How to DP-fy ML, 2023). In use are 2 to 16 per person and day, "
         "with noise added on each device (Apple, 2017), and 17.14 at δ = 1e-10 for persons in the "
         "2020 US Census (redistricting data, 2021); more in Desfontaines' list of real-world "
         "uses. "
         "NIST's guidelines (SP 800-226, 2025) name no number that suits everybody: who is "
         "protected, and how much is at stake, counts as much.";
}

}  // namespace sotto::accounting
