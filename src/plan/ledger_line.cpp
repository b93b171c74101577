#include "plan/ledger_line.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "core/sha256.h"
#include "sotto/core/error.h"
#include "sotto/core/random.h"

namespace sotto::ledger_line {

namespace {

using nlohmann::json;

constexpr std::size_t kHashDigits = kHashBeforeHeader.size();
constexpr std::string_view kBeforeHash = R"(,"hash":")";
constexpr std::string_view kAfterHash = R"("})";
constexpr std::size_t kSealSize = kBeforeHash.size() + kHashDigits + kAfterHash.size();

bool is_hash_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// One line of JSON from which the same value can be read. NaN and infinity have none.
std::string json_text(const std::filesystem::path& path, const std::string& what,
                      const json& value) {
  std::string text;
  try {
    text = value.dump();
  } catch (const json::exception&) {
    throw InvalidArgument(path.string() + ": " + what +
                          " holds bytes that are not text; accepted: UTF-8");
  }
  check_argument(json::parse(text, nullptr, false) == value, path.string(), ": ", what,
                 " holds NaN, infinity or binary, which JSON cannot represent; it became ", text);
  return text;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), size};
}

// Two runs of one plan charge the same steps; only this makes their hashes differ.
std::string random_id() {
  SecureRandom random;
  std::string id;
  for (int i = 0; i < 32; ++i) id += "0123456789abcdef"[random() % 16];
  return id;
}

}  // namespace

std::string header_body(const std::filesystem::path& path, const json& plan) {
  check_argument(plan.is_object(), path.string(), ": the plan must be a JSON object, got ",
                 plan.type_name());
  return R"({"format":")" + std::string(kFormat) + R"(","version":)" + std::to_string(kVersion) +
         R"(,"created":")" + utc_now() + R"(","id":")" + random_id() + R"(","plan":)" +
         json_text(path, "the plan", plan);
}

std::string charge_body(std::int64_t first, std::int64_t last) {
  return R"({"entry":"charge","first":)" + std::to_string(first) + R"(,"last":)" +
         std::to_string(last);
}

std::string event_body(const std::filesystem::path& path, const LedgerEvent& event) {
  check_argument(!event.name.empty(), path.string(),
                 ": an event must have a name, got an empty one");
  return R"({"entry":"event","name":)" + json_text(path, "an event's name", event.name) +
         R"(,"description":)" + json_text(path, "an event's description", event.description);
}

std::string note_body(const std::filesystem::path& path, const std::string& text) {
  return R"({"entry":"note","text":)" + json_text(path, "a note", text);
}

std::string chain_hash(std::string_view previous_hash, std::string_view body) {
  return sha256_hex(std::string(previous_hash).append(body));
}

std::string seal(std::string_view body, std::string_view hash) {
  return std::string(body).append(kBeforeHash).append(hash).append(kAfterHash).append("\n");
}

std::optional<Parts> split(std::string_view line) {
  if (line.size() < kSealSize) return std::nullopt;
  const auto body = line.substr(0, line.size() - kSealSize);
  const auto end = line.substr(body.size());
  const auto hash = end.substr(kBeforeHash.size(), kHashDigits);
  if (!end.starts_with(kBeforeHash) || !end.ends_with(kAfterHash)) return std::nullopt;
  if (!std::all_of(hash.begin(), hash.end(), is_hash_digit)) return std::nullopt;
  return Parts{body, hash};
}

bool begins_with_sealed_line(std::string_view text, std::string_view previous_hash) {
  for (auto at = text.find(kBeforeHash); at < text.size(); at = text.find(kBeforeHash, at + 1)) {
    const auto parts = split(text.substr(0, at + kSealSize));
    const bool whole = parts && parts->body.size() == at && at + kSealSize < text.size();
    if (whole && parts->hash == chain_hash(previous_hash, parts->body)) return true;
  }
  return false;
}

}  // namespace sotto::ledger_line
