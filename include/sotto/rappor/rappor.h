// RAPPOR for the programs that report: the client, whose reports are all that leaves a person's
// device, and its secret. No input, no output, no clock, nothing stored. params.h comes with it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/core/random.h"
#include "sotto/rappor/params.h"

namespace sotto::rappor {

// The k bits of a Bloom filter, of a permanent response, or of a report.
//
// Bit i is bit i % 64 of word i / 64; bits from size() on are 0.
class BitString {
 public:
  BitString() = default;
  // All 0.
  explicit BitString(std::uint32_t size) : size_(size), words_((size + 63) / 64) {}
  // Throws InvalidArgument unless the number of words fits the size and no bit lies beyond it.
  BitString(std::uint32_t size, std::vector<std::uint64_t> words);

  // Written with the highest bit first, as google/rappor does. Throws InvalidArgument unless the
  // text consists of 0 and 1.
  static BitString from_text(std::string_view text);
  std::string text() const;

  std::uint32_t size() const { return size_; }
  bool operator[](std::uint32_t bit) const { return (words_[bit / 64] >> (bit % 64) & 1U) != 0; }
  void set(std::uint32_t bit) { words_[bit / 64] |= std::uint64_t{1} << (bit % 64); }

  std::span<const std::uint64_t> words() const { return words_; }
  std::span<std::uint64_t> words() { return words_; }
  // The bits that exist in word `index`.
  std::uint64_t mask(std::size_t index) const {
    const std::size_t used = size_ - 64 * index;
    return used >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << used) - 1;
  }

  // ⌈size/8⌉ bytes, the byte of the highest bits first.
  std::string big_endian_bytes() const;

  bool operator==(const BitString&) const = default;

 private:
  std::uint32_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

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

// The client. Three steps, each of them public for simulations and tests; encode() does them all:
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

// Secrets of clients that are simulated, or served, by one program:

// 32 unpredictable bytes, as 64 hexadecimal digits and a line break: a file to keep.
std::string fresh_secret_text();

// The bytes of such a text. Throws InvalidArgument for anything else.
std::string parse_secret_text(std::string_view text, const std::string& name);

// A secret for each client, from one that is kept for all: HMAC-SHA256(master, client).
class ClientSecrets {
 public:
  explicit ClientSecrets(std::string_view master);
  ~ClientSecrets();
  ClientSecrets(const ClientSecrets&) = delete;
  ClientSecrets& operator=(const ClientSecrets&) = delete;

  std::string operator()(std::string_view client) const;

 private:
  std::unique_ptr<class HmacSha256> hmac_;
};

}  // namespace sotto::rappor
