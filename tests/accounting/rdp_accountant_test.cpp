#include "sotto/accounting/accountants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

TEST(RdpOrders, DefaultGrid) {
  const auto orders = RdpOrders().values();
  ASSERT_EQ(orders.size(), 99U + 52U);
  EXPECT_DOUBLE_EQ(orders.front(), 1.1);
  EXPECT_DOUBLE_EQ(orders[98], 10.9);
  EXPECT_DOUBLE_EQ(orders[99], 12);
  EXPECT_DOUBLE_EQ(orders.back(), 63);
}

TEST(RdpOrders, AreSortedAndChecked) {
  EXPECT_EQ(RdpOrders({5, 2, 5}).values(), (std::vector<double>{2, 5}));
  EXPECT_THROW(RdpOrders(std::vector<double>{}), InvalidArgument);
  EXPECT_THROW(RdpOrders({2, 1}), InvalidArgument);
  EXPECT_THROW(RdpOrders({std::nan("")}), InvalidArgument);
}

TEST(RdpAccountant, WarnsAtTheEdgeOfTheGrid) {
  const Composition run(PoissonGaussianEvent(0.001, 1), 14070);
  EXPECT_FALSE(RdpAccountant(run, Neighbours()).epsilon(1e-5).order_at_edge);
  EXPECT_TRUE(RdpAccountant(run, Neighbours(), RdpOrders({2, 3, 4})).epsilon(1e-5).order_at_edge);
  EXPECT_TRUE(RdpAccountant(run, Neighbours(), RdpOrders({30, 40})).epsilon(1e-5).order_at_edge);
}

TEST(RdpAccountant, EpsilonAndDeltaInvertEachOther) {
  const RdpAccountant accountant(Composition(PoissonGaussianEvent(0.01, 1.2), 5000), Neighbours());
  for (const Conversion conversion : {Conversion::kImproved, Conversion::kClassic}) {
    for (const double delta : {1e-2, 1e-5, 1e-9}) {
      const double epsilon = accountant.epsilon(delta, conversion).epsilon;
      EXPECT_NEAR(accountant.delta(epsilon, conversion) / delta, 1, 1e-9);
    }
  }
}

TEST(RdpAccountant, CompositionAddsUp) {
  Composition mixed(PoissonGaussianEvent(0.01, 1.2), 100);
  mixed.add(LaplaceEvent(3), 5).add(GaussianEvent(7), 2);
  const RdpAccountant whole(mixed, Neighbours());
  const RdpAccountant first(Composition(PoissonGaussianEvent(0.01, 1.2), 100), Neighbours());
  const RdpAccountant second(Composition(LaplaceEvent(3), 5).add(GaussianEvent(7), 2),
                             Neighbours());
  for (std::size_t i = 0; i < whole.rdp().size(); ++i) {
    EXPECT_NEAR(whole.rdp()[i], first.rdp()[i] + second.rdp()[i], 1e-12 * whole.rdp()[i]);
  }
}

TEST(RdpAccountant, BlackBoxesSpendTheirDelta) {
  const RdpAccountant accountant(Composition(BlackBoxEvent(0.1, 1e-7), 10), Neighbours());
  EXPECT_NEAR(accountant.additive_delta(), 1e-6, 1e-12);
  EXPECT_TRUE(std::isinf(accountant.epsilon(9e-7).epsilon));
  EXPECT_LT(accountant.epsilon(1e-5).epsilon, 1.01);  // adding up gives 1
}

TEST(RdpAccountant, RefusesWhatItCannotAnalyse) {
  const auto refused = [](const Event& event, Adjacency adjacency, int group) {
    EXPECT_THROW(RdpAccountant(Composition(event, 1), Neighbours(adjacency, group)),
                 NoValidAnalysis)
        << describe(event);
  };
  refused(PoissonGaussianEvent(0.1, 1), Adjacency::kReplaceOne, 1);
  refused(PoissonGaussianEvent(0.1, 1), Adjacency::kAddRemove, 2);
  refused(FixedSizeGaussianEvent(0.1, 1), Adjacency::kAddRemove, 1);
  refused(FixedSizeGaussianEvent(0.1, 1), Adjacency::kZeroOut, 1);
  refused(RandomizedResponseEvent(0.1, 3), Adjacency::kAddRemove, 1);
  refused(LaplaceEvent(1, 0.5), Adjacency::kAddRemove, 1);
  refused(BlackBoxEvent(1, 0), Adjacency::kAddRemove, 2);
}

TEST(RdpAccountant, ReplacingARecordMovesTheSumTwiceAsFar) {
  const RdpAccountant replaced(Composition(GaussianEvent(2), 1),
                               Neighbours(Adjacency::kReplaceOne));
  const RdpAccountant added(Composition(GaussianEvent(1), 1), Neighbours(Adjacency::kAddRemove));
  EXPECT_DOUBLE_EQ(replaced.epsilon(1e-5).epsilon, added.epsilon(1e-5).epsilon);
}

TEST(RdpAccountant, RefusesADeltaThatIsNone) {
  const RdpAccountant accountant(Composition(GaussianEvent(1), 1), Neighbours());
  for (const double bad : {0.0, 1.0, -1.0, std::nan("")}) {
    EXPECT_THROW(accountant.epsilon(bad), InvalidArgument);
  }
}

}  // namespace
}  // namespace sotto::accounting
