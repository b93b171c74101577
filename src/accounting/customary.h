// What others call a small ε, and which they use.
#pragma once

#include <string>

namespace sotto::accounting {

// Where an ε stands: in sentences, with sources. "" where there is none (infinity).
std::string customary_range(double epsilon);

}  // namespace sotto::accounting
