// Results as CSV.
#pragma once

#include <string>

#include "rappor/decoder.h"
#include "rappor/simulation.h"

namespace sotto::rappor {

// A row for each fitted candidate, most frequent first:
// string,estimate,proportion,std_error,low,high,p_value,found.
std::string format_decoding(const Decoding& decoding, const CandidateMap& map);

// A row for each string: string,true_frequency,estimate,low,high,p_value,found. Strings that were
// not fitted have empty fields.
std::string format_simulation(const Simulation& simulation);

}  // namespace sotto::rappor
