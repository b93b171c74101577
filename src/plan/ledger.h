// The privacy ledger: an append-only file that says what was charged before it was done. It
// outlives crashes and kill -9, so that no restart forgets a step. The file: docs/ledger-format.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/atomic_file.h"

namespace sotto {

class LedgerFile;

// Another process is writing to the ledger: trying again later may succeed.
class LedgerBusy : public FileError {
 public:
  explicit LedgerBusy(const std::filesystem::path& path)
      : FileError(path, "another run is writing to this ledger") {}
};

// A release other than a step, charged to the same budget. What it costs is for the reader of the
// description to say; the ledger does not look inside.
struct LedgerEvent {
  std::string name;
  nlohmann::json description;
};

// What a reference to a line needs: its hash, and the steps charged up to it.
struct LedgerLine {
  std::array<char, 64> hash;  // lower-case hexadecimal digits
  std::int64_t steps;
};

// A ledger whose every line was verified.
// NOLINTNEXTLINE(bugprone-exception-escape): about the implicit move, whose members do not throw
struct LedgerContents {
  std::filesystem::path path;
  std::string created;  // when, for people: "2026-11-15T20:00:00Z"
  nlohmann::json plan;
  std::int64_t steps_charged = 0;
  std::vector<LedgerEvent> events;
  std::vector<std::string> notes;
  std::vector<LedgerLine> lines;  // the header's first
  // The file did not end in a newline: its last line was being written when the process died.
  bool torn_tail = false;

  // The last line's hash. It commits to everything before it.
  std::string head_hash() const;
  bool contains(std::string_view hash) const;

  // For a checkpoint, which stores head_hash() and steps_charged: throws InvalidArgument unless
  // there is a line with that hash after which exactly `steps` steps are charged. So a ledger that
  // was put back to an earlier state, or belongs to another run, is refused. (The file alone cannot
  // show that its last lines were removed.)
  void require_at_least(std::int64_t steps, std::string_view hash) const;
};

// One run's ledger, open for writing. Locked against every other writer (flock) until it is
// destroyed or the process dies. Not for two threads at once. A child made by fork() shares the
// lock and must not write.
//
// A charge comes BEFORE what it pays for. It is in the operating system's hands when the call
// returns, so it survives the death of the process; for a power cut, call flush() before anything
// derived from charged steps leaves the process (checkpoint, metrics, model).
//
// If a write or flush fails (FileError, e.g. disk full), the call's charge is not made, so
// what it was to pay for must not be done; the object refuses everything from then on.
class Ledger {
 public:
  // A new file. Throws InvalidArgument if it exists, or if `plan` is not an object that JSON can
  // hold (a NaN, invalid UTF-8); FileError if it cannot be written.
  static Ledger create(const std::filesystem::path& path, const nlohmann::json& plan);

  // Continues a file. A last line without its newline was interrupted: it is counted if it is
  // otherwise complete, and cut off if not. Throws InvalidArgument if the file is damaged (naming
  // the line), or has another plan (naming the first key that differs); LedgerBusy if another
  // process has it, FileError if it cannot be read. Nothing in the file changes if it throws,
  // except that the cut may have been made when it is the disk that failed.
  static Ledger resume(const std::filesystem::path& path, const nlohmann::json& plan);

  // Continues the file if it is there, and makes it if not.
  static Ledger open(const std::filesystem::path& path, const nlohmann::json& plan);

  // Verifies and reads; changes nothing, takes no lock. Throws as resume does.
  static LedgerContents read(const std::filesystem::path& path);

  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  // Removes a ledger that nothing was charged to, while nobody else has it. False, and it stays, if
  // something was, or nobody can tell.
  static bool remove_unused(const std::filesystem::path& path);

  // The next step, or the next `count` >= 1 in one line. Steps are numbered from 0, without gaps.
  void charge_step() { charge_steps(1); }
  void charge_steps(std::int64_t count);
  // Throws InvalidArgument if `name` is empty, or either is not valid JSON.
  void charge_event(const std::string& name, const nlohmann::json& description);
  // Costs nothing.
  void note(const std::string& text);
  // Returns when everything charged is on the disk.
  void flush();

  const LedgerContents& contents() const { return contents_; }
  std::int64_t steps_charged() const { return contents_.steps_charged; }
  const std::vector<LedgerEvent>& events() const { return contents_.events; }
  std::string head_hash() const { return contents_.head_hash(); }

 private:
  Ledger(std::unique_ptr<LedgerFile> file, LedgerContents contents);
  void append(const std::string& body, std::int64_t steps_after);
  // After a failure nothing more is written: what the file holds is not known.
  void or_unusable(const std::function<void()>& write);
  void require_usable() const;

  std::unique_ptr<LedgerFile> file_;
  LedgerContents contents_;
  std::string why_unusable_;  // empty: it is usable
};

}  // namespace sotto
