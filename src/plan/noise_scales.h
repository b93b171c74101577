// How the noise of a step is shared out among parameters whose gradients are bounded one by one.
#pragma once

#include <vector>

#include "sotto/plan/plan.h"

namespace sotto {

// bounds[i]: of one sample's gradient with respect to parameter i. Noise of standard deviation
// z·scales[i] on every parameter is together one Gaussian mechanism of noise multiplier z: divided
// by its scale, a sample's whole gradient has squared norm at most Σ(bounds[i]/scales[i])² = 1.
//
// Global: all scales are √Σbounds². Per layer: scales[i] = t·coefficients[i]·bounds[i], so that
// parameter i has a multiplier of its own, z·t·coefficients[i], with t = √Σcoefficients⁻².
std::vector<double> noise_scales(const std::vector<double>& bounds, const BoundedNoise& noise);

// Throws InvalidArgument unless every coefficient is from 1e-6 to 1e6.
void check_coefficients(const std::vector<double>& coefficients);

}  // namespace sotto
