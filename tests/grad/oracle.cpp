#include "tests/grad/oracle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "grad/libtorch/stepwise_lstm.h"

namespace sotto::grad {
namespace {

using torch::Tensor;

const StepwiseLstm lstm_as_engines_have_it;

double tolerance(const Tensor& t) { return t.scalar_type() == torch::kDouble ? 1e-10 : 1e-5; }

double largest_entry(const Tensor& t) { return t.numel() == 0 ? 0 : t.abs().max().item<double>(); }

// Not finite is different, and so is another shape.
std::string difference(const std::string& what, const Tensor& got, const Tensor& expected,
                       double allowed) {
  std::ostringstream text;
  if (got.sizes() != expected.sizes()) {
    text << what << ": shape " << got.sizes() << " instead of " << expected.sizes();
    return text.str();
  }
  const double found = largest_entry(got - expected);
  if (!(found <= allowed)) text << what << ": difference " << found << ", allowed " << allowed;
  return text.str();
}

// All samples' gradients (N, elements) of a parameter.
Tensor rows_of(const Tensor& gradients) { return gradients.flatten(1); }

// Squared norms (parameters, N).
Tensor true_squared_norms(const std::vector<Tensor>& gradients) {
  std::vector<Tensor> norms;
  for (const auto& g : gradients) norms.push_back(rows_of(g.to(torch::kDouble)).square().sum(1));
  return torch::stack(norms);
}

// Entry i is the sum of factors[p][i] times sample i's gradient of parameter p. What cancels
// between samples counts: the error is relative to what was added up. Every sample is cut off to
// whole units, of which its norm has at least 2^20.
double cut_off(const Tensor& rows, const Tensor& factors) {
  if (rows.numel() == 0) return 0;
  const double largest = (rows * factors).norm(2, 1).max().item<double>();
  return 1.01 * static_cast<double>(rows.size(0)) * largest * 0x1p-20;
}

std::string sum_difference(const std::string& what, const std::vector<NamedParameter>& parameters,
                           const std::vector<Tensor>& sums, const std::vector<Tensor>& gradients,
                           const Tensor& factors) {
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Tensor rows = rows_of(gradients[p]);
    const Tensor c = factors[static_cast<std::int64_t>(p)].to(rows.scalar_type()).unsqueeze(1);
    const double added = largest_entry((rows.abs() * c).sum(0));
    const auto text = difference(parameters[p].name + ' ' + what, sums[p],
                                 (rows * c).sum(0).reshape(parameters[p].tensor.sizes()),
                                 tolerance(rows) * std::max(added, 1e-30) + cut_off(rows, c));
    if (!text.empty()) return text;
  }
  return "";
}

// The factors of clipping the whole gradient to `bound`; (parameters, N).
Tensor clip_at(const Tensor& squared_norms, double bound) {
  const Tensor norms = squared_norms.sum(0).sqrt();
  return (bound / norms).clamp_max(1).expand_as(squared_norms);
}

// What one sample adds to the clipped sum has norm at most `bound`.
std::string bound_difference(const PerSampleGradients& gradients, double bound, double relative) {
  const Tensor factors = clip_at(gradients.squared_norms(), bound);
  for (std::int64_t i = 0; i < gradients.samples(); ++i) {
    Tensor alone = torch::zeros_like(factors);
    alone.select(1, i).copy_(factors.select(1, i));
    double squared = 0;
    for (const auto& sum : gradients.weighted_sums(alone)) {
      squared += sum.to(torch::kDouble).square().sum().item<double>();
    }
    if (!(std::sqrt(squared) <= bound * (1 + relative))) {
      return "sample " + std::to_string(i) + " contributes " + std::to_string(std::sqrt(squared)) +
             ", clipped to " + std::to_string(bound);
    }
  }
  return "";
}

}  // namespace

std::vector<NamedParameter> named_parameters(const torch::nn::Module& module) {
  std::vector<NamedParameter> parameters;
  for (const auto& item : module.named_parameters()) {
    if (item.value().requires_grad()) parameters.push_back({item.key(), item.value()});
  }
  return parameters;
}

std::function<Tensor(std::int64_t)> normal(std::vector<std::int64_t> shape) {
  return [shape = std::move(shape)](std::int64_t n) {
    auto sizes = shape;
    sizes.insert(sizes.begin(), n);
    return torch::randn(sizes);
  };
}

std::vector<Tensor> batch_of_one_gradients(const LossesOf& losses_of, std::int64_t samples,
                                           const std::vector<NamedParameter>& parameters) {
  std::vector<Tensor> tensors;
  std::vector<Tensor> result;
  for (const auto& parameter : parameters) {
    tensors.push_back(parameter.tensor);
    auto sizes = parameter.tensor.sizes().vec();
    sizes.insert(sizes.begin(), samples);
    result.push_back(torch::zeros(sizes, parameter.tensor.options().requires_grad(false)));
  }
  for (std::int64_t i = 0; i < samples; ++i) {
    const auto gradients = torch::autograd::grad({losses_of(i, 1).sum()}, tensors, {}, {}, false,
                                                 /*allow_unused=*/true);
    for (std::size_t p = 0; p < tensors.size(); ++p) {
      if (gradients[p].defined()) result[p][i].copy_(gradients[p]);
    }
  }
  return result;
}

std::string difference_from_oracle(const LossesOf& losses_of, std::int64_t samples,
                                   const std::vector<NamedParameter>& parameters) {
  const auto expected = batch_of_one_gradients(losses_of, samples, parameters);
  const PerSampleGradients gradients(losses_of(0, samples), parameters);
  if (gradients.samples() != samples) return "number of samples";
  const auto written_out = gradients.materialised();
  const Tensor norms = true_squared_norms(expected);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto& name = parameters[p].name;
    const double relative = tolerance(expected[p]);
    const Tensor squared = norms[static_cast<std::int64_t>(p)];
    auto text = difference(name + " per-sample", written_out[p], expected[p],
                           relative * std::max(largest_entry(expected[p]), 1e-30));
    if (text.empty()) {
      text = difference(name + " norms", gradients.squared_norms()[static_cast<std::int64_t>(p)],
                        squared, 2 * relative * std::max(largest_entry(squared), 1e-30));
    }
    if (!text.empty()) return text;
  }
  const Tensor random = torch::rand(norms.sizes(), torch::kDouble);
  const auto text =
      sum_difference("weighted sum", parameters, gradients.weighted_sums(random), expected, random);
  if (!text.empty()) return text;
  const double median = samples == 0 ? 0 : norms.sum(0).sqrt().median().item<double>();
  const double bound = median > 0 ? median : 1;
  const auto clipped = sum_difference(
      "clipped sum", parameters, gradients.weighted_sums(clip_at(gradients.squared_norms(), bound)),
      expected, clip_at(norms, bound));
  if (!clipped.empty()) return clipped;
  return bound_difference(gradients, bound, tolerance(expected[0]));
}

void expect_matches_oracle(const LossesOf& losses_of, std::int64_t samples,
                           const std::vector<NamedParameter>& parameters) {
  EXPECT_EQ(difference_from_oracle(losses_of, samples, parameters), "");
}

std::string difference_from_oracle(const Layer& layer, std::int64_t samples,
                                   torch::ScalarType dtype) {
  layer.module->to(dtype);
  Tensor x = layer.input(samples);
  if (x.is_floating_point()) x = x.to(dtype);
  Tensor weights;
  const LossesOf losses_of = [&](std::int64_t begin, std::int64_t count) {
    const Tensor y = layer.forward(x.narrow(0, begin, count));
    if (!weights.defined()) {
      torch::NoGradGuard no_gradients;
      auto shape = y.sizes().vec();
      shape[0] = samples;
      weights = torch::randn(shape, y.options());
    }
    return (y * weights.narrow(0, begin, count)).flatten(1).square().sum(1);
  };
  return difference_from_oracle(losses_of, samples, named_parameters(*layer.module));
}

void expect_matches_oracle(const Layer& layer, OnNothing on_nothing) {
  for (const auto dtype : {torch::kFloat, torch::kDouble}) {
    for (const std::int64_t n : {0, 1, 2, 5}) {
      SCOPED_TRACE(testing::Message() << "samples " << n << ", dtype " << dtype);
      if (n == 0 && on_nothing == OnNothing::kRefusedByLibTorch) {
        EXPECT_THROW(difference_from_oracle(layer, n, dtype), c10::Error);
      } else {
        EXPECT_EQ(difference_from_oracle(layer, n, dtype), "");
      }
    }
  }
}

}  // namespace sotto::grad
