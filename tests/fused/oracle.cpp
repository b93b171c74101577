#include "tests/fused/oracle.h"

#include <gtest/gtest.h>

namespace sotto::grad {
namespace {

namespace functional = torch::nn::functional;
using torch::Tensor;

constexpr double kTolerance = 1e-5;

// LibTorch seeds itself from the clock. Now and then two values under a maximum lie so close that
// single and double precision choose differently: every test has numbers of its own, always the
// same.
class SeedEveryTest : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& /*test*/) override { torch::manual_seed(20261115); }
};
[[maybe_unused]] const bool seeded = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new SeedEveryTest);  // gtest owns it
  return true;
}();

struct FusedData {
  Tensor inputs;
  Tensor targets;
};

FusedData random_data(const FusedCase& test, std::int64_t samples) {
  auto sizes = test.sample_shape;
  sizes.insert(sizes.begin(), samples);
  return {torch::randn(sizes), test.loss == FusedLoss::kMeanSquares
                                   ? torch::randn({samples, test.outputs})
                                   : torch::randint(test.outputs, {samples})};
}

Tensor losses_in(torch::ScalarType dtype, const FusedCase& test, const FusedData& data) {
  auto model = test.model;
  const Tensor scores = model->forward(data.inputs.to(dtype));
  switch (test.loss) {
    case FusedLoss::kCrossEntropy:
      return functional::cross_entropy(
          scores, data.targets, functional::CrossEntropyFuncOptions().reduction(torch::kNone));
    case FusedLoss::kHinge:
      return functional::multi_margin_loss(
          scores, data.targets, functional::MultiMarginLossFuncOptions().reduction(torch::kNone));
    case FusedLoss::kMeanSquares:
      break;
  }
  return (scores - data.targets.to(dtype)).square().mean(1);
}

struct FusedTruth {
  Tensor losses;                  // (N)
  Tensor scores;                  // (N, outputs)
  std::vector<Tensor> gradients;  // (N, *shape) for each parameter
};

// One ordinary backward pass a sample, in double precision; the model is float again afterwards.
FusedTruth truth_of(const FusedCase& test, const FusedData& data) {
  FusedTruth truth;
  auto model = test.model;
  model->to(torch::kDouble);
  std::vector<Tensor> parameters;
  for (const auto& parameter : model->parameters()) {
    if (parameter.requires_grad()) parameters.push_back(parameter);
  }
  std::vector<std::vector<Tensor>> rows(parameters.size());
  std::vector<Tensor> losses;
  for (std::int64_t i = 0; i < data.inputs.size(0); ++i) {
    const Tensor loss = losses_in(torch::kDouble, test,
                                  {data.inputs.narrow(0, i, 1), data.targets.narrow(0, i, 1)});
    losses.push_back(loss.detach());
    const auto gradients = torch::autograd::grad({loss.sum()}, parameters);
    for (std::size_t p = 0; p < rows.size(); ++p) rows[p].push_back(gradients[p]);
  }
  for (std::size_t p = 0; p < rows.size(); ++p) {
    auto sizes = parameters[p].sizes().vec();
    sizes.insert(sizes.begin(), 0);
    truth.gradients.push_back(rows[p].empty() ? torch::zeros(sizes, torch::kDouble)
                                              : torch::stack(rows[p]));
  }
  torch::NoGradGuard no_gradients;
  truth.losses = losses.empty() ? torch::zeros({0}, torch::kDouble) : torch::cat(losses);
  model->eval();
  truth.scores = losses.empty() ? torch::zeros({0, test.outputs}, torch::kDouble)
                                : model->forward(data.inputs.to(torch::kDouble));
  model->train();
  model->to(torch::kFloat);
  return truth;
}

void expect_close(const Tensor& got, const Tensor& expected, double added, const char* what) {
  ASSERT_EQ(got.sizes(), expected.sizes()) << what;
  if (expected.numel() == 0) return;
  const double scale = std::max({1e-9, added, expected.abs().max().item<double>()});
  EXPECT_LE((got.to(torch::kDouble) - expected).abs().max().item<double>(), kTolerance * scale)
      << what << ", scale " << scale;
}

double factor_of(std::int64_t parameter, double squared_norm) {
  // Any function of the norm will do; it differs by parameter and is 0 for some samples.
  if (std::fmod(squared_norm * 1e3, 7.0) < 1) return 0;
  return 0.2 + 0.1 * static_cast<double>(parameter);
}

void clip_for_test(std::int64_t parameters, const double* squares, std::int64_t stride,
                   std::int64_t samples, double* factors) {
  for (std::int64_t p = 0; p < parameters; ++p) {
    for (std::int64_t i = 0; i < samples; ++i) {
      factors[p * stride + i] = factor_of(p, squares[p * stride + i]);
    }
  }
}

std::unique_ptr<FusedModel> compiled(const FusedCase& test, int threads) {
  auto [fused, reason] = FusedModel::compile(
      test.model, {.sample_shape = test.sample_shape, .loss = test.loss, .threads = threads});
  EXPECT_NE(fused, nullptr) << reason;
  return std::move(fused);
}

// Sums start as what a careless kernel would leave in them.
std::vector<Tensor> garbage_like(const std::vector<NamedParameter>& parameters) {
  std::vector<Tensor> sums;
  for (const auto& parameter : parameters) {
    sums.push_back(torch::full(parameter.tensor.sizes(), 1e6F));
  }
  return sums;
}

// With bounds that no gradient of these exceeds, and what a careless kernel would leave in them.
ExactSums exact_sums_for(const FusedTruth& truth, const std::vector<NamedParameter>& parameters) {
  std::vector<Tensor> tensors;
  std::vector<double> bounds;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    tensors.push_back(parameters[p].tensor);
    const auto& gradients = truth.gradients[p];
    const double largest =
        gradients.size(0) == 0 ? 0 : gradients.flatten(1).norm(2, 1).max().item<double>();
    bounds.push_back(1.1 * largest * factor_of(static_cast<std::int64_t>(p), 0.009) + 1e-6);
  }
  ExactSums sums(tensors, bounds);
  for (std::size_t p = 0; p < parameters.size(); ++p) sums.values(p).fill_(1e6);
  return sums;
}

void compare(const FusedCase& test, std::int64_t samples, int threads) {
  const auto data = random_data(test, samples);
  const auto truth = truth_of(test, data);
  const auto fused = compiled(test, threads);
  if (!fused) return;
  const auto parameters = static_cast<std::int64_t>(fused->parameters().size());
  ExactSums sums = exact_sums_for(truth, fused->parameters());
  const auto result = fused->clipped_gradients(
      {data.inputs, data.targets},
      [&](const double* squares, std::int64_t stride, std::int64_t count, double* factors) {
        clip_for_test(parameters, squares, stride, count, factors);
      },
      even_chains(samples), sums);
  expect_close(fused->scores(data.inputs), truth.scores, 0, "scores");
  expect_close(result.losses, truth.losses, 0, "losses");
  for (std::int64_t p = 0; p < parameters; ++p) {
    SCOPED_TRACE(fused->parameters()[static_cast<std::size_t>(p)].name);
    const auto& gradients = truth.gradients[static_cast<std::size_t>(p)];
    const Tensor sum = sums.real(static_cast<std::size_t>(p));
    const Tensor rows = gradients.reshape({samples, sum.numel()});
    expect_close(result.squared_norms[p], rows.square().sum(1), 0, "squared norms");
    Tensor factors = torch::zeros({samples}, torch::kDouble);
    for (std::int64_t i = 0; i < samples; ++i) {
      factors[i] = factor_of(p, result.squared_norms[p][i].item<double>());
    }
    const Tensor weighted = rows * factors.unsqueeze(1);
    const double added = samples == 0 ? 0 : weighted.abs().sum(0).max().item<double>();
    // Every sample is cut off to whole units.
    const double cut = static_cast<double>(samples) * sums.unit(static_cast<std::size_t>(p));
    expect_close(sum, weighted.sum(0).reshape(sum.sizes()), added + cut / kTolerance,
                 "clipped sum");
  }
}

}  // namespace

void expect_fused_matches_oracle(const FusedCase& test, const std::vector<std::int64_t>& samples,
                                 const std::vector<int>& threads) {
  for (const auto n : samples) {
    for (const int t : threads) {
      SCOPED_TRACE(testing::Message() << n << " samples, " << t << " threads");
      compare(test, n, t);
    }
  }
}

void expect_plain_fused_matches_autograd(const FusedCase& test, std::int64_t samples, int threads) {
  const auto data = random_data(test, samples);
  const auto truth = truth_of(test, data);
  const auto fused = compiled(test, threads);
  if (!fused) return;
  auto sums = garbage_like(fused->parameters());
  fused->gradients({data.inputs, data.targets}, sums, false);
  for (std::size_t p = 0; p < sums.size(); ++p) {
    const double added = truth.gradients[p].abs().sum(0).max().item<double>();
    expect_close(sums[p], truth.gradients[p].sum(0), added, "sum");
  }
}

std::vector<std::int64_t> even_chains(std::int64_t samples) {
  std::vector<std::int64_t> ends;
  for (std::int64_t begin = 0; begin < samples; begin += 64) {
    ends.push_back(std::min<std::int64_t>(samples, begin + 64));
  }
  return ends;
}

std::string reason_not_fused(const torch::nn::Sequential& model,
                             const std::vector<std::int64_t>& sample_shape) {
  return FusedModel::compile(model, {.sample_shape = sample_shape}).reason;
}

}  // namespace sotto::grad
