// Each element of the output from the same element of the inputs, which may be broadcast.
#include "grad/layout_rules/placement.h"
#include "grad/libtorch/nodes.h"

namespace sotto::grad {
namespace {

Owners elementwise(const OwnedOutput& out) {
  Owners owners;
  for (const auto& edge : out.node.next_edges()) {
    owners.push_back(edge.is_valid() ? broadcast_owner(out, edge) : Owner{});
  }
  return owners;
}

}  // namespace

void add_elementwise_layouts(LayoutTable& table) {
  table.add({"AddBackward0",
             "AddBackward1",
             "SubBackward0",
             "SubBackward1",
             "RsubBackward0",
             "RsubBackward1",
             "MulBackward0",
             "MulBackward1",
             "DivBackward0",
             "DivBackward1",
             "PowBackward0",
             "PowBackward1",
             "PowBackward2",
             "ExpBackward0",
             "Exp2Backward0",
             "Expm1Backward0",
             "LogBackward0",
             "Log1PBackward0",
             "Log2Backward0",
             "Log10Backward0",
             "AbsBackward0",
             "NegBackward0",
             "SqrtBackward0",
             "RsqrtBackward0",
             "ErfBackward0",
             "ErfcBackward0",
             "ReciprocalBackward0",
             "SignBackward0",
             "ReluBackward0",
             "ThresholdBackward0",
             "ThresholdBackward1",
             "SigmoidBackward0",
             "TanhBackward0",
             "GeluBackward0",
             "SiluBackward0",
             "MishBackward0",
             "EluBackward0",
             "EluBackward1",
             "LeakyReluBackward0",
             "LeakyReluBackward1",
             "SoftplusBackward0",
             "HardtanhBackward0",
             "HardtanhBackward1",
             "HardswishBackward0",
             "HardsigmoidBackward0",
             "SoftshrinkBackward0",
             "LogSigmoidBackward0",
             "ClampBackward0",
             "ClampBackward1",
             "ClampMinBackward0",
             "ClampMinBackward1",
             "ClampMaxBackward0",
             "ClampMaxBackward1",
             "MaximumBackward0",
             "MinimumBackward0",
             "WhereBackward0",
             "MaskedFillBackward0",
             "NativeDropoutBackward0",
             "AddcmulBackward0",
             "AddcdivBackward0",
             "LerpBackward0",
             "LerpBackward1",
             "CloneBackward0",
             "ToCopyBackward0",
             "AliasBackward0",
             "ExpandBackward0",
             "MseLossBackward0",
             "SmoothL1LossBackward0",
             "HuberLossBackward0",
             "BinaryCrossEntropyBackward0",
             "BinaryCrossEntropyWithLogitsBackward0",
             "LogaddexpBackward0"},
            elementwise);
  // What a backward pass that is itself recorded leaves behind (gradient penalties).
  table.add({"ThresholdBackwardBackward0", "LeakyReluBackwardBackward0", "EluBackwardBackward0",
             "TanhBackwardBackward0", "SigmoidBackwardBackward0", "SoftplusBackwardBackward0",
             "GeluBackwardBackward0", "SiluBackwardBackward0"},
            elementwise);
  table.add({kPreluNode}, [](const OwnedOutput& out) {
    if (kPreluBroadcasts) return elementwise(out);
    static_cast<void>(out.axis());
    return Owners{Owner{out.layout}, Owner{}};
  });
}

}  // namespace sotto::grad
