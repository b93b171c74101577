// What the plan asks of a way of clipping.
#pragma once

#include <nlohmann/json.hpp>

#include "sotto/plan/plan.h"

namespace sotto {

// Throws InvalidArgument, naming the value and what is accepted, or NoValidAnalysis where this
// clipping has none under the plan's sampling and `relation`.
void check_clipping(const PlanOptions& options, accounting::Adjacency adjacency);

// Its settings, for the ledger; `batch_size` gives the default noise of a count.
void add_to_json(const Clipping& clipping, std::int64_t batch_size, std::int64_t steps_per_epoch,
                 nlohmann::json& plan);
// What add_to_json() wrote. Throws InvalidArgument or a nlohmann exception.
Clipping clipping_from_json(const nlohmann::json& plan);

// Standard deviation of the noise on the count of unclipped samples.
double count_noise_of(const AdaptiveClipping& clipping, std::int64_t batch_size);

// The multiplier of the gradient's own noise, if all that a step releases is to be one Gaussian of
// multiplier `noise`; 0 if the count alone takes more.
double gradient_noise(const Clipping& clipping, double noise, std::int64_t batch_size);

}  // namespace sotto
