// Whether a file is a ledger, even if it was edited or damaged and cannot be read as one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sotto {

// What a file begins with, as much as has_traces_of_ledger() needs; nothing if it cannot be opened.
std::optional<std::string> beginning_of(const std::filesystem::path& file);

// Whether the beginning of a file bears marks that only a ledger has: those of its header,
// whatever stands before it, or those of the lines that follow one. Text about ledgers may bear
// them, too.
bool has_traces_of_ledger(std::string_view beginning);

// A ledger that cannot be read is not taken for one of queries.
bool is_ledger_of_queries(const std::filesystem::path& file);

}  // namespace sotto
