// First weights from data that may be looked at: the generator as an auto-encoder, the critic's
// convolutions as those of a classifier.
#pragma once

#include <cstdint>

#include "gan/gan_data.h"
#include "gan/networks.h"

namespace sotto::gan {

// The generator learns to give back its input, a sample and its label, by mean squares. Throws
// InvalidArgument unless its latent vector is as long as a sample.
void pretrain_generator(Generator generator, const train::TensorData& data, std::int64_t classes,
                        std::int64_t epochs);

// The critic's features learn to classify; then they are frozen. A critic without any is left
// alone.
void pretrain_critic(Critic critic, const train::TensorData& data, std::int64_t classes,
                     std::int64_t epochs);

}  // namespace sotto::gan
