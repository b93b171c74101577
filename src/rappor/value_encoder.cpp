#include "rappor/value_encoder.h"

#include "sotto/core/error.h"

namespace sotto::rappor {

ValueEncoder::ValueEncoder(const Params& params, ClientOptions options,
                           const std::vector<std::string>& answers)
    : params_(params), options_(std::move(options)) {
  for (std::uint32_t i = 0; i < answers.size(); ++i) bit_of_[answers[i]] = i;
  check_argument(bit_of_.size() == answers.size(), "an answer is listed twice");
}

Report ValueEncoder::encode(const ClientSecrets& secrets, const std::string& client,
                            const std::string& value) {
  options_.secret = secrets(client);
  const Client encoder(params_, options_);
  if (bit_of_.empty()) return encoder.encode(value, random_);
  const auto bit = bit_of_.find(value);
  // The value itself belongs into no log.
  check_argument(bit != bit_of_.end(), "the value is not one of the ", bit_of_.size(),
                 " possible answers");
  return encoder.encode_category(bit->second, random_);
}

}  // namespace sotto::rappor
