// Which privacy loss belongs to which event, under which adjacency.
#pragma once

#include <memory>

#include "accounting/loss_source.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"

namespace sotto::accounting {

// Both directions of an event. Where they are equal they are the same object.
struct LossSources {
  std::shared_ptr<const LossSource> forward;
  std::shared_ptr<const LossSource> backward;
};

// Throws NoValidAnalysis, naming event and adjacency, where no dominating pair is known.
// REQUIRES: the event is not noiseless.
LossSources loss_sources(const Event& event, const Neighbours& neighbours);

}  // namespace sotto::accounting
