// What a critic is trained to make small, sample by sample.
#pragma once

#include <ATen/core/Tensor.h>

#include "gan/networks.h"
#include "sotto/gan/gan.h"

namespace sotto::gan {

// A real record, a generated one and a point between them, each with the record's label.
struct Pairs {
  at::Tensor real;    // (n, *shape)
  at::Tensor fake;    // (n, *shape)
  at::Tensor mixed;   // (n, *shape): ρ·real + (1 - ρ)·fake
  at::Tensor labels;  // (n, classes)
};

// Pairs every real record with one that the generator makes for its label. The generator's batch
// norms must be in evaluation mode: they would mix the records' labels.
// `places` (n): ρ. It and the latent vectors must be secret: see SecretDraws.
Pairs make_pairs(Generator generator, const at::Tensor& latent, const at::Tensor& places,
                 const at::Tensor& real, const at::Tensor& labels);

// ∇_x D, (n, *shape), differentiable with respect to the critic's parameters.
at::Tensor critic_slope(Critic critic, const at::Tensor& samples, const at::Tensor& labels);

struct CriticObjective {
  CriticLoss loss = CriticLoss::kWasserstein;
  double penalty = 10;
};

// D(fake) - D(real) + λ(‖∇D(mixed)‖ - 1)², or logistic; (n). arXiv:1801.01594, Algorithm 1, lines 4
// to 6. Every loss depends on its own pair alone.
at::Tensor critic_losses(Critic critic, const Pairs& pairs, const CriticObjective& objective);

}  // namespace sotto::gan
