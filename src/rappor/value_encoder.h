// Reports of many clients' values: each client's secret is derived from one for all.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sotto/core/random.h"
#include "sotto/rappor/rappor.h"

namespace sotto::rappor {

class ValueEncoder {
 public:
  // `answers`: all possible ones, each with a bit of its own; none if any string may be reported.
  // Throws InvalidArgument if one of them is listed twice.
  ValueEncoder(const Params& params, ClientOptions options,
               const std::vector<std::string>& answers);

  const Params& params() const { return params_; }
  Profile profile() const { return options_.profile; }

  // Throws InvalidArgument, without the value, for one that is no possible answer.
  Report encode(const ClientSecrets& secrets, const std::string& client, const std::string& value);

 private:
  std::unordered_map<std::string, std::uint32_t> bit_of_;  // by answer
  Params params_;
  ClientOptions options_;
  SecureRandom random_;
};

}  // namespace sotto::rappor
