// Turns a ledger's bytes into its contents, line by line, trusting none of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "plan/ledger.h"

namespace sotto {

struct ReadLedger {
  LedgerContents contents;
  std::size_t sound_bytes = 0;  // what follows them is a torn line
  bool lacks_newline = false;   // the last sound line is complete but for its newline
};

// Throws InvalidArgument, naming `path` and the line, if `bytes` are not a sound ledger that may
// end in a torn line.
ReadLedger read_ledger(const std::filesystem::path& path, std::string_view bytes);

LedgerLine ledger_line_mark(std::string_view hash, std::int64_t steps);

}  // namespace sotto
