// Privacy-loss distributions on a lattice {offset + mesh·i}.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace sotto::accounting {

struct Lattice {
  static constexpr double kSnap = 1e-14;

  Lattice(double mesh_width, double lattice_offset) : mesh(mesh_width), offset(lattice_offset) {}

  double mesh;
  double offset;

  double loss(std::int64_t index) const { return offset + mesh * static_cast<double>(index); }
  double position(double loss) const { return (loss - offset) / mesh; }

  // Nearest index at or below / above, forgiving the rounding of a loss that is meant to lie on
  // the lattice: kSnap times the numbers involved, which compose() charges for.
  std::int64_t floor(double loss) const {
    return static_cast<std::int64_t>(std::floor(position(loss) + rounding(loss)));
  }
  std::int64_t ceil(double loss) const {
    return static_cast<std::int64_t>(std::ceil(position(loss) - rounding(loss)));
  }

  Lattice mirrored() const { return {mesh, -offset}; }

 private:
  double rounding(double loss) const {
    return kSnap * (1 + (std::abs(loss) + std::abs(offset)) / mesh);
  }
};

// Probability `mass` (under P) of the loss lattice.loss(index).
struct LatticeAtom {
  std::int64_t index;
  double mass;
};

// The distribution of the loss under P. Atoms may repeat an index; their masses add.
struct LatticePld {
  Lattice lattice;
  std::vector<LatticeAtom> atoms;
  double infinite_mass;  // probability of an infinite loss
  // An upper estimate's: by how much losses may lie outside the bins that they were counted in.
  double loss_error = 0;
};

// Probability `mass` of a loss that need not lie on a lattice.
struct LossAtom {
  double loss;
  double mass;
};

}  // namespace sotto::accounting
