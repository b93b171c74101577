#include "rappor/result_tables.h"

#include "core/csv_field.h"
#include "rappor/csv_fields.h"
#include "rappor/share.h"

namespace sotto::rappor {

std::string format_decoding(const Decoding& decoding, const CandidateMap& map) {
  std::string text = "string,estimate,proportion,std_error,low,high,p_value,found\n";
  const auto reports = static_cast<double>(decoding.reports);
  for (const auto& estimate : decoding.estimates) {
    text += csv_field(map.name(estimate.candidate));
    for (const double value :
         {estimate.frequency * reports, estimate.frequency, estimate.standard_error,
          possible_share(estimate.low), possible_share(estimate.high), estimate.p_value}) {
      text += ',' + exact_number(value);
    }
    text += estimate.found ? ",1\n" : ",0\n";
  }
  return text;
}

std::string format_simulation(const Simulation& simulation) {
  std::string text = "string,true_frequency,estimate,low,high,p_value,found\n";
  for (const auto& string : simulation.strings) {
    text += csv_field(string.name) + ',' + exact_number(string.true_frequency);
    if (string.fitted) {
      for (const double value : {string.estimate, possible_share(string.low),
                                 possible_share(string.high), string.p_value}) {
        text += ',' + exact_number(value);
      }
    } else {
      text += ",,,,";
    }
    text += string.found ? ",1\n" : ",0\n";
  }
  return text;
}

}  // namespace sotto::rappor
