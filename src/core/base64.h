// Bytes as text, and back: base64 (RFC 4648, Section 4; OpenSSL's libcrypto).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sotto {

// With padding, without line breaks.
std::string base64(std::string_view bytes);

// Nothing unless `text` is what base64() gives for some bytes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace sotto
