// The polygon of chords under construction.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "accounting/lattice_pld.h"
#include "accounting/privacy_pair.h"

namespace sotto::accounting {

// Walks along the curve of a pair, one chord after another, in order of increasing loss.
class ChordWalk {
 public:
  // Along the curve between two points, range.low possibly -∞ if the loss has a limit there.
  ChordWalk(const PrivacyPair& pair, const Lattice& lattice, Range range)
      : pair_(pair),
        lattice_(lattice),
        here_loss_(std::isfinite(range.low) ? pair.loss(range.low) : pair.loss_limits().low),
        end_loss_(pair.loss(range.high)),
        here_(pair.cut(range.low)),
        leaves_limit_(!std::isfinite(range.low)) {}

  // Appends the next chord, about `cells` cells wide; false if the curve ends before it does.
  bool advance(std::int64_t cells);

  double loss() const { return here_loss_; }

  // What is left from the end of the last chord to another point of the curve, once chords that
  // are steeper than the rest have been given back to it. With nothing left over, the polygon is
  // convex and complete, hence that of an observer.
  Masses close(const Cut& until);

  const Cut& here() const { return here_; }
  const std::vector<LatticeAtom>& atoms() const { return atoms_; }

 private:
  struct Chord {
    double end_loss;
    Cut end;
    Masses masses;  // between its ends, with the Q-mass carried so far
  };
  Chord chord_to(double end_loss) const;
  // True if what a chord leaves over changes neither its own bin nor the ones after it much.
  static bool is_close(const Chord& chord, double missing, double width);
  // Finds where a chord of slope e^slope_loss from here meets the curve again, or a little before.
  bool find_end(double slope_loss, double first_guess, Chord& chord) const;

  const PrivacyPair& pair_;
  const Lattice& lattice_;
  double here_loss_;
  double end_loss_;
  Cut here_;
  // The next chord is the first and leaves a limit of the loss: its slope is the lattice offset,
  // and it ends half a cell above that (see chord_offset).
  bool leaves_limit_;
  double stretch_ = 1;  // part of the last chord above its slope's loss, relative to that below
  // Q-mass passed but not yet given to a chord. A chord may end a little before it meets the curve
  // again; its end point then lies inside the region of weaker observers, and the next one starts
  // from there.
  double carried_q_ = 0;
  std::int64_t last_index_ = std::numeric_limits<std::int64_t>::min();
  std::vector<LatticeAtom> atoms_;
};

}  // namespace sotto::accounting
