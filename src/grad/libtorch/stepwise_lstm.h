// LSTMs whose steps can be seen in the graph.
#pragma once

namespace sotto::grad {

// LibTorch 2 computes whole LSTMs on a CPU by oneDNN, as one node that adds up what samples do to
// weights. While an object of this class lives, in every thread of the process, torch::lstm is a
// node for each product, as in LibTorch 1.
class StepwiseLstm {
 public:
  StepwiseLstm();
  ~StepwiseLstm();
  StepwiseLstm(const StepwiseLstm&) = delete;
  StepwiseLstm& operator=(const StepwiseLstm&) = delete;
};

}  // namespace sotto::grad
