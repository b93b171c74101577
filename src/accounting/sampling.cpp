#include "sotto/accounting/training_run.h"

#include <array>
#include <stdexcept>

#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

constexpr std::array kSamplings = {Sampling::kPoisson, Sampling::kFixedSize, Sampling::kShuffled,
                                   Sampling::kNone};

}  // namespace

std::string_view to_string(Sampling sampling) {
  switch (sampling) {
    case Sampling::kPoisson:
      return "poisson";
    case Sampling::kFixedSize:
      return "fixed-size";
    case Sampling::kShuffled:
      return "shuffled";
    case Sampling::kNone:
      return "none";
  }
  throw std::logic_error("unknown sampling");
}

Sampling sampling_from_name(std::string_view text) {
  for (const Sampling sampling : kSamplings) {
    if (to_string(sampling) == text) return sampling;
  }
  throw InvalidArgument("unknown sampling '" + std::string(text) +
                        "'; accepted: " + sampling_names());
}

std::string sampling_names() {
  std::string names;
  for (const Sampling sampling : kSamplings) {
    names += (names.empty() ? "" : ", ") + std::string(to_string(sampling));
  }
  return names;
}

Adjacency default_adjacency(Sampling sampling) {
  switch (sampling) {
    case Sampling::kFixedSize:
      return Adjacency::kReplaceOne;
    default:
      return Adjacency::kZeroOut;
  }
}

}  // namespace sotto::accounting
