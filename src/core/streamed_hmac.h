// HMAC-SHA-256 (RFC 2104, OpenSSL's libcrypto) of a message that comes in parts.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sotto {

class StreamedHmac {
 public:
  // Throws std::runtime_error, as everything here, if libcrypto fails.
  explicit StreamedHmac(std::string_view key);
  ~StreamedHmac();
  StreamedHmac(const StreamedHmac&) = delete;
  StreamedHmac& operator=(const StreamedHmac&) = delete;

  void add(std::string_view bytes);

  // Of all that was added, as 64 lower-case hexadecimal digits. Once, and last.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sotto
