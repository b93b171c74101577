#include "tests/grad/oracle.h"

#include <gtest/gtest.h>

namespace sotto::grad {
namespace {

double tolerance(const torch::Tensor& t) {
  return t.scalar_type() == torch::kDouble ? 1e-10 : 1e-5;
}

void expect_near(const torch::Tensor& got, const torch::Tensor& expected, double relative,
                 const std::string& what) {
  ASSERT_EQ(got.sizes(), expected.sizes()) << what;
  if (expected.numel() == 0) return;
  const double scale = std::max(1e-30, expected.abs().max().item<double>());
  const double difference = (got - expected).abs().max().item<double>();
  EXPECT_LE(difference, relative * scale)
      << what << ": difference " << difference << ", scale " << scale;
}

}  // namespace

std::vector<NamedParameter> named_parameters(const torch::nn::Module& module) {
  std::vector<NamedParameter> parameters;
  for (const auto& item : module.named_parameters()) {
    if (item.value().requires_grad()) parameters.push_back({item.key(), item.value()});
  }
  return parameters;
}

std::function<torch::Tensor(std::int64_t)> normal(std::vector<std::int64_t> shape) {
  return [shape = std::move(shape)](std::int64_t n) {
    auto sizes = shape;
    sizes.insert(sizes.begin(), n);
    return torch::randn(sizes);
  };
}

std::vector<torch::Tensor> batch_of_one_gradients(const LossesOf& losses_of, std::int64_t samples,
                                                  const std::vector<NamedParameter>& parameters) {
  std::vector<torch::Tensor> tensors;
  std::vector<std::vector<torch::Tensor>> rows(parameters.size());
  for (const auto& parameter : parameters) tensors.push_back(parameter.tensor);
  for (std::int64_t i = 0; i < samples; ++i) {
    const auto gradients = torch::autograd::grad({losses_of(i, 1).sum()}, tensors, {}, {}, false,
                                                 /*allow_unused=*/true);
    for (std::size_t p = 0; p < tensors.size(); ++p) {
      rows[p].push_back(gradients[p].defined() ? gradients[p] : torch::zeros_like(tensors[p]));
    }
  }
  std::vector<torch::Tensor> result;
  for (const auto& row : rows) result.push_back(torch::stack(row).detach());
  return result;
}

void expect_matches_oracle(const LossesOf& losses_of, std::int64_t samples,
                           const std::vector<NamedParameter>& parameters) {
  const auto expected = batch_of_one_gradients(losses_of, samples, parameters);
  const PerSampleGradients gradients(losses_of(0, samples), parameters);
  ASSERT_EQ(gradients.samples(), samples);
  const auto written_out = gradients.materialised();
  const torch::Tensor factors =
      torch::rand({static_cast<std::int64_t>(parameters.size()), samples}, torch::kDouble);
  const auto sums = gradients.weighted_sums(factors);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto& name = parameters[p].name;
    const double relative = tolerance(expected[p]);
    const auto rows = expected[p].reshape({samples, -1});
    expect_near(written_out[p], expected[p], relative, name + " per-sample");
    expect_near(gradients.squared_norms()[static_cast<std::int64_t>(p)],
                rows.to(torch::kDouble).square().sum(1), 2 * relative, name + " norms");
    const auto c = factors[static_cast<std::int64_t>(p)].to(rows.scalar_type());
    const auto sum = (rows * c.unsqueeze(1)).sum(0).reshape(parameters[p].tensor.sizes());
    // Cancellation between samples: the error is relative to what was added up.
    const double added = (rows.abs() * c.unsqueeze(1)).sum(0).max().item<double>();
    EXPECT_LE((sums[p] - sum).abs().max().item<double>(), relative * std::max(added, 1e-30))
        << name << " weighted sum";
  }
}

}  // namespace sotto::grad
