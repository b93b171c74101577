// What Lipschitz networks can promise beyond privacy: no small change of an input changes the
// answer.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace sotto::lipschitz {

// The radius within which no change of the input (Euclidean norm) changes the highest score: half
// the margin's reach, (z_1st - z_2nd)/(√2 L). 0 where the highest score is not the label's. scores
// (N, classes), labels (N) -> (N), double.
at::Tensor certified_radii(const at::Tensor& scores, const at::Tensor& labels, double lipschitz);

struct CertifiedAccuracy {
  double radius = 0;
  double accuracy = 0;  // share of samples that are right within the whole ball
};

std::vector<CertifiedAccuracy> certified_accuracy(const at::Tensor& radii,
                                                  const std::vector<double>& at_radii);

}  // namespace sotto::lipschitz
