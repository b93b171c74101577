// The two discretisations against the exact hockey-stick curve of their pair. One curve lies above
// another at every real ε exactly if one pair dominates the other, after any composition.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "accounting/chord_polygon.h"
#include "accounting/connect_the_dots.h"
#include "accounting/event_losses.h"
#include "accounting/gaussian_pair.h"
#include "accounting/laplace_pair.h"

namespace sotto::accounting {
namespace {

double hockey_stick_of(const LatticePld& pld, double epsilon) {
  double sum = pld.infinite_mass;
  for (const auto& atom : pld.atoms) {
    sum += atom.mass * std::max(-std::expm1(epsilon - pld.lattice.loss(atom.index)), 0.0);
  }
  return sum;
}

// The largest amount by which `claimed_upper` lies below `claimed_lower` anywhere.
template <typename Upper, typename Lower>
double worst_violation(Upper claimed_upper, Lower claimed_lower, double reach) {
  double worst = 0;
  for (int i = -400; i <= 400; ++i) {
    const double epsilon = reach * i / 400;
    worst = std::max(worst, claimed_lower(epsilon) - claimed_upper(epsilon));
  }
  return worst;
}

struct PairCase {
  std::string name;
  std::shared_ptr<const PrivacyPair> pair;
  double reach;  // ε of interest: [-reach, reach]
};

std::vector<PairCase> pair_cases() {
  std::vector<PairCase> cases;
  const auto add = [&](const std::string& name, std::shared_ptr<const PrivacyPair> pair,
                       double reach) {
    cases.push_back({name, pair, reach});
    cases.push_back({name + "Reversed", std::make_shared<ReversedPair>(pair), reach});
  };
  add("Gaussian", std::make_shared<PoissonGaussianPair>(1, 0.7), 4);
  add("Poisson", std::make_shared<PoissonGaussianPair>(0.2, 1), 3);
  add("PoissonRare", std::make_shared<PoissonGaussianPair>(0.001, 1), 0.02);
  add("PoissonLoud", std::make_shared<PoissonGaussianPair>(0.3, 4), 20);
  add("PoissonReplace", std::make_shared<PoissonReplaceGaussianPair>(0.1, 0.8), 2);
  add("Group",
      std::make_shared<GaussianMixturePair>(binomial_components(3, 0.1, 0.9),
                                            std::vector<GaussianComponent>{{0, 0}}),
      3);
  add("Laplace", std::make_shared<LaplacePair>(1, 0.8), 1.2);
  add("LaplaceSampled", std::make_shared<LaplacePair>(0.3, 1.5), 2);
  return cases;
}

void PrintTo(const PairCase& pair_case, std::ostream* out) { *out << pair_case.name; }

class Discretisation : public testing::TestWithParam<PairCase> {
 protected:
  static constexpr double kTailMass = 1e-13;
  static constexpr double kRounding = 1e-12;

  double exact(double epsilon) const { return hockey_stick(*GetParam().pair, epsilon); }

  static std::vector<Lattice> lattices(const PairCase& pair_case) {
    std::vector<Lattice> result;
    for (const double fraction : {0.5, 0.07, 0.013, 0.002}) {
      const double mesh = pair_case.reach * fraction;
      result.emplace_back(mesh, 0.0);
      result.emplace_back(mesh, 0.377 * mesh);
      result.emplace_back(mesh, chord_offset(*pair_case.pair, mesh));
    }
    return result;
  }

  // One cell everywhere, and widths as a composition with this tilt would choose them.
  static std::vector<BinWidths> widths(const PairCase& pair_case) {
    std::vector<LossAtom> coarse;
    const Range range = pair_case.pair->central_range(1e-25);
    for (int i = 0; i < 300; ++i) {
      const double z = range.low + (range.high - range.low) * i / 300;
      const double mass =
          between(pair_case.pair->cut(z), pair_case.pair->cut(z + (range.high - range.low) / 300))
              .p;
      if (mass > 0) coarse.push_back({pair_case.pair->loss(z), mass});
    }
    return {BinWidths(), BinWidths(coarse, 1 / pair_case.reach),
            BinWidths(coarse, 30 / pair_case.reach)};
  }
};

TEST_P(Discretisation, ConnectedDotsDominateThePair) {
  for (const Lattice& lattice : lattices(GetParam())) {
    for (const BinWidths& bins : widths(GetParam())) {
      const LatticePld pld = connect_the_dots(*GetParam().pair, lattice, bins,
                                              GetParam().pair->central_range(kTailMass));
      const double violation =
          worst_violation([&](double e) { return hockey_stick_of(pld, e); },
                          [&](double e) { return exact(e); }, 2 * GetParam().reach);
      EXPECT_LE(violation, kRounding) << "mesh " << lattice.mesh << ", offset " << lattice.offset;
    }
  }
}

TEST_P(Discretisation, ChordsAreDominatedByThePair) {
  for (const Lattice& lattice : lattices(GetParam())) {
    for (const BinWidths& bins : widths(GetParam())) {
      // A walk from a limit starts on the lattice; that is what chord_offset is for.
      const Range limits = GetParam().pair->loss_limits();
      const bool has_limit = std::isfinite(limits.low) || std::isfinite(limits.high);
      const bool has_atoms = std::isfinite(GetParam().pair->increasing_range().low);
      const bool starts_at_limit = has_limit && !has_atoms;
      if (starts_at_limit && lattice.offset != chord_offset(*GetParam().pair, lattice.mesh))
        continue;
      const LatticePld pld =
          chord_polygon(GetParam().pair, lattice, bins, GetParam().pair->central_range(kTailMass));
      const double violation =
          worst_violation([&](double e) { return exact(e); },
                          [&](double e) { return hockey_stick_of(pld, e); }, 2 * GetParam().reach);
      EXPECT_LE(violation, kRounding) << "mesh " << lattice.mesh << ", offset " << lattice.offset;
    }
  }
}

TEST_P(Discretisation, BothCloseInQuadratically) {
  const auto gap = [&](double mesh) {
    const Lattice lattice(mesh, chord_offset(*GetParam().pair, mesh));
    const Range range = GetParam().pair->central_range(kTailMass);
    const LatticePld upper = connect_the_dots(*GetParam().pair, lattice, BinWidths(), range);
    const LatticePld lower = chord_polygon(GetParam().pair, lattice, BinWidths(), range);
    return worst_violation([&](double e) { return hockey_stick_of(lower, e); },
                           [&](double e) { return hockey_stick_of(upper, e); }, GetParam().reach);
  };
  const bool has_atoms = std::isfinite(GetParam().pair->increasing_range().low);
  if (has_atoms) GTEST_SKIP() << "off-lattice atoms cost O(mesh); sources align the lattice";
  const bool nearly_has_atoms = GetParam().name.starts_with("PoissonLoud");
  if (nearly_has_atoms) GTEST_SKIP() << "its unsampled part is all but an atom";
  // Once the mesh is finer than the features of the curve.
  const double coarse = gap(GetParam().reach / 400);
  const double fine = gap(GetParam().reach / 1600);
  EXPECT_LT(fine, coarse / 8);
}

TEST_P(Discretisation, TheCheckCatchesALossRoundedTheWrongWay) {
  const double mesh = GetParam().reach * 0.01;
  const Lattice lattice(mesh, chord_offset(*GetParam().pair, mesh));
  LatticePld pld = connect_the_dots(*GetParam().pair, lattice, BinWidths(),
                                    GetParam().pair->central_range(kTailMass));
  for (auto& atom : pld.atoms) --atom.index;
  EXPECT_GT(worst_violation([&](double e) { return hockey_stick_of(pld, e); },
                            [&](double e) { return exact(e); }, 2 * GetParam().reach),
            kRounding);
}

INSTANTIATE_TEST_SUITE_P(Pairs, Discretisation, testing::ValuesIn(pair_cases()),
                         [](const auto& info) { return info.param.name; });

// Fixed-size sampling: the curve is the worse of the two directions at every ε.
TEST(FixedSizeSource, BracketsTheSymmetrisedCurve) {
  const double q = 0.05;
  const double noise = 2;
  const auto pair = std::make_shared<PoissonGaussianPair>(q, 2 / noise);
  const ReversedPair reversed(pair);
  const auto exact = [&](double epsilon) {
    return std::max(hockey_stick(*pair, epsilon), hockey_stick(reversed, epsilon));
  };
  const auto source =
      loss_sources(FixedSizeGaussianEvent(q, noise), Neighbours(Adjacency::kReplaceOne)).forward;
  for (const double mesh : {0.3, 0.02, 0.001}) {
    const Lattice lattice(mesh, source->offset(mesh));
    const LatticePld upper = source->upper(lattice, BinWidths(), 1e-13);
    const LatticePld lower = source->lower(lattice, BinWidths(), 1e-13);
    const auto upper_curve = [&](double e) { return hockey_stick_of(upper, e); };
    const auto lower_curve = [&](double e) { return hockey_stick_of(lower, e); };
    EXPECT_LE(worst_violation(upper_curve, exact, 2), 1e-12) << mesh;
    EXPECT_LE(worst_violation(exact, lower_curve, 2), 1e-12) << mesh;
  }
}

}  // namespace
}  // namespace sotto::accounting
