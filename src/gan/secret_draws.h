// Random numbers for private batches.
//
// A batch of a private size needs as many latent vectors. Were they drawn from a stream that others
// know, one record more would shift the numbers of all records behind it, and the stream would tell
// the sizes to whoever reads it next: these are secret, and of no other use.
#pragma once

#include <memory>
#include <optional>

#include "sotto/core/random.h"
#include "sotto/gan/generator_file.h"

namespace sotto::gan {

class SecretDraws {
 public:
  // Secret, or from a seed: nothing is private then.
  explicit SecretDraws(const std::optional<std::uint64_t>& insecure_seed);

  // Latent vectors (n, latent).
  at::Tensor latent(const GeneratorCard& card, std::int64_t n);
  // (n), uniform on [0, 1).
  at::Tensor uniform(std::int64_t n);

 private:
  std::unique_ptr<RandomSource> random_;
};

}  // namespace sotto::gan
