// Every rule against a batch-of-one loop: random shapes and settings; 0, 1 and 5 samples.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/grad/any_layer.h"

namespace sotto::grad {
namespace {

// What LibTorch itself cannot run forward on an empty batch. (The engine never asks it to: nobody
// drawn means noise alone.) All else can, and is checked to.
const std::set<std::string> kNotOnEmptyBatches{"EmbeddingBag with offsets", "InstanceNorm",
                                               "MultiheadAttention", "TransformerEncoderLayer"};

bool runs_on_nothing(const Layer& layer) {
  try {
    layer.forward(layer.input(0));
  } catch (const c10::Error&) {
    return false;
  }
  return true;
}

void check_rule(const std::string& kind, const AnyLayer& any) {
  torch::manual_seed(*rc::gen::arbitrary<std::uint32_t>());
  RC_LOG() << kind << ' ' << any.description;
  any.layer.module->to(torch::kFloat);
  const bool runs = runs_on_nothing(any.layer);
  RC_ASSERT(runs || kNotOnEmptyBatches.contains(kind));  // of some releases of LibTorch
  for (const auto dtype : {torch::kFloat, torch::kDouble}) {
    for (const std::int64_t samples : {0, 1, 5}) {
      if (samples == 0 && !runs) continue;
      RC_LOG() << "samples " << samples << ", " << torch::toString(dtype);
      RC_ASSERT(difference_from_oracle(any.layer, samples, dtype) == std::string());
    }
  }
}

RC_GTEST_PROP(RuleProperties, Linear, ()) { check_rule("Linear", any_linear()); }
RC_GTEST_PROP(RuleProperties, Conv1d, ()) { check_rule("Conv1d", any_conv1d()); }
RC_GTEST_PROP(RuleProperties, Conv2d, ()) { check_rule("Conv2d", any_conv2d()); }
RC_GTEST_PROP(RuleProperties, Conv3d, ()) { check_rule("Conv3d", any_conv3d()); }
RC_GTEST_PROP(RuleProperties, ConvTranspose1d, ()) {
  check_rule("ConvTranspose1d", any_conv_transpose1d());
}
RC_GTEST_PROP(RuleProperties, ConvTranspose2d, ()) {
  check_rule("ConvTranspose2d", any_conv_transpose2d());
}
RC_GTEST_PROP(RuleProperties, ConvTranspose3d, ()) {
  check_rule("ConvTranspose3d", any_conv_transpose3d());
}
RC_GTEST_PROP(RuleProperties, Embedding, ()) { check_rule("Embedding", any_embedding()); }
RC_GTEST_PROP(RuleProperties, EmbeddingBag, ()) {
  check_rule("EmbeddingBag", any_embedding_bag(/*offsets=*/false));
}
RC_GTEST_PROP(RuleProperties, EmbeddingBagWithOffsets, ()) {
  check_rule("EmbeddingBag with offsets", any_embedding_bag(/*offsets=*/true));
}
RC_GTEST_PROP(RuleProperties, LayerNorm, ()) { check_rule("LayerNorm", any_layer_norm()); }
RC_GTEST_PROP(RuleProperties, GroupNorm, ()) { check_rule("GroupNorm", any_group_norm()); }
RC_GTEST_PROP(RuleProperties, InstanceNorm, ()) { check_rule("InstanceNorm", any_instance_norm()); }
RC_GTEST_PROP(RuleProperties, PReLU, ()) { check_rule("PReLU", any_prelu()); }
RC_GTEST_PROP(RuleProperties, Arithmetic, ()) { check_rule("Arithmetic", any_arithmetic()); }
RC_GTEST_PROP(RuleProperties, Rnn, ()) { check_rule("RNN", any_rnn()); }
RC_GTEST_PROP(RuleProperties, Gru, ()) { check_rule("GRU", any_gru()); }
RC_GTEST_PROP(RuleProperties, Lstm, ()) { check_rule("LSTM", any_lstm()); }
RC_GTEST_PROP(RuleProperties, MultiheadAttention, ()) {
  check_rule("MultiheadAttention", any_attention());
}
RC_GTEST_PROP(RuleProperties, TransformerEncoderLayer, ()) {
  check_rule("TransformerEncoderLayer", any_encoder_layer());
}

}  // namespace
}  // namespace sotto::grad
