// Never: a buffer updated from data, trained and saved without noise.
#include "engine/buffer_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "plan/ledger.h"
#include "sotto/core/error.h"
#include "sotto/engine/privacy_engine.h"
#include "tests/core/temporary_folder.h"

namespace sotto {
namespace {

using testing::HasSubstr;
using torch::Tensor;

// What a user's own layer may do in forward().
enum class Habit {
  kNone,
  kRunningMean,     // in place
  kThroughDetach,   // in place, by a detached alias
  kThroughAView,    // one row of it
  kNewNumbers,      // set_data
  kReplaced,        // another tensor under the same name
  kCodebook,        // a parameter that is not trained
  kCounter,         // public, and refused all the same: nobody can tell from outside
  kRegisteredLate,  // a buffer that was not there before
};

struct NetImpl : torch::nn::Module {
  explicit NetImpl(Habit the_habit)
      : habit(the_habit),
        steps(register_buffer("steps", torch::zeros({}, torch::kLong))),
        mean(register_buffer("mean", torch::zeros({6}))) {
    codebook = register_parameter("codebook", torch::randn({4, 6}), /*requires_grad=*/false);
    linear = register_module("linear", torch::nn::Linear(6, 2));
  }

  Tensor forward(const Tensor& x) {
    behave(x);
    const Tensor now = named_buffers()["mean"];
    return linear(at::batch_norm(x, {}, {}, now, torch::ones({6}), /*training=*/false, 0.1, 1e-5,
                                 /*cudnn_enabled=*/false) +
                  codebook[0]);
  }

  void behave(const Tensor& x) {
    const torch::NoGradGuard no_gradients;
    const Tensor found = x.mean(0);
    if (habit == Habit::kRunningMean) mean.mul_(0.9).add_(found, 0.1);
    if (habit == Habit::kThroughDetach) mean.detach().copy_(found);
    if (habit == Habit::kThroughAView) mean.narrow(0, 0, 1).copy_(found.narrow(0, 0, 1));
    if (habit == Habit::kNewNumbers) mean.set_data(found);
    if (habit == Habit::kReplaced) mean = found;
    if (habit == Habit::kCodebook) codebook[1].copy_(found);
    if (habit == Habit::kCounter) steps += 1;
    if (habit == Habit::kRegisteredLate && named_buffers().size() == 2) {
      register_buffer("late", found);
    }
  }

  Habit habit;
  Tensor steps;
  Tensor& mean;  // the model's own, so that another can be put in its place
  Tensor codebook;
  torch::nn::Linear linear{nullptr};
};
TORCH_MODULE(Net);

class NeverBuffer : public testing::Test {
 protected:
  NeverBuffer() { torch::manual_seed(3); }

  static PlanOptions plan() {
    return {.dataset_size = 40, .batch_size = 20, .steps = 3, .noise_multiplier = 1};
  }
  Tensor losses(Net& net, const Batch& batch) const {
    return net->forward(inputs.index_select(0, batch.indices)).square().sum(1);
  }
  std::string refusal(Net& net, PrivacyEngine& engine) const {
    try {
      while (const auto batch = engine.next_batch()) engine.step(losses(net, *batch));
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  }
  static torch::optim::SGD optimizer_of(Net& net) {
    return torch::optim::SGD(net->linear->parameters(), 0.1);
  }

  Tensor inputs = torch::randn({40, 6});
};

struct Case {
  Habit habit;
  std::string words;
};

// At the first step, before anything is charged or moved.
TEST_F(NeverBuffer, ChangedFromData) {
  for (const auto& [habit, words] : std::vector<Case>{
           {Habit::kRunningMean, "buffer 'mean' was changed"},
           {Habit::kThroughDetach, "buffer 'mean' was changed"},
           {Habit::kThroughAView, "buffer 'mean' was changed"},
           {Habit::kNewNumbers, "buffer 'mean' was changed"},
           {Habit::kReplaced, "buffer 'mean' was changed"},
           {Habit::kCodebook, "untrained parameter 'codebook' was changed"},
           {Habit::kCounter, "buffer 'steps' was changed"},
           {Habit::kRegisteredLate, "buffer 'late' was added"},
       }) {
    const TemporaryFolder folder;
    Net net(habit);
    auto optimizer = optimizer_of(net);
    const Tensor before = net->linear->weight.detach().clone();
    auto engine = make_private(*net, optimizer, plan(), {.ledger = folder / "ledger.jsonl"});
    EXPECT_THAT(refusal(net, engine), HasSubstr(words));
    EXPECT_EQ(engine.steps(), 0);
    engine.flush();
    EXPECT_EQ(Ledger::read(folder / "ledger.jsonl").steps_charged, 0);
    EXPECT_TRUE(torch::equal(before, net->linear->weight));
  }
}

TEST_F(NeverBuffer, ChangedByOnePartOfABatch) {
  Net net(Habit::kRunningMean);
  auto optimizer = optimizer_of(net);
  auto engine = make_private(*net, optimizer, plan(), {.max_physical_batch_size = 4});
  EXPECT_THAT(refusal(net, engine), HasSubstr("buffer 'mean' was changed"));
  EXPECT_EQ(engine.steps(), 0);
}

// Also between two steps, by whoever has seen the batch.
TEST_F(NeverBuffer, ChangedAfterAStep) {
  Net net(Habit::kNone);
  auto optimizer = optimizer_of(net);
  auto engine = make_private(*net, optimizer, plan());
  const auto first = engine.next_batch();
  engine.step(losses(net, *first));
  net->mean.copy_(inputs.index_select(0, first->indices).mean(0));
  EXPECT_THAT(refusal(net, engine), HasSubstr("buffer 'mean' was changed"));
  EXPECT_EQ(engine.steps(), 1);
}

// Whether it is refused depends on what the layer does, not on what it finds in the data.
TEST_F(NeverBuffer, ChangedToTheSameNumbers) {
  Net net(Habit::kThroughDetach);
  inputs.zero_();  // the mean stays zero
  auto optimizer = optimizer_of(net);
  auto engine = make_private(*net, optimizer, plan());
  EXPECT_THAT(refusal(net, engine), HasSubstr("buffer 'mean' was changed"));
}

TEST_F(NeverBuffer, ReadOnlyIsAllowed) {
  Net net(Habit::kNone);
  auto optimizer = optimizer_of(net);
  auto engine = make_private(*net, optimizer, plan());
  EXPECT_EQ(refusal(net, engine), "");
  EXPECT_EQ(engine.steps(), 3);
}

TEST_F(NeverBuffer, WeightsMayBeLoadedBeforeTheFirstBatchAndBeforeRestoring) {
  Net net(Habit::kNone);
  auto optimizer = optimizer_of(net);
  auto engine = make_private(*net, optimizer, plan());
  net->mean.fill_(1);
  engine.step(losses(net, *engine.next_batch()));
  const auto checkpoint = engine.checkpoint();
  net->mean.fill_(2);
  engine.restore(checkpoint);
  EXPECT_EQ(refusal(net, engine), "");
  EXPECT_EQ(engine.steps(), 3);
}

TEST_F(NeverBuffer, MadeWhereChangesAreNotCounted) {
  Net net(Habit::kNone);
  {
    const c10::InferenceMode uncounted;
    net->mean = torch::zeros({6});
  }
  auto optimizer = optimizer_of(net);
  auto engine = make_private(*net, optimizer, plan());
  EXPECT_THAT(refusal(net, engine), HasSubstr("inference mode"));
}

}  // namespace
}  // namespace sotto
