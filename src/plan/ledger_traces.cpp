#include "plan/ledger_traces.h"

#include <fstream>
#include <regex>
#include <variant>

#include "plan/ledger_header.h"
#include "plan/ledger_line.h"

namespace sotto {
namespace {

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool matches(std::string_view text, const char* pattern) {
  return std::regex_search(text.begin(), text.end(), std::regex(pattern));
}

// The kinds of lines that follow a header.
constexpr const char* kEntry = R"re("entry"\s*:\s*"(charge|event|note)")re";
constexpr const char* kHash = R"re("hash"\s*:\s*"[0-9a-f]{64}")re";
constexpr const char* kFirstEntry = R"re(^\s*\{\s*"entry"\s*:\s*"(charge|event|note)")re";

}  // namespace

std::optional<std::string> beginning_of(const std::filesystem::path& file) {
  constexpr std::size_t kFirst = 4096;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string start(kFirst, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  return start;
}

bool has_traces_of_ledger(std::string_view beginning) {
  std::string text(beginning);
  std::erase(text, '\0');  // as editors leave them that save 16 bits for each character
  if (holds(text, ledger_line::kFormat) && holds(text, "\"format\"")) return true;
  if (!holds(text, "\"entry\"")) return false;
  return matches(text, kFirstEntry) || (matches(text, kEntry) && matches(text, kHash));
}

bool is_ledger_of_queries(const std::filesystem::path& file) {
  try {
    return std::holds_alternative<QueriesHeader>(header_of(Ledger::read(file)));
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace sotto
