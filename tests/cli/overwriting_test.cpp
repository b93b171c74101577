// No command writes over what it reads, nor over anything else without --force.
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

constexpr const char* kPrecious = "what somebody worked on for a week";

struct Writer {
  const char* name;
  std::string arguments;  // the output is {OUT}; other files are in {IN}
  const char* ending;     // of the file that is written
};

void PrintTo(const Writer& writer, std::ostream* out) { *out << writer.arguments; }

class Overwriting : public testing::TestWithParam<Writer> {
 protected:
  Overwriting() {
    write_file_atomically(folder / "table.csv", kTable);
    write_file_atomically(folder / "params.csv", "k,h,m,p,q,f\n16,2,4,0.5,0.75,0.5\n");
    write_file_atomically(folder / "names.txt", "a\nb\nc\n");
  }

  std::string with_output(const std::string& output) const {
    std::string text = GetParam().arguments;
    for (const auto& [mark, value] :
         {std::pair<std::string, std::string>{"{OUT}", output}, {"{IN}", folder.path().string()}}) {
      for (auto at = text.find(mark); at != text.npos; at = text.find(mark)) {
        text.replace(at, mark.size(), value);
      }
    }
    return text;
  }

  static constexpr const char* kTable =
      "age,zip,illness\n30,25000,cold\n31,25000,flu\n30,25000,flu\n31,25000,cold\n";
  TemporaryFolder folder;
};

TEST_P(Overwriting, NeedsForce) {
  const auto output = folder / (std::string("out") + GetParam().ending);
  write_file_atomically(output, kPrecious);
  const auto arguments = with_output(output.string());
  expect_refused(arguments, "--force");
  EXPECT_EQ(read_file(output), kPrecious);
  const auto forced = run_program(arguments + " --force");
  EXPECT_EQ(forced.status, 0) << forced.err;
  EXPECT_NE(read_file(output), kPrecious);
  std::filesystem::remove(output);
  const auto fresh = run_program(arguments);
  EXPECT_EQ(fresh.status, 0) << fresh.err;
  EXPECT_TRUE(std::filesystem::exists(output));
}

const std::string kRun = "-s 60000 -b 256 -n 1 ";
INSTANTIATE_TEST_SUITE_P(
    Every, Overwriting,
    testing::Values(
        Writer{"Anonymity",
               "anonymity --data {IN}/table.csv --quasi age,zip --sensitive illness --k 2 "
               "--width age=10 --release {OUT}",
               ".csv"},
        Writer{"Plot", "plot epochs " + kRun + "--to 9 --points 3 --output {OUT}", ".csv"},
        Writer{"Explain", "explain " + kRun + "-e 5 --plot {OUT}", ".svg"},
        Writer{"Params", "rappor params --params {IN}/params.csv --output {OUT}", ".csv"},
        Writer{"Map",
               "rappor map --params {IN}/params.csv --candidates {IN}/names.txt --output {OUT}",
               ".csv"},
        Writer{"Schema", "schema init {IN}/table.csv --output {OUT}", ".json"},
        Writer{"DataSheet", "data show digits --output {OUT}", ".png"}),
    [](const auto& info) { return info.param.name; });

TEST(OverwritingInputs, IsRefusedWhateverIsAsked) {
  const TemporaryFolder folder;
  const auto table = (folder / "table.csv").string();
  const std::string text = "age,illness\n30,cold\n30,flu\n";
  write_file_atomically(table, text);
  std::filesystem::create_symlink(table, folder / "link.csv");
  std::filesystem::create_hard_link(table, folder / "other.csv");
  for (const auto& name : {"table.csv", "link.csv", "other.csv"}) {
    expect_refused("anonymity --data " + table +
                       " --quasi age --sensitive illness --k 2 --width age=10 --force --release " +
                       (folder / name).string(),
                   "is read as well (--data)");
  }
  EXPECT_EQ(read_file(table), text);
}

TEST(OverwritingInputs, AreFoundInEveryWayToNameThem) {
  const TemporaryFolder folder;
  const auto file = (folder / "zip.csv").string();
  write_file_atomically(file, "25000,25*\n");
  write_file_atomically(folder / "table.csv", "zip,illness\n25000,cold\n25000,flu\n");
  expect_refused("anonymity --data " + (folder / "table.csv").string() +
                     " --quasi zip --sensitive illness --k 2 --hierarchy zip=" + file +
                     " --force --release " + file,
                 "is read as well (--hierarchy)");
}

TEST(OverwritingInputs, AreFoundBehindStandardInput) {
  const TemporaryFolder folder;
  const auto values = (folder / "values.csv").string();
  write_file_atomically(values, "client,value\nann,x\n");
  expect_refused("rappor encode -k 8 --hashes 1 -m 1 -f 0.5 -p 0 -q 1 --metric m --secret " +
                     (folder / "secret").string() + " --input - --force --output " + values + " <" +
                     values,
                 "is read as well (--input)");
}

TEST(OverwritingInputs, AreThePicturesInAFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "pictures" / "rose");
  const auto picture = (folder / "pictures" / "rose" / "1.png").string();
  write_file_atomically(picture, kPrecious);
  expect_refused("data show images:" + (folder / "pictures").string() +
                     " --class-names rose --force --output " + picture,
                 "is read as well (NAME)");
}

TEST(TwoOutputs, NeedTwoPlaces) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "sub");
  write_file_atomically(folder / "there.csv", kPrecious);
  for (const auto& [one, other] : {std::pair{"a.csv", "a.csv"},
                                   {"a.csv", "sub/../a.csv"},
                                   {"there.csv", "sub/../there.csv"}}) {
    expect_refused("rappor sum reports.bin --force --counts " + (folder / one).string() +
                       " --partial " + (folder / other).string(),
                   "--partial '" + (folder / other).string() + "': is what --counts writes, too");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a.csv"));
}

TEST(Outputs, AreFilesInFoldersThatAreThere) {
  const TemporaryFolder folder;
  const auto place = [&](const char* name) { return (folder / name).string(); };
  write_file_atomically(folder / "params.csv", "k,h,m,p,q,f\n16,2,4,0.5,0.75,0.5\n");
  write_file_atomically(folder / "names.txt", "a\nb\nc\n");
  const std::string params = " --params " + place("params.csv");
  for (const auto& command : std::vector<std::string>{
           "rappor params" + params + " --force --output ",
           "rappor map" + params + " --candidates " + place("names.txt") + " --force --output ",
           "explain 1 --force --plot ", "plot epochs " + kRun + "--to 9 --force -o ",
           "data show digits --force -o "}) {
    const auto words = command.find("--plot") == std::string::npos ? "--output '" : "--plot '";
    for (const std::string& output : {std::string("''"), place(""), place("none/out.svg")}) {
      expect_refused(command + output, words);
    }
  }
  expect_refused("rappor simulate --reports 10 -o ''", "--output ''");
}

TEST(Outputs, ThatAreDevicesFailAtWriting) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "params.csv", "k,h,m,p,q,f\n16,2,4,0.5,0.75,0.5\n");
  const auto device =
      run_program("rappor params --params " + (folder / "params.csv").string() + " -o /dev/full");
  EXPECT_EQ(device.status, 1);
  EXPECT_NE(device.err.find("/dev/full"), std::string::npos) << device.err;
}

}  // namespace
}  // namespace sotto::cli
