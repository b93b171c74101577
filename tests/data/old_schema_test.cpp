// Runs of the past have stored their schemas: what those make of a table stays the same, bit by
// bit.
#include <gtest/gtest.h>

#include <span>

#include "core/atomic_file.h"
#include "core/sha256.h"
#include "data/csv_table.h"
#include "tests/core/temporary_folder.h"

namespace sotto::data {
namespace {

constexpr const char* kOldSchema = R"({"label": "y", "classes": ["no", "yes"], "drop": ["id"],
  "columns": {"a": {"low": -3.7, "high": 11.3, "missing": 2.2}, "b": {"mean": 40.1, "std": 12.7},
              "c": {"categories": ["p", "q", "r s"], "other": true, "missing": "q"},
              "d": {"categories": ["p", "q"], "missing": "p"}, "e": {"low": 0, "high": 1e-3},
              "f": {"mean": -1e9, "std": 1e9, "missing": 0}, "g": {"categories": ["", "x"]}}})";

std::string old_table() {
  std::string text = "id,g,f,e,d,c,b,a,y\n";
  for (int i = 0; i < 997; ++i) {
    const auto n = std::to_string(i);
    const std::vector<std::string> c{"", "p", "\"r s\"", "\"z,\""};
    text += n + (i % 3 == 0 ? "," : ",x") + (i % 5 == 0 ? "," : ",-" + n + "e7") + ",0.000" + n +
            (i % 7 == 0 ? "," : ",q") + "," + c[i % 4] + "," + std::to_string(i * 37 % 101) + "." +
            n + (i % 6 == 0 ? "," : ", " + std::to_string(i % 17) + ".25" + n + " ") +
            (i % 2 == 0 ? ",no\n" : ",yes\n");
  }
  return text;
}

std::string hash_of(const LabelledData& data) {
  const auto bytes = std::as_bytes(std::span(data.features));
  return sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// The hashes are what the reader of commit cb61be9 made of the same files.
TEST(OldSchema, GivesTheSameBitsAsWhenItWasWritten) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "t.csv", old_table());
  const auto data = read_csv(folder / "t.csv", parse_csv_schema(kOldSchema, "s.json"));
  EXPECT_EQ(data.train.size(), 812);
  EXPECT_EQ(hash_of(data.train),
            "e2a7dd738d6e3a715ac8203dad1403ae85e5a55628d6aaf88ce1432710966325");
  EXPECT_EQ(data.test.size(), 185);
  EXPECT_EQ(hash_of(data.test), "287c4ae543693597d332228f5e26eb269f69b9f2e5db69fd640a932a46726629");
}

}  // namespace
}  // namespace sotto::data
