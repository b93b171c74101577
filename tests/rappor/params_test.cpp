#include "sotto/rappor/params.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rappor/design.h"
#include "rappor/params_file.h"
#include "sotto/core/error.h"

namespace sotto::rappor {
namespace {

Params with(double p, double q, double f, std::int64_t hashes) {
  return Params({.bits = 128, .hashes = hashes, .cohorts = 16, .f = f, .p = p, .q = q});
}

TEST(Params, PrivacyIsThatOfTheFormulas) {
  struct Case {
    double p, q, f;
    int h;
    double one, infinity;
  };
  for (const auto& known :
       {Case{.5, .75, .5, 2, 1.074286, 4.394449}, Case{.5, .75, .75, 2, 0.534275, 2.043302},
        Case{.25, .75, .5, 1, 1.021651, 2.197225}, Case{.39, .61, .45, 2, 0.972766, 4.947051}}) {
    const Params params = with(known.p, known.q, known.f, known.h);
    EXPECT_NEAR(epsilon_one(params), known.one, 5e-7);
    EXPECT_NEAR(epsilon_infinity(params), known.infinity, 5e-7);
  }
  EXPECT_NEAR(epsilon_one(with(.225, .775, 0, 2)), 4.947051, 5e-7);
  EXPECT_NEAR(epsilon_one(with(.5, .75, 0, 1)), std::log(3), 1e-12);
  EXPECT_TRUE(std::isinf(epsilon_infinity(with(.5, .75, 0, 1))));
}

// Whatever is lost in rounding is lost on the safe side.
TEST(Params, PrivacyIsRoundedUp) {
  for (const double p : {0.001, 0.1, 0.25, 0.39, 1.0 / 3}) {
    const Params once = with(p, 1 - p, 0, 1);
    const long double q = once.q();
    const long double one = std::log(q) - std::log1p(-q) +
                            std::log1p(-static_cast<long double>(p)) -
                            std::log(static_cast<long double>(p));
    EXPECT_GE(static_cast<long double>(epsilon_one(once)), one) << p;
    EXPECT_NEAR(epsilon_one(once), static_cast<double>(one), 1e-14);
  }
  // 2 ln 3 and ln 9, which no double is.
  const long double nine = std::log(9.0L);
  EXPECT_GE(static_cast<long double>(epsilon_infinity(with(0, 1, 0.5, 1))), nine);
  EXPECT_GE(static_cast<long double>(epsilon_one(with(0.25, 0.75, 0, 1))), nine);
  // Rounded separately, 1 - q* would be 0 here.
  const double nearly = 1 - 0x1p-53;
  EXPECT_NEAR(epsilon_one(with(0.5, nearly, 0, 1)), 53 * std::log(2), 1e-12);
}

TEST(Params, ExtremesHaveAnHonestPrivacy) {
  EXPECT_TRUE(std::isinf(epsilon_one(with(0, 0.5, 0, 1))));
  EXPECT_TRUE(std::isinf(epsilon_one(with(0.5, 1, 0, 1))));
  EXPECT_EQ(epsilon_one(with(0.5, 0.5, 0, 1)), 0);
  EXPECT_EQ(epsilon_one(with(0.2, 0.8, 1, 1)), 0);
  EXPECT_EQ(epsilon_infinity(with(0.2, 0.8, 1, 2)), 0);
  EXPECT_NEAR(epsilon_one(with(.75, .5, 0, 1)), std::log(3), 1e-12);  // q below p
}

// One report against its neighbour, bit by bit: the worst of all reports has the ratio e^ε₁.
TEST(Params, EpsilonOneIsReached) {
  const Params params = with(.5, .75, .5, 2);
  const auto [p_star, q_star] = reported_rates(params);
  const double worst = std::pow(q_star / p_star, 2) * std::pow((1 - p_star) / (1 - q_star), 2);
  EXPECT_NEAR(std::log(worst), epsilon_one(params), 1e-12);
}

TEST(Params, RefusesWhatIsOutOfRange) {
  for (const auto& fields :
       {ParamsFields{.bits = 0, .hashes = 1}, ParamsFields{.bits = -1, .hashes = 1},
        ParamsFields{.bits = 8, .hashes = 17}, ParamsFields{.bits = 8, .hashes = 0},
        ParamsFields{.bits = 8, .hashes = 1, .cohorts = 0},
        ParamsFields{.bits = 65536, .hashes = 1, .cohorts = 65536},
        ParamsFields{.bits = 8, .hashes = 1, .f = -0.1},
        ParamsFields{.bits = 8, .hashes = 1, .p = 1.1},
        ParamsFields{.bits = 8, .hashes = 1, .q = std::nan("")}}) {
    EXPECT_THROW(Params{fields}, InvalidArgument);
  }
}

TEST(Params, ProfilesTellWhatTheyExecute) {
  const Params nominal = with(.39, .61, .45, 2);
  EXPECT_EQ(executed_params(nominal, Profile::kSotto), nominal);
  const Params cpp = executed_params(nominal, Profile::kGoogleCpp);
  EXPECT_EQ(cpp.f(), 57.0 / 128);
  EXPECT_EQ(cpp.p(), 99.0 / 256);
  EXPECT_EQ(cpp.q(), 156.0 / 256);
  EXPECT_GT(epsilon_infinity(cpp), epsilon_infinity(nominal));
  EXPECT_EQ(executed_params(nominal, Profile::kGooglePython).p(), .39);
}

TEST(ParamsFile, ReadsBackExactly) {
  const Params params = with(0.1, 1.0 / 3, 0.45, 2);
  EXPECT_EQ(parse_params(format_params(params), "params.csv"), params);
  EXPECT_EQ(parse_params("k,h,m,p,q,f\r\n16,2,64,0.5,0.75,0.5\r\n", "params.csv").f(), 0.5);
}

TEST(ParamsFile, RefusesOtherTexts) {
  for (const char* text :
       {"", "k,h,m,p,q,f\n", "k,h,m,f,p,q\n16,2,64,0.5,0.75,0.5\n",
        "k,h,m,p,q,f\n16,2,64,0.5,0.75\n",
        "k,h,m,p,q,f\n16,2,64,0.5,0.75,0.5\n16,2,64,0.5,0.75,0.5\n",
        "k,h,m,p,q,f\n16,2,64,0.5,0.75,1.5\n", "k,h,m,p,q,f\n16,2,x,0.5,0.75,0.5\n",
        "k,h,m,p,q,f\n16,99,4,0.5,0.75,0.5\n", "k,h,m,p,q,f\n16,2,64,nan,0.75,0.5\n"}) {
    EXPECT_THROW(parse_params(text, "params.csv"), InvalidArgument) << text;
  }
}

TEST(Design, KeepsToTheTarget) {
  for (const double one : {0.1, 0.5, 1.0, 2.0, 4.0}) {
    for (const double infinity : {4.0, 4.5, 8.0}) {
      const Params params =
          designed_params({.epsilon_one = one, .epsilon_infinity = infinity, .hashes = 2});
      EXPECT_LE(epsilon_one(params), one) << one << ' ' << infinity;
      EXPECT_LE(epsilon_infinity(params), infinity) << one << ' ' << infinity;
      EXPECT_NEAR(epsilon_one(params), one, 1e-9) << one << ' ' << infinity;
      EXPECT_NEAR(epsilon_infinity(params), infinity, 1e-9);
    }
  }
  const Params once = designed_params({.epsilon_one = std::log(3), .hashes = 1});
  EXPECT_EQ(once.f(), 0);
  EXPECT_NEAR(epsilon_one(once), std::log(3), 1e-12);
}

// Also where coins cannot be as fine, or as coarse, as the target would have them.
TEST(Design, StatesNoMoreThanTheTargetForTheCoinsTossed) {
  for (const auto profile : {Profile::kSotto, Profile::kGoogleCpp, Profile::kGooglePython}) {
    for (const double target : {0.3, 1.0, std::log(3), 2.0, 5.0, 40.0}) {
      const Params params = designed_params({.epsilon_one = target,
                                             .epsilon_infinity = target,
                                             .bits = 4,
                                             .hashes = 1,
                                             .cohorts = 1,
                                             .profile = profile});
      const Params executed = executed_params(params, profile);
      EXPECT_LE(epsilon_one(executed), target) << target;
      EXPECT_LE(epsilon_infinity(executed), target) << target;
      EXPECT_GT(epsilon_infinity(executed), std::min(target, 11.0) * 0.9) << target;
    }
  }
  EXPECT_LE(epsilon_one(designed_params({.epsilon_one = 1e-9, .epsilon_infinity = 1e-9})), 1e-9);
  EXPECT_LE(epsilon_one(designed_params({.epsilon_one = 40, .hashes = 1})), 40);
}

// Why the first question is whether answers are known.
TEST(Design, KnownAnswersNeedFewerPeople) {
  for (const double target : {0.5, 1.0, 2.0, 4.0}) {
    DesignTarget design{.epsilon_one = target, .epsilon_infinity = target};
    const Params bloom = designed_params(design);
    design.bits = 300;
    design.hashes = 1;
    design.cohorts = 1;
    const double known = detection_limit(designed_params(design), 1e6, 300, 0.05).frequency;
    EXPECT_LT(known, detection_limit(bloom, 1e6, 300, 0.05).frequency);
    design.epsilon_infinity.reset();  // and one-time collection a little fewer
    EXPECT_LT(detection_limit(designed_params(design), 1e6, 300, 0.05).frequency, known);
  }
}

TEST(Design, BeatsThePapersParametersAtTheirOwnPrivacy) {
  const Params paper = with(.5, .75, .5, 2);
  const Params designed = designed_params(
      {.epsilon_one = epsilon_one(paper), .epsilon_infinity = epsilon_infinity(paper)});
  EXPECT_LT(detection_limit(designed, 1e6, 300, 0.05).frequency,
            detection_limit(paper, 1e6, 300, 0.05).frequency);
  EXPECT_NEAR(detection_limit(paper, 1e6, 300, 0.05).frequency, 0.0101, 2e-4);
}

TEST(Design, RefusesTheImpossible) {
  EXPECT_THROW(designed_params({.epsilon_one = 0}), InvalidArgument);
  EXPECT_THROW(designed_params({.epsilon_one = 2, .epsilon_infinity = 1}), InvalidArgument);
  EXPECT_THROW(detection_limit(with(.5, .5, 0, 1), 10, 1, 0.05), InvalidArgument);
}

// A coin of 64 digits never flips with so small a probability, and ε∞ would be that of one that
// does.
TEST(Params, ProbabilitiesAreThoseThatCoinsHave) {
  ParamsFields fields{.bits = 16, .hashes = 2, .cohorts = 8, .f = 1e-20, .p = 0.5, .q = 0.75};
  EXPECT_THROW(Params{fields}, InvalidArgument);
  fields.f = 0.001;
  EXPECT_NO_THROW(Params{fields});
}

}  // namespace
}  // namespace sotto::rappor
