// Secrets of clients that are simulated, or served, by one program.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sotto::rappor {

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
