#include "plan/ledger_reader.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

#include "plan/ledger_line.h"
#include "sotto/core/error.h"

namespace sotto {

namespace {

using nlohmann::json;

// One more must be countable.
constexpr std::int64_t kLastStep = std::numeric_limits<std::int64_t>::max() - 1;

// Whatever it is, on one line and not too long.
std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= 80 ? text : text.substr(0, 77) + "...";
}

// A file system may leave zeros where bytes were promised before the power went.
std::string_view without_trailing_zeros(std::string_view text) {
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : head_hash_(ledger_line::kHashBeforeHeader) {
    contents_.path = path;
  }

  // `line` has no newline.
  void accept(std::string_view line) {
    const auto parts = ledger_line::split(line);
    if (!parts) refuse(R"(must end in ,"hash":"64 hex digits"}, found )", shown(end_of(line)));
    const auto expected = ledger_line::chain_hash(head_hash_, parts->body);
    if (parts->hash != expected) {
      refuse("hash ", parts->hash, " must be ", expected,
             ": this line was changed, or lines before it were changed, removed or reordered");
    }
    is_single_step(parts->body) ? read_single_step() : read_object(line);
    head_hash_ = expected;
    contents_.lines.push_back(ledger_line_mark(head_hash_, contents_.steps_charged));
  }

  // A last line without newline. The process died while writing it. A charge is written before its
  // step is executed, so the step of an incomplete line was never executed: leaving it out loses
  // nothing. A line that is complete but for the newline is counted: that errs on the safe side.
  // True if it was.
  bool accept_tail(std::string_view tail) {
    const auto parts = ledger_line::split(tail);
    if (parts && parts->hash == ledger_line::chain_hash(head_hash_, parts->body)) {
      accept(tail);
      return true;
    }
    // Such bytes are not the beginning of anything that a ledger writes.
    if (ledger_line::begins_with_sealed_line(tail, head_hash_)) {
      refuse("a newline must follow the hash, found ", shown(end_of(tail)));
    }
    return false;
  }

  LedgerContents finish(std::size_t file_size, bool torn_tail) && {
    check_argument(!contents_.lines.empty(), contents_.path.string(), ": ", file_size,
                   " bytes without a complete header, so there is no plan to resume; accepted: a "
                   "ledger that was created completely, or a new run with a new ledger");
    contents_.torn_tail = torn_tail;
    return std::move(contents_);
  }

 private:
  template <typename... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw InvalidArgument(detail::join_message(contents_.path.string(), ", line ",
                                               contents_.lines.size() + 1, ": ", parts...));
  }

  static std::string end_of(std::string_view line) {
    return std::string(line.substr(line.size() - std::min<std::size_t>(line.size(), 40)));
  }

  // An unknown member may mean a cost, so it is refused, like a missing one.
  void require_members(const json& line, std::initializer_list<const char*> names) const {
    const bool all = std::all_of(names.begin(), names.end(),
                                 [&](const char* name) { return line.contains(name); });
    if (all && line.size() == names.size()) return;
    std::string accepted;
    std::string found;
    for (const char* name : names) accepted += std::string(" ") + name;
    for (const auto& item : line.items()) found += (found.empty() ? "" : " ") + item.key();
    refuse("must have exactly the members", accepted, ", found ", shown(found));
  }

  // Most lines of every ledger: told apart without parsing, several times faster.
  bool is_single_step(std::string_view body) const {
    const std::int64_t next = contents_.steps_charged;
    return !contents_.lines.empty() && next <= kLastStep &&
           body == ledger_line::charge_body(next, next);
  }

  void read_single_step() { ++contents_.steps_charged; }

  void read_object(std::string_view line) {
    const json object = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object()) refuse("must be a JSON object, found ", shown(std::string(line)));
    contents_.lines.empty() ? read_header(object) : read_entry(object);
  }

  void read_header(const json& line) {
    const json format = line.value("format", json());
    const json version = line.value("version", json());
    if (format != ledger_line::kFormat || version != ledger_line::kVersion) {
      refuse("format ", shown(format), " version ", shown(version), " is not known; accepted: \"",
             ledger_line::kFormat, "\" version ", ledger_line::kVersion);
    }
    require_members(line, {"format", "version", "created", "id", "plan", "hash"});
    if (line["created"].is_string()) contents_.created = line["created"].get<std::string>();
    contents_.plan = line["plan"];
    if (!contents_.plan.is_object()) {
      refuse("the plan must be an object, found ", shown(contents_.plan));
    }
  }

  void read_entry(const json& line) {
    const json entry = line.value("entry", json());
    if (entry == "charge") return read_charge(line);
    if (entry == "event") return read_event(line);
    if (entry == "note") return read_note(line);
    refuse("entry ", shown(entry), " is not known; accepted: charge, event, note");
  }

  void read_charge(const json& line) {
    require_members(line, {"entry", "first", "last", "hash"});
    const auto first = step_number(line["first"]);
    const auto last = step_number(line["last"]);
    if (first != contents_.steps_charged || last < first) {
      refuse("charges the steps ", first, " to ", last, "; accepted: from ",
             contents_.steps_charged, " upwards");
    }
    contents_.steps_charged = last + 1;
  }

  std::int64_t step_number(const json& value) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::uint64_t{kLastStep}) {
      refuse("a step must be a number from 0 to ", kLastStep, ", found ", shown(value));
    }
    return value.get<std::int64_t>();
  }

  void read_event(const json& line) {
    require_members(line, {"entry", "name", "description", "hash"});
    contents_.events.push_back({text(line["name"]), line["description"]});
  }

  void read_note(const json& line) {
    require_members(line, {"entry", "text", "hash"});
    contents_.notes.push_back(text(line["text"]));
  }

  std::string text(const json& value) const {
    if (!value.is_string()) refuse("must be text, found ", shown(value));
    return value.get<std::string>();
  }

  LedgerContents contents_;
  std::string head_hash_;
};

}  // namespace

LedgerLine ledger_line_mark(std::string_view hash, std::int64_t steps) {
  LedgerLine line{{}, steps};
  std::copy_n(hash.begin(), line.hash.size(), line.hash.begin());
  return line;
}

ReadLedger read_ledger(const std::filesystem::path& path, std::string_view bytes) {
  Reader reader(path);
  std::size_t start = 0;
  for (auto end = bytes.find('\n'); end < bytes.size(); end = bytes.find('\n', start)) {
    reader.accept(bytes.substr(start, end - start));
    start = end + 1;
  }
  const auto tail = without_trailing_zeros(bytes.substr(start));
  const bool counted = reader.accept_tail(tail);
  const bool torn = start < bytes.size();
  return {std::move(reader).finish(bytes.size(), torn), start + (counted ? tail.size() : 0),
          counted};
}

}  // namespace sotto
