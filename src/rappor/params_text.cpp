#include "rappor/params_text.h"

#include <nlohmann/json.hpp>

#include "core/printed_number.h"

namespace sotto::rappor {

std::string params_text(const Params& params) {
  const auto rate = [](double value) { return significant(value, 6); };
  return "k = " + std::to_string(params.bits()) + ", h = " + std::to_string(params.hashes()) +
         ", m = " + std::to_string(params.cohorts()) + ", f = " + rate(params.f()) +
         ", p = " + rate(params.p()) + ", q = " + rate(params.q());
}

nlohmann::ordered_json params_json(const Params& params) {
  return {{"k", params.bits()}, {"h", params.hashes()}, {"m", params.cohorts()},
          {"f", params.f()},    {"p", params.p()},      {"q", params.q()}};
}

}  // namespace sotto::rappor
