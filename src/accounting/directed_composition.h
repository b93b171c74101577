// ε and δ of a composition in one direction (P against Q), from both sides.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "accounting/cumulants.h"
#include "accounting/loss_source.h"
#include "accounting/tilted_convolution.h"
#include "sotto/accounting/guarantee.h"

namespace sotto::accounting {

struct RepeatedSource {
  std::shared_ptr<const LossSource> source;
  std::int64_t count;
};

class DirectedComposition {
 public:
  // `smallest_delta`: no smaller δ will be asked for, and how much smaller a δ(ε) is does not
  // matter. REQUIRES: parts is not empty.
  DirectedComposition(std::vector<RepeatedSource> parts, double smallest_delta,
                      std::size_t max_transform_size);

  // ε(δ), with (upper - lower)/upper at most relative_width where max_transform_size allows it.
  Enclosure epsilon(double delta, double relative_width) const;
  // δ(ε), likewise.
  Enclosure delta(double epsilon, double relative_width) const;
  // Upper bounds on δ at each ε, from one transform: within about 1e-3 of δ, and smallest_delta.
  // REQUIRES: epsilons >= 0.
  std::vector<double> upper_deltas(const std::vector<double>& epsilons) const;
  // ε(δ) and δ(ε) to within some percent or so, from the saddle point; no bounds.
  double approximate_epsilon(double delta) const;
  double approximate_delta(double epsilon) const;

 private:
  struct Aim {
    double tilt;       // λ of the saddle point
    double low;        // smallest ε of interest
    double deviation;  // standard deviation of the tilted loss
    double tolerated_mass;
    double mesh;
    std::vector<double> more_tilts{};  // that bins must be fine enough for, besides the window's
  };
  // Nothing if the numbers involved leave the range of doubles.
  std::optional<ComposedBracket> bracket(const Aim& aim) const;
  // λ of the saddle point for δ(ε), or for the smallest δ.
  double tilt_at(double epsilon) const;
  // The mesh at which discretisation widens the ε-interval by about `absolute_width`.
  double mesh_for(double absolute_width, double tilt, double deviation) const;
  // That mesh or a finer one, as alignment and the longest transform allow.
  double fitted_mesh(double mesh, double window_width) const;
  // A mesh that divides the spans of all parts, if a small divisor of the first does; else 0.
  double common_mesh() const;

  std::vector<RepeatedSource> parts_;
  std::vector<std::vector<LossAtom>> coarse_;
  CumulantFunction cumulants_;
  double smallest_delta_;
  std::size_t max_transform_size_;
  double steps_ = 0;         // all events
  double smooth_steps_ = 0;  // events that the mesh does not represent exactly
  double aligned_span_ = 0;  // of the first part that has one
  double highest_loss_ = 0;  // of the whole composition; +∞ if there is no bound
};

}  // namespace sotto::accounting
