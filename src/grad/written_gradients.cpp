#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "fused/vector_kernels.h"
#include "grad/outer_products.h"

namespace sotto::grad {
namespace {

using at::Tensor;
using Uses = std::vector<const OuterProductUse*>;

std::int64_t entries(const Uses& uses) { return uses[0]->left_size() * uses[0]->right_size(); }

// One thread's writers of all uses.
class Writers {
 public:
  explicit Writers(const Uses& uses) {
    for (const auto* use : uses) writers_.push_back(use->writer());
  }

  void write(std::int64_t sample, float* gradient) {
    bool add = false;
    for (const auto& writer : writers_) writer->write(sample, std::exchange(add, true), gradient);
  }

 private:
  std::vector<std::unique_ptr<SampleWriter>> writers_;
};

}  // namespace

bool have_writers(const Uses& uses) {
  return !uses.empty() &&
         std::all_of(uses.begin(), uses.end(), [](const auto* use) { return use->has_writer(); });
}

Tensor written_gradients(const Uses& uses, std::int64_t begin, std::int64_t end) {
  const Tensor written = at::empty({end - begin, entries(uses)}, at::kFloat);
  auto* out = written.data_ptr<float>();
  at::parallel_for(begin, end, 1, [&](std::int64_t first, std::int64_t last) {
    Writers writers(uses);
    for (std::int64_t i = first; i < last; ++i) writers.write(i, out + (i - begin) * entries(uses));
  });
  return uses[0]->in_shape(written);
}

Tensor written_squared_norms(const Uses& uses) {
  const Tensor norms = at::empty({uses[0]->samples()}, at::kDouble);
  auto* out = norms.data_ptr<double>();
  at::parallel_for(0, norms.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    Writers writers(uses);
    std::vector<float> gradient(static_cast<std::size_t>(entries(uses)));
    for (std::int64_t i = begin; i < end; ++i) {
      writers.write(i, gradient.data());
      out[i] = fused::sum_of_squares(gradient.data(), entries(uses));
    }
  });
  return norms;
}

// Threads' sums are added in the order of their samples, so that the result does not depend on
// which thread is first.
Tensor written_weighted_sum(const Uses& uses, const Tensor& factors) {
  const Tensor weights = factors.to(at::kFloat).contiguous();
  const auto* weight = weights.data_ptr<float>();
  std::map<std::int64_t, Tensor> sums;
  std::mutex guard;
  at::parallel_for(0, weights.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    Writers writers(uses);
    std::vector<float> gradient(static_cast<std::size_t>(entries(uses)));
    const Tensor sum = at::zeros({1, entries(uses)}, at::kFloat);
    for (std::int64_t i = begin; i < end; ++i) {
      if (weight[i] == 0) continue;
      writers.write(i, gradient.data());
      fused::add_scaled(gradient.data(), entries(uses), weight[i], sum.data_ptr<float>());
    }
    const std::lock_guard lock(guard);
    sums.emplace(begin, sum);
  });
  Tensor total = at::zeros({1, entries(uses)}, at::kFloat);
  for (const auto& [begin, sum] : sums) total += sum;
  return uses[0]->in_shape(total).squeeze(0);
}

}  // namespace sotto::grad
