// An input that is not there, or is of another kind, gets one line and exit status 2, whichever
// command reads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

enum class Wants { kFile, kFolder, kEither };

struct Reader {
  std::string arguments;  // {X} is the input; {IN} a folder with good ones
  std::string flag;       // which the line names
  Wants wants = Wants::kFile;
};

class MissingFiles : public testing::Test {
 protected:
  MissingFiles() {
    std::string rows = "x,y\n";
    for (int i = 0; i < 60; ++i) rows += std::to_string(i % 10) + (i % 10 > 4 ? ",yes\n" : ",no\n");
    write_file_atomically(folder / "table.csv", rows);
    write_file_atomically(
        folder / "schema.json",
        R"({"label": "y", "classes": ["no", "yes"], "columns": {"x": {"low": 0, "high": 10}}})");
    write_file_atomically(folder / "params.csv", "k,h,m,p,q,f\n16,2,4,0.5,0.75,0.5\n");
    write_file_atomically(folder / "names.txt", "a\nb\nc\n");
    std::string counts;
    for (int cohort = 0; cohort < 4; ++cohort) {
      counts += "100";
      for (int bit = 0; bit < 16; ++bit) counts += ",50";
      counts += '\n';
    }
    write_file_atomically(folder / "c.csv", counts);
  }

  std::string filled(std::string text, const std::string& input = "") const {
    for (const auto& [mark, value] :
         {std::pair<std::string, std::string>{"{X}", input}, {"{IN}", folder.path().string()}}) {
      for (auto at = text.find(mark); at != text.npos; at = text.find(mark)) {
        text.replace(at, mark.size(), value);
      }
    }
    return text;
  }

  void expect_named(const Reader& reader, const std::string& input) const {
    SCOPED_TRACE(reader.arguments + ", " + input);
    const auto outcome = run_program(filled(reader.arguments, input));
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr(reader.flag + " '"));
    EXPECT_THAT(outcome.err, testing::HasSubstr(input));
  }

  // One that is not there, and one of another kind.
  void expect_named(const std::vector<Reader>& readers) const {
    for (const auto& reader : readers) {
      expect_named(reader, (folder / "nowhere.csv").string());
      if (reader.wants == Wants::kFile) expect_named(reader, folder.path().string());
      if (reader.wants == Wants::kFolder) expect_named(reader, (folder / "names.txt").string());
    }
  }

  TemporaryFolder folder;
};

const std::string kTable = "--dataset csv:{IN}/table.csv --schema {IN}/schema.json ";
const std::string kParams = "--params {IN}/params.csv ";

TEST_F(MissingFiles, OfTraining) {
  for (const std::string train : {"train --output {IN}/new ", "gan train --output {IN}/new "}) {
    expect_named({
        {train + "--dataset csv:{X} --schema {IN}/schema.json", "--dataset"},
        {train + "--dataset idx:{X} --classes 10", "--dataset", Wants::kFolder},
        {train + "--dataset images:{X} --class-names a,b", "--dataset", Wants::kFolder},
        {train + "--dataset csv:{IN}/table.csv --schema {X}", "--schema"},
        {train + kTable + "--test-data {X}", "--test-data"},
        {train + "--dataset images:{IN} --class-names @{X}", "--class-names"},
    });
  }
  const std::string advanced = "gan train --method advanced --output {IN}/new " + kTable;
  expect_named({
      {"train --output {IN}/new " + kTable + "--weights {X}", "--weights"},
      {"train --resume --output {X}", "--output", Wants::kFolder},
      {"gan train --resume --output {X}", "--output", Wants::kFolder},
      {advanced + "--public-dataset csv:{X}", "--public-dataset"},
      {advanced + "--public-dataset csv:{IN}/table.csv --public-schema {X}", "--public-schema"},
      {"sweep --config {X}", "--config"},
  });
}

TEST_F(MissingFiles, OfModels) {
  const auto trained = run_program(filled("train " + kTable +
                                          "--model softmax --batch-size 20 --epochs 1 "
                                          "--output {IN}/run"));
  ASSERT_EQ(trained.status, 0) << trained.err;
  expect_named({
      {"gan sample {X} --output {IN}/new", "RUN", Wants::kEither},
      {"gan evaluate {X}", "RUN", Wants::kFolder},
      {"evaluate {X}", "MODEL", Wants::kEither},
      {"evaluate {IN}/run --dataset csv:{X}", "--dataset"},
      {"evaluate {IN}/run --schema {X}", "--schema"},
      {"evaluate {IN}/run --test-data {X}", "--test-data"},
      {"evaluate {IN}/run --class-names @{X}", "--class-names"},
      {"inspect {X}", "MODEL", Wants::kEither},
      {"predict {X} {IN}/table.csv", "MODEL", Wants::kEither},
      {"predict {IN}/run {X}", "FILE", Wants::kEither},
      {"predict {IN}/run {IN}/table.csv --schema {X}", "--schema"},
      {"report {X}", "RUN", Wants::kFolder},
      {"explain {X}", "RUN", Wants::kFolder},
      {"explore --no-open --runs {X}", "--runs", Wants::kFolder},
  });
}

TEST_F(MissingFiles, OfTables) {
  expect_named({
      {"data show idx:{X} --output {IN}/new.png", "NAME", Wants::kFolder},
      {"data show images:{X} --class-names a,b --output {IN}/new.png", "NAME", Wants::kFolder},
      {"data show images:{IN} --class-names @{X} --output {IN}/new.png", "--class-names"},
      {"query count --data {X} --ledger {IN}/new.jsonl --total-epsilon 1 --epsilon 1", "--data"},
      {"anonymity --data {X} --quasi x --sensitive y", "--data"},
      {"anonymity --data {IN}/table.csv --quasi x --sensitive y --hierarchy x={X} --k 2 "
       "--release {IN}/new.csv",
       "--hierarchy"},
  });
}

TEST_F(MissingFiles, OfRappor) {
  expect_named({
      {"rappor encode --params {X} --secret {IN}/secret --metric m --input {IN}/table.csv "
       "--output {IN}/new.csv",
       "--params"},
      {"rappor encode " + kParams +
           "--secret {IN}/secret --metric m --input {X} --output {IN}/new.csv",
       "--input"},
      {"rappor encode " + kParams +
           "--answers {X} --secret {IN}/secret --metric m --input {IN}/table.csv "
           "--output {IN}/new.csv",
       "--answers"},
      {"rappor map --params {X} --candidates {IN}/names.txt", "--params"},
      {"rappor map " + kParams + "--candidates {X}", "--candidates"},
      {"rappor map " + kParams + "--answers {X}", "--answers"},
      {"rappor sum {X} " + kParams, "INPUT"},
      {"rappor sum {IN}/names.txt --params {X}", "--params"},
      {"rappor decode --params {X} --counts {IN}/c.csv --candidates {IN}/names.txt", "--params"},
      {"rappor decode " + kParams + "--counts {X} --candidates {IN}/names.txt", "--counts"},
      {"rappor decode " + kParams + "--counts {IN}/c.csv --candidates {X}", "--candidates"},
      {"rappor decode " + kParams + "--counts {IN}/c.csv --map {X}", "--map"},
      {"rappor decode " + kParams + "--counts {IN}/c.csv --answers {X}", "--answers"},
      {"rappor simulate --params {X} --output {IN}/new", "--params"},
  });
}

// Files that are made where they are not: a folder in their place, or none around them.
TEST_F(MissingFiles, OfLedgersAndSecrets) {
  for (const std::string& input : {folder.path().string(), (folder / "no" / "where").string()}) {
    expect_named({"query count --data {IN}/table.csv --ledger {X} --total-epsilon 1 --epsilon 1",
                  "--ledger"},
                 input);
    expect_named({"rappor encode " + kParams +
                      "--secret {X} --metric m --input {IN}/table.csv --output {IN}/new.csv",
                  "--secret"},
                 input);
  }
}

}  // namespace
}  // namespace sotto::cli
