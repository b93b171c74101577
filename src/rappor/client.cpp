#include "sotto/rappor/rappor.h"

#include "rappor/bloom.h"
#include "rappor/response.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

std::unique_ptr<Response> response_for(const Params& params, const ClientOptions& options) {
  check_argument(!options.secret.empty(), "a client's secret must not be empty");
  return options.profile == Profile::kSotto ? sotto_response(params, options)
                                            : google_response(params, options);
}

}  // namespace

struct Client::State {
  Params params;
  Profile profile;
  std::unique_ptr<Response> response;
  std::uint32_t cohort;
};

Client::Client(const Params& params, const ClientOptions& options) {
  auto response = response_for(params, options);
  const std::uint32_t cohort = options.cohort ? *options.cohort : response->cohort();
  check_argument(cohort < params.cohorts(), "cohort must be below m = ", params.cohorts(), ", got ",
                 cohort);
  state_ = std::make_unique<State>(State{params, options.profile, std::move(response), cohort});
}

Client::~Client() = default;
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;

std::uint32_t Client::cohort() const { return state_->cohort; }

Report Client::encode(std::string_view value, RandomSource& random) const {
  return encode_bits(bloom(value), random);
}

Report Client::encode_category(std::uint32_t category, RandomSource& random) const {
  check_argument(category < state_->params.bits(),
                 "category must be below k = ", state_->params.bits(), ", got ", category);
  BitString bits(state_->params.bits());
  bits.set(category);
  return encode_bits(bits, random);
}

Report Client::encode_bits(const BitString& bits, RandomSource& random) const {
  return {state_->cohort, instantaneous(permanent(bits), random)};
}

BitString Client::bloom(std::string_view value) const {
  return bloom_filter(state_->params, state_->profile, state_->cohort, value);
}

BitString Client::permanent(const BitString& bits) const {
  check_argument(bits.size() == state_->params.bits(), "expected k = ", state_->params.bits(),
                 " bits, got ", bits.size());
  return state_->response->permanent(bits, state_->cohort);
}

BitString Client::instantaneous(const BitString& permanent_bits, RandomSource& random) const {
  return state_->response->instantaneous(permanent_bits, random);
}

}  // namespace sotto::rappor
