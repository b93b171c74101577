// Never: noise drawn per micro-batch, per rank with the same seed, in bf16, or from a fixed seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

using torch::Tensor;

// Noise of the plan's deviation, once a logical batch, whatever its parts.
std::string why_deviation_is_wrong(const Trainer& trainer) {
  const Task task;
  auto plan = observed_plan(task, /*batch_size=*/20, /*noise_multiplier=*/3, /*steps=*/20);
  plan.max_grad_norm = 0.2;
  for (const std::int64_t max_physical_batch_size : {0, 1, 7}) {
    const auto run = trainer(task, plan, max_physical_batch_size);
    const double deviation = observed_noise(task, plan, run).std().item<double>();
    if (std::abs(deviation - 1) > 0.05) {  // 6 standard errors
      return std::to_string(deviation) + " with parts of " +
             std::to_string(max_physical_batch_size);
    }
  }
  return "";
}

TEST(NeverNoise, TheEngineDrawsItOnceALogicalBatch) {
  EXPECT_EQ(why_deviation_is_wrong(train_with_engine), "");
  EXPECT_EQ(why_deviation_is_wrong(SimpleTrainer{}), "");
}

TEST(NeverNoise, DrawnForEveryMicroBatch) {
  SimpleTrainer bug;
  bug.noise_every_part = true;
  EXPECT_THAT(why_deviation_is_wrong(bug), HasSubstr("with parts of"));
}

TEST(NeverNoise, DividedByTheBatchSizeTwice) {
  SimpleTrainer bug;
  bug.deviation = [](const Plan& plan, double bound) {
    return plan.gradient_noise_multiplier() * bound / static_cast<double>(plan.batch_size());
  };
  EXPECT_THAT(why_deviation_is_wrong(bug), HasSubstr("with parts of"));
}

TEST(NeverNoise, NotScaledByTheThreshold) {
  SimpleTrainer bug;
  bug.deviation = [](const Plan& plan, double) { return plan.gradient_noise_multiplier(); };
  EXPECT_THAT(why_deviation_is_wrong(bug), HasSubstr("with parts of"));
}

TEST(NeverNoise, VarianceTakenForDeviation) {
  SimpleTrainer bug;
  bug.deviation = [](const Plan& plan, double bound) {
    return std::sqrt(plan.gradient_noise_multiplier() * bound);
  };
  EXPECT_THAT(why_deviation_is_wrong(bug), HasSubstr("with parts of"));
}

// The noise of each parameter of some size, in each step of two runs.
std::vector<Tensor> pieces_of_noise(const Trainer& trainer) {
  const Task task;
  const auto plan = observed_plan(task, 20, 3, /*steps=*/4);
  std::vector<Tensor> pieces;
  for (int run = 0; run < 2; ++run) {
    const Tensor noise = observed_noise(task, plan, trainer(task, plan, 0));
    std::int64_t begin = 0;
    for (const auto size : task.sizes()) {
      for (std::int64_t step = 0; step < noise.size(0); ++step) {
        if (size >= 40) pieces.push_back(noise[step].narrow(0, begin, size));
      }
      begin += size;
    }
  }
  return pieces;
}

// No two pieces begin alike: not across parameters, steps or runs.
std::string why_noise_repeats(const Trainer& trainer) {
  const auto pieces = pieces_of_noise(trainer);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Tensor both = torch::stack({pieces[i].narrow(0, 0, 40), pieces[k].narrow(0, 0, 40)});
      const double correlation = torch::corrcoef(both)[0][1].item<double>();
      if (std::abs(correlation) > 0.95) return "correlation " + std::to_string(correlation);
    }
  }
  return "";
}

// Standard normal numbers (P), each parameter's from a seed of its own.
Tensor seeded_noise(const Task& task, const std::function<std::uint64_t(std::size_t)>& seed_of) {
  std::vector<Tensor> parts;
  const auto sizes = task.sizes();
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    auto generator = at::detail::createCPUGenerator(seed_of(p));
    parts.push_back(torch::randn({64 * ((sizes[p] + 63) / 64)}, generator).narrow(0, 0, sizes[p]));
  }
  return torch::cat(parts);
}

TEST(NeverNoise, TheEngineNeverRepeatsIt) {
  EXPECT_EQ(why_noise_repeats(train_with_engine), "");
  EXPECT_EQ(why_noise_repeats(SimpleTrainer{}), "");
}

// Also: every rank with the same seed, and a resumed run that starts its generator anew.
TEST(NeverNoise, FromTheSameSeedInEveryRun) {
  SimpleTrainer bug;
  bug.noise = [](const Task& task, std::int64_t step) {
    return seeded_noise(task, [&](std::size_t p) { return 1337 + 1000 * step + p; });
  };
  EXPECT_THAT(why_noise_repeats(bug), HasSubstr("correlation"));
}

TEST(NeverNoise, TheSameForEveryParameter) {
  SimpleTrainer bug;
  bug.noise = [](const Task& task, std::int64_t) {
    const auto seed = torch::randint(1 << 30, {1}).item<std::int64_t>();
    return seeded_noise(task, [&](std::size_t) { return seed; });
  };
  EXPECT_THAT(why_noise_repeats(bug), HasSubstr("correlation"));
}

TEST(NeverNoise, OfOneStepAgainInTheNextOneParameterOn) {
  const auto seed = torch::randint(1 << 30, {1}).item<std::int64_t>();
  SimpleTrainer bug;
  bug.noise = [&](const Task& task, std::int64_t step) {
    return seeded_noise(task, [&](std::size_t p) { return seed + step + p; });
  };
  EXPECT_THAT(why_noise_repeats(bug), HasSubstr("correlation"));
}

// Weights of zero and losses of zero: the first step is the noise, to its last bit. Multiples of
// 1/2048 to 1/1024 of its deviation, the engine's, have few digits and are exact all the same; what
// 16 bits round is spaced unevenly.
bool is_evenly_spaced(const Tensor& noise) {
  const double largest = noise.abs().max().item<double>();
  const Tensor steps = noise / std::ldexp(1.0, std::ilogb(largest) - 13);
  return steps.equal(steps.round());
}

std::string why_noise_is_coarse(const Trainer& trainer) {
  Task task;
  task.start.zero_();
  task.scales.zero_();
  const Tensor noise = trainer(task, observed_plan(task, 16, 1, 1), 0).steps.at(0).update;
  if (is_evenly_spaced(noise)) return "";
  for (const auto type : {torch::kBFloat16, torch::kHalf}) {
    const Tensor same = noise.to(type).to(torch::kDouble) == noise;
    if (same.to(torch::kDouble).mean().item<double>() > 0.75) return "fits into 16 bits";
  }
  return "";
}

TEST(NeverNoise, TheEngineDrawsItInFullPrecision) {
  EXPECT_EQ(why_noise_is_coarse(train_with_engine), "");
  EXPECT_EQ(why_noise_is_coarse(SimpleTrainer{}), "");
}

TEST(NeverNoise, InBf16) {
  SimpleTrainer bug;
  bug.noise = [](const Task& task, std::int64_t) {
    return torch::randn(task.start.sizes()).to(torch::kBFloat16);
  };
  EXPECT_THAT(why_noise_is_coarse(bug), HasSubstr("16 bits"));
}

// Before anything is computed with them, or charged.
TEST(NeverNoise, ModelsInFewerBitsAreRefused) {
  for (const auto type : {torch::kBFloat16, torch::kHalf}) {
    const TemporaryFolder folder;
    Task task;
    task.model->to(type);
    torch::optim::SGD optimizer(task.model->parameters(), 1.0);
    EngineOptions options;
    options.ledger = folder.path() / "ledger.jsonl";
    EXPECT_THROW(make_private(*task.model, optimizer, full_batch_plan(task, 1, 1), options),
                 InvalidArgument);
    EXPECT_FALSE(std::filesystem::exists(options.ledger));
  }
}

}  // namespace
}  // namespace sotto
