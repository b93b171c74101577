// While a model runs on private records, LibTorch must not compare whole batches.
#pragma once

#include <thread>

namespace sotto {

// nn::MultiheadAttention asks torch::equal(query, key) for the whole batch, and takes another way
// for everybody if one record answers no: its gradients then go to other parameters, and its
// numbers are rounded otherwise. While a window is open, torch::equal of sequences (three
// dimensions) says in its thread whether they are the same memory, seen in the same way, which does
// not depend on what is in it: self-attention is told as before, and other attention takes the way
// that is right for all.
class ForwardWindow {
 public:
  ForwardWindow() = default;
  ~ForwardWindow() { close(); }
  ForwardWindow(const ForwardWindow&) = delete;
  ForwardWindow& operator=(const ForwardWindow&) = delete;

  // In the calling thread. Both may be called again. What was opened in another thread stays open
  // there.
  void open();
  void close();

  // True if it was opened in this thread and nothing has closed it since: the end of an
  // InferenceMode that was open when this was opened does.
  bool is_open_here() const;

 private:
  bool open_ = false;
  std::thread::id thread_;
};

}  // namespace sotto
