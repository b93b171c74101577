#include "plan/ledger.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/atomic_file.h"
#include "core/counted.h"
#include "core/whole_file.h"
#include "plan/ledger_file.h"
#include "plan/ledger_line.h"
#include "plan/ledger_reader.h"
#include "plan/plan_difference.h"
#include "sotto/core/error.h"

namespace sotto {

namespace {

using nlohmann::json;

std::string_view view(const LedgerLine& line) { return {line.hash.data(), line.hash.size()}; }

void require_same_plan(const LedgerContents& ledger, const json& plan) {
  check_argument(plan.is_object(), ledger.path.string(), ": the plan must be a JSON object, got ",
                 plan.type_name());
  const auto difference = first_difference(ledger.plan, plan);
  if (!difference) return;
  throw InvalidArgument(
      detail::join_message(ledger.path.string(), ": the plan differs in ", difference->key,
                           ": the ledger has ", difference->left, ", this run ", difference->right,
                           "; accepted: the ledger's plan, or a new run with a new ledger"));
}

// Leaves the file with whole lines only.
void repair(LedgerFile& file, const ReadLedger& ledger) {
  file.cut_to(ledger.sound_bytes);
  if (ledger.lacks_newline) file.append("\n");
}

}  // namespace

std::string LedgerContents::head_hash() const { return std::string(view(lines.back())); }

bool LedgerContents::contains(std::string_view hash) const {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const LedgerLine& line) { return view(line) == hash; });
}

void LedgerContents::require_at_least(std::int64_t steps, std::string_view hash) const {
  const bool found = std::any_of(lines.begin(), lines.end(), [&](const LedgerLine& line) {
    return line.steps == steps && view(line) == hash;
  });
  if (found) return;
  throw InvalidArgument(detail::join_message(path.string(), ": no line has hash ", hash, " at ",
                                             counted(steps, "step"), "; the ledger ends at ",
                                             counted(steps_charged, "step"), " with ", head_hash(),
                                             ": it is older than what refers to it, or another "
                                             "run's; accepted: this run's newest ledger"));
}

Ledger Ledger::create(const std::filesystem::path& path, const json& plan) {
  const std::string body = ledger_line::header_body(path, plan);
  const std::string hash = ledger_line::chain_hash(ledger_line::kHashBeforeHeader, body);
  const std::string line = ledger_line::seal(body, hash);
  // Read back before anything is written: a ledger that cannot be resumed must not be begun.
  static_cast<void>(read_ledger(path, line));
  check_argument(create_whole_file(path, line, Readers::kUmask), path.string(),
                 ": exists; accepted: a new name for a new run, or resuming this one");
  return resume(path, plan);
}

Ledger Ledger::resume(const std::filesystem::path& path, const json& plan) {
  auto file = std::make_unique<LedgerFile>(path);
  ReadLedger ledger = read_ledger(path, file->read_all());
  require_same_plan(ledger.contents, plan);
  repair(*file, ledger);
  return {std::move(file), std::move(ledger.contents)};
}

Ledger Ledger::open(const std::filesystem::path& path, const json& plan) {
  return std::filesystem::exists(path) ? resume(path, plan) : create(path, plan);
}

LedgerContents Ledger::read(const std::filesystem::path& path) {
  return read_ledger(path, read_file(path)).contents;
}

bool Ledger::remove_unused(const std::filesystem::path& path) {
  try {
    const LedgerFile file(path);
    const auto contents = read_ledger(path, file.read_all()).contents;
    return contents.steps_charged == 0 && contents.events.empty() && std::filesystem::remove(path);
  } catch (const std::exception&) {
    return false;
  }
}

Ledger::Ledger(std::unique_ptr<LedgerFile> file, LedgerContents contents)
    : file_(std::move(file)), contents_(std::move(contents)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

void Ledger::charge_steps(std::int64_t count) {
  const std::int64_t first = steps_charged();
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() - first;
  check_argument(count >= 1 && count <= most, contents_.path.string(),
                 ": steps to charge must be from 1 to ", most, ", got ", count);
  append(ledger_line::charge_body(first, first + count - 1), first + count);
}

void Ledger::charge_event(const std::string& name, const json& description) {
  LedgerEvent event{name, description};
  const std::string body = ledger_line::event_body(contents_.path, event);
  require_usable();
  // Listed first: if the write fails, the list has too much rather than too little.
  contents_.events.push_back(std::move(event));
  append(body, steps_charged());
}

void Ledger::note(const std::string& text) {
  append(ledger_line::note_body(contents_.path, text), steps_charged());
  contents_.notes.push_back(text);
}

void Ledger::flush() {
  require_usable();
  // After a failed fsync a second one proves nothing.
  or_unusable([&] { file_->sync(); });
}

void Ledger::append(const std::string& body, std::int64_t steps_after) {
  require_usable();
  const std::string hash = ledger_line::chain_hash(head_hash(), body);
  const std::string line = ledger_line::seal(body, hash);
  or_unusable([&] {
    file_->append(line);
    contents_.lines.push_back(ledger_line_mark(hash, steps_after));
    contents_.steps_charged = steps_after;
  });
}

void Ledger::or_unusable(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::exception& error) {
    why_unusable_ = error.what();
    throw;
  }
}

void Ledger::require_usable() const {
  if (file_ == nullptr) throw std::logic_error("a ledger that was moved away cannot be used");
  if (!why_unusable_.empty()) {
    throw FileError(contents_.path, "a write failed before (" + why_unusable_ +
                                        "), so nothing more can be charged");
  }
}

}  // namespace sotto
