// The two randomised responses, as each profile computes them.
#pragma once

#include <memory>

#include "rappor/keyed_hash.h"
#include "sotto/core/random.h"
#include "sotto/rappor/rappor.h"

namespace sotto::rappor {

class Response {
 public:
  Response() = default;
  Response(const Response&) = delete;
  Response& operator=(const Response&) = delete;
  virtual ~Response() = default;

  virtual std::uint32_t cohort() const = 0;
  virtual BitString permanent(const BitString& bits, std::uint32_t cohort) const = 0;
  virtual BitString instantaneous(const BitString& bits, RandomSource& random) const = 0;
};

// Throw InvalidArgument if the profile cannot serve the parameters.
std::unique_ptr<Response> sotto_response(const Params& params, const ClientOptions& options);
std::unique_ptr<Response> google_response(const Params& params, const ClientOptions& options);

}  // namespace sotto::rappor
