// What follows from a noised release about held-out records: computed from noised counts alone, so
// it costs nothing more.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runs/held_out_release.h"
#include "runs/share_interval.h"

namespace sotto::runs {

struct HeldOutScores {
  // 95 %, about: of the records drawn (Wilson) and of the noise (normal), added as squares around
  // the accuracy (MOVER, Zou and Donner 2008).
  std::optional<Interval> accuracy_interval = {};
  // Always answering what seems to be the most frequent class. The largest of noised numbers: a
  // little too large on average.
  std::optional<std::size_t> most_frequent = {};
  std::optional<double> baseline = {};
  // Right answers as a share of the class; nothing where noise leaves no records of it.
  std::vector<std::optional<double>> recalls = {};
  // Their mean; nothing unless every class has one.
  std::optional<double> balanced_accuracy = {};
};

HeldOutScores held_out_scores(const HeldOutRelease& release);

}  // namespace sotto::runs
