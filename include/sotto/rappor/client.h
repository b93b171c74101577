// The client: what leaves a person's device. No input, no output, no clock, nothing stored.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sotto/core/random.h"
#include "sotto/rappor/bit_string.h"
#include "sotto/rappor/params.h"

namespace sotto::rappor {

struct Report {
  std::uint32_t cohort = 0;
  BitString bits{};

  bool operator==(const Report&) const = default;
};

struct ClientOptions {
  // Known to this client only, and never changed: whoever knows it can undo the permanent
  // response, and changing it releases the value again.
  std::string secret{};
  // Name of what is reported, so that two metrics of one client are randomised independently.
  std::string metric{};
  Profile profile = Profile::kSotto;
  std::optional<std::uint32_t> cohort{};  // instead of the one that the secret determines
};

// Three steps, each of them public for simulations and tests; encode() does them all:
//   value --bloom()--> B --permanent()--> B' --instantaneous()--> report
// B' is a function of secret, metric, parameters and B (HMAC-SHA256), so that it is "remembered"
// without being stored: any number of reports reveals no more than B' does. With f = 0 (one-time
// collection) B' = B, and every report spends epsilon_one again.
//
// Basic RAPPOR, one bit per category, is encode_category() with h = 1 and no cohorts.
class Client {
 public:
  // Throws InvalidArgument if the secret is empty, the cohort is not below m, or the profile cannot
  // serve the parameters (kGoogleCpp: m a power of two, k <= 32 or a multiple of 8;
  // kGooglePython: k <= 32).
  Client(const Params& params, const ClientOptions& options);
  ~Client();
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;

  std::uint32_t cohort() const;

  Report encode(std::string_view value, RandomSource& random) const;
  // Throws InvalidArgument unless `category` < k.
  Report encode_category(std::uint32_t category, RandomSource& random) const;
  // Throws InvalidArgument unless there are k bits.
  Report encode_bits(const BitString& bits, RandomSource& random) const;

  BitString bloom(std::string_view value) const;
  BitString permanent(const BitString& bits) const;
  BitString instantaneous(const BitString& permanent_bits, RandomSource& random) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sotto::rappor
