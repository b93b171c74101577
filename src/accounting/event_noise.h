// The noise of an event, and which noise is too little or too much for doubles. Every event has its
// say in each function: one that is missing does not compile.
#pragma once

#include <optional>

#include "sotto/accounting/event.h"

namespace sotto::accounting {

// The noise multiplier if the event is a Gaussian on the full data, however it was described.
std::optional<double> full_batch_noise(const Event& event);

// Noise so faint that losses are in the hundreds and more: no lattice of doubles resolves their
// likelihood ratios, and no ε of that size means anything. An event whose loss is known without a
// noise multiplier is never too faint.
bool is_too_faint(const Event& event);

// Noise that doubles cannot tell from infinite noise.
bool has_uncountable_noise(const Event& event);

// The same event with no more noise than doubles can tell from infinite noise. Less noise never
// costs less, so upper bounds stay valid. A Gaussian on the full data stays what it is: it has a
// closed form.
Event with_countable_noise(const Event& event);

}  // namespace sotto::accounting
