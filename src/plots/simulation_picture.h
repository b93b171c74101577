// What a simulated collection of strings found.
#pragma once

#include <string>

#include "rappor/simulation.h"

namespace sotto::plots {

// True frequencies as bars, and what was estimated for them with its intervals. SVG.
std::string simulation_picture(const rappor::Simulation& simulation,
                               const rappor::SimulationOptions& options,
                               const std::string& subtitle);

}  // namespace sotto::plots
