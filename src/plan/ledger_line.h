// One line of a ledger: a JSON object whose last member is the hash that chains it to the line
// before. See docs/ledger-format.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "plan/ledger.h"

namespace sotto::ledger_line {

inline constexpr std::string_view kFormat = "sotto-ledger";
inline constexpr std::int64_t kVersion = 1;

// What the header has in the place of a previous line's hash.
inline constexpr std::string_view kHashBeforeHeader =
    "0000000000000000000000000000000000000000000000000000000000000000";

// A body is the line up to the comma before "hash": an object that is not yet closed. Throws
// InvalidArgument, naming `path`, where a value cannot be told in JSON.
std::string header_body(const std::filesystem::path& path, const nlohmann::json& plan);
std::string charge_body(std::int64_t first, std::int64_t last);
std::string event_body(const std::filesystem::path& path, const LedgerEvent& event);
std::string note_body(const std::filesystem::path& path, const std::string& text);

// SHA-256 of the previous line's hash (its 64 digits) followed by the body.
std::string chain_hash(std::string_view previous_hash, std::string_view body);

// The whole line, newline included.
std::string seal(std::string_view body, std::string_view hash);

struct Parts {
  std::string_view body;
  std::string_view hash;
};
// The parts of a line without its newline; nothing if it does not end in a hash.
std::optional<Parts> split(std::string_view line);

// True if a whole line, with the right hash, stands at the beginning of `text`, and more follows.
bool begins_with_sealed_line(std::string_view text, std::string_view previous_hash);

}  // namespace sotto::ledger_line
