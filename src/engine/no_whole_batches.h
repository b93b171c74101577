// While there is a private engine, LibTorch must not decide for a whole batch by one record's
// numbers.
#pragma once

#include "grad/libtorch/stepwise_lstm.h"

namespace sotto {

// Three of LibTorch's functions would, and are changed while an object of this class lives, in
// every thread of the process.
//
// nn::MultiheadAttention asks torch::equal(query, key) for the whole batch, and takes another way
// for everybody if one record answers no: gradients then go to other parameters, and numbers are
// rounded otherwise. torch::equal of sequences (three dimensions) now says whether they are the
// same memory, seen in the same way, which does not depend on what is in it: self-attention is told
// as before, and other attention takes the way that is right for all.
//
// An embedding with max_norm scales down the rows that records look up, in place and without noise:
// torch::embedding_renorm_ throws InvalidArgument, before it writes.
//
// torch::binary_cross_entropy throws if one number is not in [0, 1], as NaN is not, and so one
// record would end the run: the loss of that number is NaN instead.
//
// Not seen are tensors made in inference mode, which pass by autograd.
class NoWholeBatches {
 public:
  NoWholeBatches();
  ~NoWholeBatches();
  NoWholeBatches(const NoWholeBatches&) = delete;
  NoWholeBatches& operator=(const NoWholeBatches&) = delete;

 private:
  grad::StepwiseLstm lstm_;  // of which samples can be told apart
};

}  // namespace sotto
