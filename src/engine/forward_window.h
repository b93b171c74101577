// While a model runs on private records, LibTorch must not compare whole batches.
#pragma once

namespace sotto {

// nn::MultiheadAttention asks torch::equal(query, key) for the whole batch, and takes another way
// for everybody if one record answers no: its gradients then go to other parameters, and its
// numbers are rounded otherwise. While a window is open, torch::equal says in its thread whether
// two tensors are the same memory, seen in the same way, which does not depend on what is in it:
// self-attention is told as before, and other attention takes the way that is right for all.
class ForwardWindow {
 public:
  ForwardWindow() = default;
  ~ForwardWindow() { close(); }
  ForwardWindow(const ForwardWindow&) = delete;
  ForwardWindow& operator=(const ForwardWindow&) = delete;

  // Both may be called again; close() in the thread that opened it.
  void open();
  void close();

 private:
  bool open_ = false;
};

}  // namespace sotto
