// How the batches of a training run are drawn.
#pragma once

#include <string>
#include <string_view>

#include "sotto/accounting/neighbours.h"

namespace sotto::accounting {

enum class Sampling {
  kPoisson,    // each record is in a batch independently, with probability sample_rate
  kFixedSize,  // each batch is a fresh draw, uniformly without replacement, always of one size
  kShuffled,   // passes over the data in some order; each record once per pass; no amplification
  kNone,       // every record takes part in every step
};

// "poisson", "fixed-size", "shuffled" or "none".
std::string_view to_string(Sampling sampling);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
Sampling sampling_from_name(std::string_view text);
// All of them: "poisson, fixed-size, shuffled, none".
std::string sampling_names();

// The relation to use if the user names none: zero-out where there is an analysis for it. Its ε is
// that of add-remove; the number of records is public in both, and only under zero-out the size of
// a drawn batch is the same for neighbours, on which a kernel's rounding may depend.
Relation default_relation(Sampling sampling);

}  // namespace sotto::accounting
