// A survey about something embarrassing. Nobody's answer gives them away; the share is still found.
#include <cstdio>

#include "sotto/mechanisms/randomised_response.h"

int main() {
  const auto design = sotto::mechanisms::YesNoResponse::two_coins();
  sotto::SecureRandom random;
  constexpr int kPeople = 20000;
  int yes = 0;
  for (int person = 0; person < kPeople; ++person) {
    const bool truth = person % 10 < 3;
    yes += design.respond(truth, random) ? 1 : 0;  // on the person's own device
  }
  const auto share = design.estimate(yes, kPeople);
  std::printf("each answer: epsilon = %.4f\n", design.epsilon());
  std::printf("said yes: %d; share of true yes: %.3f, standard error %.3f, from %.3f to %.3f\n",
              yes, share.value, share.standard_error, share.low, share.high);
}
