// Randomised response: each person randomises their own answer, so that nobody who
// collects answers needs to be trusted, and the true shares can still be estimated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/accounting/event.h"
#include "sotto/core/random.h"

namespace sotto::mechanisms {

// A share estimated from randomised answers. `value` is unbiased, so it may lie outside [0, 1];
// [low, high] holds the share in the population that the people were drawn from with probability at
// least 95 % (Clopper and Pearson 1934, on the answers).
struct ShareEstimate {
  double value;
  double standard_error;
  double low;
  double high;
};

// A yes/no question, after Warner 1965 and his successors.
class YesNoResponse {
 public:
  // With probability `honest` the true answer, otherwise "yes". A "no" is certainly true, so
  // epsilon() is infinite: it protects those alone who say yes.
  static YesNoResponse forced_yes(double honest);
  // With probability `honest` the true answer, otherwise a coin decides, "yes" with probability
  // `heads`. Two fair coins: ε = ln 3.
  static YesNoResponse two_coins(double honest = 0.5, double heads = 0.5);
  // Warner's own: with probability `direct` the question is "are you?", otherwise "are you not?",
  // and only the person knows which. ε = |ln(direct / (1 - direct))|.
  static YesNoResponse contrary_question(double direct);
  // The most informative one for this ε: contrary_question(e^ε / (1 + e^ε)), rounded down.
  static YesNoResponse for_epsilon(double epsilon);

  bool respond(bool truth, RandomSource& random) const;

  // The least ε such that one answer is ε-private under replace-one, rounded up.
  double epsilon() const;

  // The share of true "yes" behind `yes` of `answers` >= 1. Throws InvalidArgument unless
  // 0 <= yes <= answers.
  ShareEstimate estimate(std::int64_t yes, std::int64_t answers) const;

  double yes_if_true() const { return yes_if_true_; }
  double yes_if_false() const { return yes_if_false_; }

 private:
  // Throws InvalidArgument unless both are in [0, 1] and differ, or nothing could be learnt.
  YesNoResponse(double yes_if_true, double yes_if_false);

  double yes_if_true_;
  double yes_if_false_;
};

// One of k >= 2 answers: the true one with probability e^ε / (e^ε + k - 1), each other with equal
// probability (Kairouz, Bonawitz, Ramage 2016). Answers are numbered from 0.
class ChoiceResponse {
 public:
  // Throws InvalidArgument unless choices is in [2, 2^20] and epsilon in [1e-9, 30].
  ChoiceResponse(int choices, double epsilon);

  int respond(int truth, RandomSource& random) const;

  // Of the probabilities that are used, rounded up: at most the ε asked for.
  double epsilon() const;
  accounting::RandomizedResponseEvent event() const { return {noise_probability_, choices_}; }
  int choices() const { return choices_; }

  // The true shares behind these counts, which must number `choices` and not all be 0. Each
  // interval has 95 % by itself.
  std::vector<ShareEstimate> estimate(std::span<const std::int64_t> counts) const;

 private:
  int choices_;
  double noise_probability_ = 0;  // of a uniform draw in the place of the truth
};

}  // namespace sotto::mechanisms
