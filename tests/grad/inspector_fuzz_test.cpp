// Whatever the inspector accepts agrees with a loop over batches of one, and leaves buffers alone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sotto/core/error.h"
#include "sotto/engine/privacy_engine.h"
#include "tests/grad/any_program.h"

namespace sotto::grad {
namespace {

using torch::Tensor;

constexpr const char* kRefused = "refused";
constexpr const char* kAccepted = "accepted";

std::map<std::string, Tensor> copies_of_buffers(const torch::nn::Module& module) {
  std::map<std::string, Tensor> copies;
  for (const auto& item : module.named_buffers()) copies[item.key()] = item.value().clone();
  return copies;
}

bool buffers_equal(const torch::nn::Module& module, const std::map<std::string, Tensor>& copies) {
  const auto now = module.named_buffers();
  return now.size() == copies.size() && std::all_of(now.begin(), now.end(), [&](const auto& item) {
           const auto copy = copies.find(item.key());
           return copy != copies.end() && torch::equal(item.value(), copy->second);
         });
}

// One step of all samples by the engine; what it did to buffers.
std::string engine_verdict(const Layer& layer, std::int64_t samples) {
  layer.module->to(torch::kFloat);
  const Tensor x = layer.input(samples);
  torch::optim::SGD optimizer(layer.module->parameters(), 0.1);
  PlanOptions plan;
  plan.dataset_size = plan.batch_size = samples;
  plan.sampling = accounting::Sampling::kNone;
  plan.steps = 1;
  plan.noise_multiplier = 1;
  auto engine = make_private(*layer.module, optimizer, plan);
  const auto before = copies_of_buffers(*layer.module);
  const auto batch = engine.next_batch();
  try {
    engine.step(layer.forward(x.index_select(0, batch->indices)).flatten(1).square().sum(1));
  } catch (const std::exception&) {
    return engine.steps() == 0 ? kRefused : "refused, and charged";
  }
  return buffers_equal(*layer.module, before) ? kAccepted : "a buffer was changed without noise";
}

double largest(const Tensor& t) { return t.numel() == 0 ? 0 : t.abs().max().item<double>(); }

// Random losses of a batch, in double precision.
LossesOf losses_of_program(const Layer& layer, std::int64_t samples) {
  layer.module->to(torch::kDouble);
  Tensor x = layer.input(samples);
  if (x.is_floating_point()) x = x.to(torch::kDouble);
  const torch::NoGradGuard no_gradients;
  const Tensor weights = torch::randn_like(layer.forward(x));
  return [=](std::int64_t begin, std::int64_t n) {
    const Tensor y = layer.forward(x.narrow(0, begin, n));
    return (y * weights.narrow(0, begin, n)).flatten(1).square().sum(1);
  };
}

// What differs from batches of one, beyond rounding relative to the largest gradient: many
// parameters' gradients are 0 in theory and rounding in practice. Throws NotSeparable.
std::string difference_from_loop(const Layer& layer, std::int64_t samples) {
  const auto parameters = named_parameters(*layer.module);
  const auto losses_of = losses_of_program(layer, samples);
  const PerSampleGradients gradients(losses_of(0, samples), parameters);
  const auto expected = batch_of_one_gradients(losses_of, samples, parameters);
  const auto written_out = gradients.materialised();
  const auto sums = gradients.weighted_sums(torch::ones_like(gradients.squared_norms()));
  double scale = 1;
  for (const auto& gradient : expected) scale = std::max(scale, largest(gradient));
  if (!std::isfinite(scale)) return "";
  constexpr double kTolerance = 1e-9;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto differs = [&](const Tensor& got, const Tensor& truth, double unit) {
      return !(largest(got - truth) <= kTolerance * unit);
    };
    const auto elements = static_cast<double>(expected[p].numel());
    const auto squares = expected[p].reshape({samples, -1}).square().sum(1);
    if (differs(written_out[p], expected[p], scale)) return parameters[p].name + ": gradients";
    // Every sample is cut off to 2^-20 of the largest norm.
    const double cut = samples == 0 ? 0
                                    : 1.01 * 0x1p-20 * static_cast<double>(samples) *
                                          std::sqrt(squares.max().item<double>());
    if (differs(sums[p], expected[p].sum(0), scale * elements + cut / kTolerance)) {
      return parameters[p].name + ": sum";
    }
    if (differs(gradients.squared_norms()[static_cast<std::int64_t>(p)], squares,
                scale * scale * elements)) {
      return parameters[p].name + ": norms";
    }
  }
  return "";
}

// kRefused, kAccepted, or what is wrong with its having been accepted.
std::string verdict(const AnyLayer& any, std::int64_t samples) {
  std::string difference;
  try {
    difference = difference_from_loop(any.layer, samples);
  } catch (const NotSeparable&) {
    return kRefused;
  }
  return difference.empty() ? engine_verdict(any.layer, samples) : difference;
}

AnyLayer small_linear(std::int64_t out) {
  torch::nn::Linear linear(4, out);
  return {{linear.ptr(), [=](const Tensor& x) mutable { return linear->forward(x); }, normal({4})},
          describe("Linear", 4, out)};
}

// Alone, behind a layer: with as many features as samples, shapes do not tell them apart.
TEST(InspectorFuzz, EveryOperationThatMixesIsRefused) {
  torch::manual_seed(1);
  for (const auto& kind : operation_kinds()) {
    for (const std::int64_t samples : {2, 4}) {
      const auto found = verdict(program_of(small_linear(4), {kind}), samples);
      if (kind.mixes) {
        EXPECT_EQ(found, kRefused) << kind.name;
      } else {
        EXPECT_TRUE(found == kRefused || found == kAccepted) << kind.name << ": " << found;
      }
    }
  }
}

// Or nothing would be compared.
TEST(InspectorFuzz, MostOperationsThatDoNotAreAccepted) {
  torch::manual_seed(1);
  int apart = 0;
  int accepted = 0;
  for (const auto& kind : operation_kinds()) {
    if (kind.mixes) continue;
    ++apart;
    if (verdict(program_of(small_linear(4), {kind}), 3) == kAccepted) ++accepted;
  }
  EXPECT_GE(4 * accepted, 3 * apart) << accepted << " of " << apart;
}

// The comparison itself: a statistic that enters as a constant is accepted, as documented, and
// seen.
TEST(InspectorFuzz, AHoleWouldBeFound) {
  torch::manual_seed(1);
  const OperationKind hole{"detached mean", true, [](Program&, const auto&) -> ProgramStep {
                             return [](const Tensor& x) { return x * x.detach().mean(0); };
                           }};
  const auto found = verdict(program_of(small_linear(4), {hole}), 4);
  EXPECT_NE(found, kRefused);
  EXPECT_NE(found, kAccepted);
}

// Programs are cheap: several a case. (RC_PARAMS sets the number of cases; scripts/test --slow
// does.)
RC_GTEST_PROP(InspectorFuzz, WhatIsAcceptedAgreesWithBatchesOfOne, ()) {
  torch::manual_seed(*rc::gen::arbitrary<std::uint32_t>());
  int accepted = 0;
  for (int i = 0; i < 10; ++i) {
    const AnyLayer any = any_program();
    const auto samples = any_of_range(2, 5);
    RC_LOG() << any.description << "; " << samples << " samples\n";
    const auto found = verdict(any, samples);
    RC_ASSERT(found == kAccepted || found == kRefused);
    accepted += found == kAccepted ? 1 : 0;
  }
  RC_TAG(accepted);
}

}  // namespace
}  // namespace sotto::grad
