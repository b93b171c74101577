// Reproduces numbers published by, or recomputed from, other accountants. vectors.csv says for each
// row what is compared; rows of mechanisms that sotto does not have are marked and listed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "accounting/connect_the_dots.h"
#include "accounting/directed_composition.h"
#include "accounting/gaussian_pair.h"
#include "accounting/gdp.h"
#include "accounting/laplace_pair.h"
#include "accounting/loss_source.h"
#include "accounting/rdp.h"
#include "tests/accounting/vector_row.h"

namespace sotto::accounting {
namespace {

using Row = VectorRow;

constexpr std::size_t kLongTransform = std::size_t{1} << 21U;

double number(const std::string& text) { return Row::number(text); }
Neighbours neighbours_of(const Row& row) {
  return Neighbours(row.parsed_adjacency(), row.group_size());
}

void check_rdp_epsilon(const Row& row, Conversion conversion) {
  const RdpAccountant accountant(row.gaussian_runs(), neighbours_of(row), row.orders());
  const auto bound = accountant.epsilon(number(row.delta), conversion);
  row.expect_near(bound.epsilon, number(row.epsilon));
  if (!row.order.empty()) {
    EXPECT_DOUBLE_EQ(bound.order, number(row.order)) << row.id;
  }
}

void check_rdp_order(const Row& row) {
  const double one_step = rdp_poisson_gaussian(number(row.q), number(row.noise), number(row.order));
  row.expect_near(number(row.steps) * one_step, number(row.rdp));
}

void check_rdp_fixed_size(const Row& row) {
  const double one_step =
      rdp_fixed_size_gaussian(number(row.q), number(row.noise), number(row.order));
  row.expect_near(number(row.steps) * one_step, number(row.rdp));
}

void check_rdp_randomised_response(const Row& row) {
  const auto rdp = row.parsed_adjacency() == Adjacency::kReplaceOne
                       ? rdp_randomized_response_replace_one
                       : rdp_randomized_response_zero_out;
  row.expect_near(rdp(number(row.noise), std::stoi(row.detail), number(row.order)),
                  number(row.rdp));
}

void check_conversion(const Row& row) {
  double best = 1e300;
  double best_delta = 1;
  const RdpOrders orders = row.orders();
  for (const double order : orders.values()) {
    best = std::min(
        best, epsilon_from_rdp(Conversion::kImproved, order, number(row.rdp), number(row.delta)));
    best_delta = std::min(best_delta, delta_from_rdp(Conversion::kImproved, order, number(row.rdp),
                                                     number(row.epsilon)));
  }
  row.expect_near(best, number(row.epsilon));
  EXPECT_NEAR(best_delta / number(row.delta), 1, 1e-5) << row.id;
}

Enclosure pld_epsilon(const Composition& composition, const Row& row) {
  return PldAccountant(composition, neighbours_of(row),
                       {row.half_tolerance(number(row.epsilon)), kLongTransform})
      .epsilon(number(row.delta));
}

void expect_interval_near(const Row& row, const Enclosure& interval, double expected) {
  row.expect_near(interval.upper, expected);
  row.expect_near(interval.lower, expected);
}

Enclosure pld_delta(const Composition& composition, const Row& row) {
  return PldAccountant(composition, neighbours_of(row),
                       {row.half_tolerance(number(row.delta)), kLongTransform})
      .delta(number(row.epsilon));
}

Composition ramp(const Row& row) {
  const auto q = Row::numbers(row.q);
  const auto noise = Row::numbers(row.noise);
  Composition composition;
  for (int i = 0; i < 10; ++i) {
    composition.add(PoissonGaussianEvent(q[0] + (q[1] - q[0]) * i / 9,
                                         noise[0] + (noise[1] - noise[0]) * i / 9),
                    10);
  }
  return composition;
}

void check_one_step(const Row& row, const std::shared_ptr<const PrivacyPair>& pair) {
  const double delta = row.adjacency == "add"
                           ? hockey_stick(ReversedPair(pair), number(row.epsilon))
                           : hockey_stick(*pair, number(row.epsilon));
  row.expect_near(delta, number(row.delta));
}

void check_one_step_gaussian(const Row& row) {
  const double shift = number(row.detail) / number(row.noise);
  if (row.adjacency == "replace-one") {
    check_one_step(row, std::make_shared<PoissonReplaceGaussianPair>(number(row.q), shift));
  } else {
    check_one_step(row, std::make_shared<PoissonGaussianPair>(number(row.q), shift));
  }
}

void check_one_step_laplace(const Row& row) {
  check_one_step(
      row, std::make_shared<LaplacePair>(number(row.q), number(row.detail) / number(row.noise)));
}

void check_one_step_mixture(const Row& row) {
  std::vector<GaussianComponent> components;
  for (const auto& [mean, weight] : Row::pairs(row.detail)) {
    components.push_back({std::log(weight), mean});
  }
  check_one_step(row, std::make_shared<GaussianMixturePair>(
                          components, std::vector<GaussianComponent>{{0, 0}}));
}

void check_black_boxes(const Row& row) {
  Composition composition;
  for (const auto& [epsilon, delta] : Row::pairs(row.detail)) {
    composition.add(BlackBoxEvent(epsilon, delta));
  }
  const auto delta = PldAccountant(composition, Neighbours(), {.relative_width = 1e-13})
                         .delta(number(row.epsilon));
  expect_interval_near(row, delta, number(row.delta));
}

// "mesh | loss:mass ... | loss:mass ...": distributions given by their lattice masses.
DirectedComposition raw_composition(const Row& row) {
  std::vector<RepeatedSource> parts;
  std::istringstream stream(row.detail);
  std::string part;
  std::getline(stream, part, '|');
  const double mesh = std::stod(part);
  while (std::getline(stream, part, '|')) {
    std::vector<LossAtom> atoms;
    double infinite = 0;
    for (const auto& [index, mass] : Row::pairs(part)) {
      if (std::isinf(index)) {
        infinite = mass;
      } else {
        atoms.push_back({index * mesh, mass});
      }
    }
    std::sort(atoms.begin(), atoms.end(),
              [](const LossAtom& a, const LossAtom& b) { return a.loss < b.loss; });
    parts.push_back({make_discrete_source(atoms, infinite, mesh), 1});
  }
  return DirectedComposition(parts, 1e-9, std::size_t{1} << 20U);
}

void check_dots(const Row& row) {
  const auto pair = std::make_shared<LaplacePair>(number(row.q), 1 / number(row.noise));
  const ReversedPair reversed(pair);
  const LatticePld pld =
      connect_the_dots(reversed, Lattice(1, 0), BinWidths(), reversed.central_range(1e-30));
  std::map<std::int64_t, double> masses;
  for (const auto& atom : pld.atoms) masses[atom.index] += atom.mass;
  for (const auto& [index, mass] : Row::pairs(row.detail)) {
    row.expect_near(masses[static_cast<std::int64_t>(index)], mass);
  }
}

void check_calibrated_laplace(const Row& row) {
  const double noise = smallest_noise_multiplier(
      {number(row.epsilon), number(row.delta)}, Neighbours(), [&](double b) {
        return Composition(LaplaceEvent(b), static_cast<std::int64_t>(number(row.steps)));
      });
  row.expect_near(noise, number(row.noise));
}

void check_basic_composition(const Row& row) {
  const double each = std::stod(row.detail) / number(row.noise);
  const std::vector<EpsilonDelta> parts(static_cast<std::size_t>(number(row.steps)), {each, 0});
  row.expect_near(basic_composition(parts).epsilon, number(row.epsilon));
}

void check_calibrated_steps(const Row& row) {
  const auto run = [&](std::int64_t steps) {
    return Composition(PoissonGaussianEvent(number(row.q), number(row.noise)), steps);
  };
  const EpsilonDelta target{number(row.epsilon), number(row.delta)};
  const std::int64_t steps = most_rounds(target, Neighbours(), run, 1'000'000);
  EXPECT_EQ(steps, number(row.steps)) << row.id;
  EXPECT_NEAR(cost_at_delta(run(steps), Neighbours(), target.delta).epsilon, std::stod(row.detail),
              2e-3);
}

void check_calibrated_noise(const Row& row) {
  const double noise = smallest_noise_multiplier(
      {number(row.epsilon), number(row.delta)}, Neighbours(), [&](double sigma) {
        return Composition(PoissonGaussianEvent(number(row.q), sigma),
                           static_cast<std::int64_t>(number(row.steps)));
      });
  row.expect_near(noise, number(row.noise));
}

// The published value is an upper bound that lies 0.01, by construction, above the estimate.
void check_prv_upper(const Row& row) {
  const auto interval = pld_epsilon(row.gaussian_runs(), row);
  EXPECT_LE(interval.upper, number(row.epsilon)) << row.id;
  row.expect_near(interval.upper, number(row.epsilon) - 0.01);
}

void check_optimal_composition(const Row& row) {
  const auto epsilon =
      optimal_composition({number(row.noise), std::stod(row.detail)},
                          static_cast<std::int64_t>(number(row.steps)), number(row.delta));
  if (row.epsilon == "none") {
    EXPECT_FALSE(epsilon.has_value()) << row.id;
  } else {
    ASSERT_TRUE(epsilon.has_value()) << row.id;
    row.expect_near(*epsilon, number(row.epsilon));
  }
}

const std::map<std::string, std::function<void(const Row&)>>& checks() {
  static const std::map<std::string, std::function<void(const Row&)>> table = {
      {"rdp-epsilon-classic", [](const Row& r) { check_rdp_epsilon(r, Conversion::kClassic); }},
      {"rdp-epsilon-improved", [](const Row& r) { check_rdp_epsilon(r, Conversion::kImproved); }},
      {"rdp-order", check_rdp_order},
      {"rdp-order-fixed-size", check_rdp_fixed_size},
      {"rdp-order-randomised-response", check_rdp_randomised_response},
      {"rdp-order-laplace",
       [](const Row& r) {
         r.expect_near(rdp_laplace(number(r.noise), number(r.order)), number(r.rdp));
       }},
      {"convert-improved", check_conversion},
      {"gaussian-delta",
       [](const Row& r) {
         r.expect_near(gaussian_delta(number(r.noise), number(r.epsilon)), number(r.delta));
       }},
      {"gaussian-sigma",
       [](const Row& r) {
         r.expect_near(gaussian_sigma({number(r.epsilon), number(r.delta)}), number(r.noise));
       }},
      {"gaussian-epsilon",
       [](const Row& r) {
         r.expect_near(gaussian_epsilon(number(r.noise), number(r.delta)), number(r.epsilon));
       }},
      {"pld-epsilon",
       [](const Row& r) {
         expect_interval_near(r, pld_epsilon(r.gaussian_runs(), r), number(r.epsilon));
       }},
      {"pld-delta",
       [](const Row& r) {
         expect_interval_near(r, pld_delta(r.gaussian_runs(), r), number(r.delta));
       }},
      {"pld-epsilon-ramp",
       [](const Row& r) { expect_interval_near(r, pld_epsilon(ramp(r), r), number(r.epsilon)); }},
      {"pld-delta-ramp",
       [](const Row& r) { expect_interval_near(r, pld_delta(ramp(r), r), number(r.delta)); }},
      {"pld-epsilon-laplace",
       [](const Row& r) {
         const Composition run(LaplaceEvent(number(r.noise), number(r.q)),
                               static_cast<std::int64_t>(number(r.steps)));
         r.expect_near(pld_epsilon(run, r).upper, number(r.epsilon));
       }},
      {"pld-delta-black-boxes", check_black_boxes},
      {"raw-epsilon",
       [](const Row& r) {
         expect_interval_near(r, raw_composition(r).epsilon(number(r.delta), 1e-9),
                              number(r.epsilon));
       }},
      {"raw-delta",
       [](const Row& r) {
         expect_interval_near(r, raw_composition(r).delta(number(r.epsilon), 1e-9),
                              number(r.delta));
       }},
      {"dots-laplace", check_dots},
      {"one-step-gaussian", check_one_step_gaussian},
      {"one-step-laplace", check_one_step_laplace},
      {"one-step-mixture", check_one_step_mixture},
      {"calibrate-laplace", check_calibrated_laplace},
      {"basic-composition-laplace", check_basic_composition},
      {"calibrate-steps", check_calibrated_steps},
      {"calibrate-noise", check_calibrated_noise},
      {"gdp-epsilon",
       [](const Row& r) {
         r.expect_near(gdp_epsilon(gdp_mu(r.gaussian_runs(), neighbours_of(r)), number(r.delta)),
                       number(r.epsilon));
       }},
      {"prv-upper", check_prv_upper},
      {"optimal-composition", check_optimal_composition},
  };
  return table;
}

class Vector : public testing::TestWithParam<Row> {};

TEST_P(Vector, IsReproduced) {
  const Row& row = GetParam();
  const auto check = checks().find(row.check);
  ASSERT_NE(check, checks().end()) << row.id << ": unknown check " << row.check;
  check->second(row);
}

std::vector<Row> covered_rows() {
  auto rows = read_vectors();
  std::erase_if(rows, [](const Row& row) { return row.check == "not-covered"; });
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Published, Vector, testing::ValuesIn(covered_rows()),
                         [](const auto& info) { return info.param.id; });

TEST(Vectors, UncoveredRowsAreExactlyThese) {
  std::set<std::string> uncovered;
  for (const auto& row : read_vectors()) {
    if (row.check != "not-covered") continue;
    uncovered.insert(row.id);
    std::cout << "not covered: " << row.id << ", " << row.detail << '\n';
  }
  const std::set<std::string> expected = {"C05", "L09", "L11", "L13", "L15", "L17",
                                          "M05", "T01", "T03", "T05", "T07", "T09"};
  EXPECT_EQ(uncovered, expected);
  EXPECT_EQ(read_vectors().size(), 185U);
}

}  // namespace
}  // namespace sotto::accounting
