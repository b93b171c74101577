// Damage to the file is found, or costs nothing: no damage makes charged steps disappear unnoticed,
// except what looks like a line that was never finished.
#include <algorithm>

#include "plan/ledger_line.h"
#include "tests/plan/ledger_fixture.h"

namespace sotto {
namespace {

// A crash can leave any beginning of the last line.
TEST_F(LedgerTest, EveryCutOfTheLastLineIsResumed) {
  write_small_ledger();
  const std::string whole = read_file(path_);
  const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last_line; size <= whole.size(); ++size) {
    overwrite(whole.substr(0, size));
    const bool counted = size >= whole.size() - 1;  // all but its newline is enough
    const bool torn = size > last_line && size < whole.size();
    const LedgerContents contents = Ledger::read(path_);
    EXPECT_EQ(contents.steps_charged, counted ? 4 : 3) << size;
    EXPECT_EQ(contents.torn_tail, torn) << size;
    EXPECT_EQ(read_file(path_).size(), size) << "reading must not change the file";

    Ledger ledger = Ledger::resume(path_, plan_);
    EXPECT_EQ(read_file(path_), counted ? whole : whole.substr(0, last_line)) << size;
    ledger.charge_step();
    EXPECT_EQ(Ledger::read(path_).steps_charged, counted ? 5 : 4) << size;
    EXPECT_FALSE(Ledger::read(path_).torn_tail) << size;
  }
}

TEST_F(LedgerTest, EveryCutOfTheHeaderHasNoPlan) {
  Ledger::create(path_, plan_);
  const std::string whole = read_file(path_);
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    overwrite(whole.substr(0, size));
    expect_refused(path_, {std::to_string(size) + " bytes", "no plan"});
    EXPECT_THROW(Ledger::resume(path_, plan_), InvalidArgument);
    EXPECT_EQ(read_file(path_).size(), size);
  }
}

// A power cut on some file systems: the size was kept, the bytes were not.
TEST_F(LedgerTest, ZerosAtTheEndAreATornLine) {
  write_small_ledger();
  const std::string whole = read_file(path_);
  for (const std::size_t cut : {0U, 1U, 30U}) {  // a line, all but its newline, a part of it
    overwrite(whole.substr(0, whole.size() - cut) + std::string(5000, '\0'));
    EXPECT_EQ(Ledger::read(path_).steps_charged, cut == 30U ? 3 : 4);
    EXPECT_TRUE(Ledger::read(path_).torn_tail);
    Ledger::resume(path_, plan_).charge_step();
    EXPECT_EQ(Ledger::read(path_).steps_charged, cut == 30U ? 4 : 5);
  }
  overwrite(whole + std::string(10, '\0') + "\n");
  expect_refused(path_, {"line 7"});
}

// Each byte of the file becomes another one. Refused, all of them, with one exception: where the
// last newline becomes a zero, the line before it is complete and counted, as after a power cut.
// Any other byte there is not the end of an interrupted write. So no single byte loses a charge.
TEST_F(LedgerTest, EveryChangedByteIsFound) {
  write_small_ledger();
  const std::string whole = read_file(path_);
  std::vector<int> masks{'\n'};  // makes a zero of a newline
  for (int bit = 0; bit < 8; ++bit) masks.push_back(1 << bit);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int mask : masks) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ mask);
      overwrite(changed);
      if (at + 1 == whole.size() && changed[at] == '\0') {
        EXPECT_EQ(Ledger::read(path_).steps_charged, 4);
        EXPECT_EQ(Ledger::read(path_).events.size(), 1U);
      } else {
        EXPECT_THROW(Ledger::read(path_), InvalidArgument) << "byte " << at << " xor " << mask;
      }
    }
  }
}

TEST_F(LedgerTest, EveryByteBecomingANewlineIsFound) {
  write_small_ledger();
  const std::string whole = read_file(path_);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (whole[at] == '\n') continue;
    std::string changed = whole;
    changed[at] = '\n';
    overwrite(changed);
    EXPECT_THROW(Ledger::read(path_), InvalidArgument) << at;
  }
}

TEST_F(LedgerTest, AChangedLineIsNamed) {
  write_small_ledger();
  auto lines = file_lines();
  const auto digit = lines[3].find("paused");
  lines[3][digit] = 'c';
  overwrite_lines(lines);
  expect_refused(path_, {"line 4", "changed"});
  const std::string before = read_file(path_);
  EXPECT_THROW(Ledger::resume(path_, plan_), InvalidArgument);
  EXPECT_EQ(read_file(path_), before);
}

TEST_F(LedgerTest, EveryRemovedLineButTheLastIsFound) {
  write_small_ledger();
  const auto lines = file_lines();
  for (std::size_t removed = 0; removed + 1 < lines.size(); ++removed) {
    auto fewer = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(removed));
    overwrite_lines(fewer);
    expect_refused(path_, {"line " + std::to_string(removed + 1), "removed"});
  }
}

TEST_F(LedgerTest, EverySwapAndRepetitionOfLinesIsFound) {
  write_small_ledger();
  const auto lines = file_lines();
  for (std::size_t at = 0; at + 1 < lines.size(); ++at) {
    auto swapped = lines;
    std::swap(swapped[at], swapped[at + 1]);
    overwrite_lines(swapped);
    expect_refused(path_, {"line " + std::to_string(at + 1), "reordered"});
    auto repeated = lines;
    repeated.insert(repeated.begin() + static_cast<std::ptrdiff_t>(at), lines[at]);
    overwrite_lines(repeated);
    expect_refused(path_, {"line " + std::to_string(at + 2)});
  }
}

TEST_F(LedgerTest, FilesThatAreNoLedgersAreRefusedUnchanged) {
  const std::string zeros(64, '0');
  const std::string no_header = R"({"entry":"note","text":"x")";
  const std::vector<std::string> contents = {
      "",
      "\n",
      "{}\n",
      "epoch,loss\n1,0.5\n",
      std::string(100, '\0'),
      ledger_line::seal(no_header, ledger_line::chain_hash(zeros, no_header))};
  for (const auto& content : contents) {
    overwrite(content);
    EXPECT_THROW(Ledger::read(path_), InvalidArgument) << content;
    EXPECT_THROW(Ledger::resume(path_, plan_), InvalidArgument) << content;
    EXPECT_EQ(read_file(path_), content);
  }
}

// Lines with the right hash and the wrong content: a newer version's, or a careless tool's.
TEST_F(LedgerTest, WhatIsNotUnderstoodIsRefused) {
  write_small_ledger();
  const std::string whole = read_file(path_);
  const std::string head = Ledger::read(path_).head_hash();
  const std::vector<std::pair<std::string, std::string>> bodies = {
      {ledger_line::charge_body(5, 5), "from 4 upwards"},  // a gap
      {ledger_line::charge_body(3, 5), "from 4 upwards"},  // charged twice
      {ledger_line::charge_body(4, 3), "steps 4 to 3"},
      {R"({"entry":"charge","first":4,"last":9223372036854775807)", "9223372036854775807"},
      {R"({"entry":"charge","first":4,"last":18446744073709551615)", "18446744073709551615"},
      {R"({"entry":"charge","first":4,"last":-1)", "found -1"},
      {R"({"entry":"charge","first":4,"last":4.5)", "found 4.5"},
      {R"({"entry":"charge","first":4)", "first last hash, found"},
      {R"({"entry":"charge","first":4,"last":4,"times":2)", "times"},
      {R"({"entry":"refund","first":3,"last":3)", R"("refund")"},
      {R"({"entry":"event","name":7,"description":{})", "found 7"},
      {R"({"entry":"note","text":null)", "found null"},
      {R"({"first":4,"last":4)", "null"},
      {R"({"entry":)", "JSON object"},
      {R"([1)", "JSON object"},
      {"", "JSON object"}};
  for (const auto& [body, part] : bodies) {
    overwrite(whole + ledger_line::seal(body, ledger_line::chain_hash(head, body)));
    expect_refused(path_, {"line 7", part});
  }
}

TEST_F(LedgerTest, OtherVersionsAreRefusedByName) {
  const std::string body = R"({"format":"sotto-ledger","version":2,"plan":{})";
  overwrite(ledger_line::seal(body, ledger_line::chain_hash(std::string(64, '0'), body)));
  expect_refused(path_, {"line 1", "version 2", "version 1"});
}

}  // namespace
}  // namespace sotto
