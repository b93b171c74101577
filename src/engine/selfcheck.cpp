#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/counted.h"
#include "sotto/core/error.h"
#include "sotto/engine/inspector.h"

namespace sotto {
namespace {

using at::Tensor;
constexpr double kTolerance = 1e-3;  // float32 through a deep network

double largest(const Tensor& t) { return t.numel() == 0 ? 0 : t.abs().max().item<double>(); }

double relative_difference(const Tensor& got, const Tensor& expected, double scale) {
  const double difference = largest(got - expected) / std::max(1e-12, scale);
  return std::isnan(difference) ? INFINITY : difference;
}

}  // namespace

bool SelfcheckReport::passed() const {
  return largest_loss_difference <= kTolerance && largest_gradient_difference <= kTolerance;
}

std::string SelfcheckReport::text() const {
  std::ostringstream text;
  text << (passed() ? "passed" : "FAILED") << ": over " << counted(samples, "sample")
       << ", the largest relative difference to batches of one is " << largest_loss_difference
       << " in the loss and " << largest_gradient_difference << " in the gradient";
  if (!worst_parameter.empty()) text << " (parameter '" << worst_parameter << "')";
  return text.str();
}

SelfcheckReport selfcheck(const LossesOfRange& losses_of, std::int64_t samples,
                          const std::vector<grad::NamedParameter>& parameters) {
  check_argument(samples >= 2, "selfcheck needs at least 2 samples, got ", samples);
  SelfcheckReport report;
  report.samples = samples;
  const Tensor losses = losses_of(0, samples);
  const auto gradients = grad::PerSampleGradients(losses, parameters).materialised();
  std::vector<Tensor> tensors;
  for (const auto& parameter : parameters) tensors.push_back(parameter.tensor);
  for (std::int64_t i = 0; i < samples; ++i) {
    const Tensor loss = losses_of(i, 1);
    report.largest_loss_difference = std::max(
        report.largest_loss_difference, relative_difference(losses.detach().narrow(0, i, 1),
                                                            loss.detach(), largest(loss.detach())));
    const auto truth = torch::autograd::grad({loss.sum()}, tensors, {}, c10::nullopt, false, true);
    double scale = 0;  // a parameter whose gradient is 0 in theory has rounding noise in practice
    for (const auto& gradient : truth) {
      if (gradient.defined()) scale = std::max(scale, largest(gradient));
    }
    for (std::size_t p = 0; p < tensors.size(); ++p) {
      const Tensor expected = truth[p].defined() ? truth[p] : at::zeros_like(tensors[p]);
      const double difference = relative_difference(gradients[p][i], expected.detach(), scale);
      if (difference > report.largest_gradient_difference) {
        report.largest_gradient_difference = difference;
        report.worst_parameter = parameters[p].name;
      }
    }
  }
  return report;
}

}  // namespace sotto
