// What a model saves. Its buffers and its frozen parameters are not noised, so nothing may change
// them while private records go through the model; trained parameters are changed by steps alone.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/grad/grad.h"

namespace sotto {

// Looks at which tensors there are, where their numbers lie and how often they were written to
// (LibTorch counts), never at the numbers: what it says depends on the model's code alone, not on
// records. Writes that LibTorch does not count, through data() or a pointer, are not seen.
class BufferGuard {
 public:
  // `trained`: by the engine. The model must outlive the guard's use.
  BufferGuard(const torch::nn::Module& model, std::vector<grad::NamedParameter> trained);

  // From now on nothing may change. Nothing happens if it watches already.
  void watch();
  // Until watch() anything may: for what loads weights.
  void look_away() {
    watching_ = false;
    forget_trained();
  }
  // Throws InvalidArgument, with the name and the remedy, if something changed since watch().
  void require_unchanged() const;

  // From now on, and until forget_trained() says that the step is made, nothing may change what is
  // trained: a lookup that scales down the rows it touches (max_norm) would say whose rows these
  // are.
  void watch_trained();
  void forget_trained() { trained_seen_.clear(); }
  // Throws InvalidArgument, with the name and the remedy, if something did; and from then on, for
  // what was written stays, until weights are loaded (look_away()).
  void require_trained_unchanged() const;

 private:
  struct Entry {
    std::string name;
    const char* kind;
    at::Tensor tensor;    // held, so that no other can take its place in memory
    at::Storage storage;  // likewise; set_data() replaces it
    std::int64_t writes = 0;
  };

  static bool is_same(const Entry& now, const Entry& before);
  std::vector<Entry> entries() const;
  std::vector<Entry> trained_entries() const;

  const torch::nn::Module* model_;
  std::vector<grad::NamedParameter> trained_;
  std::vector<Entry> trained_seen_;
  bool watching_ = false;
  std::vector<Entry> seen_;
};

}  // namespace sotto
