// Two data sets of equal size that differ in one record, through the command line, for every
// source, sampling, adjacency, method and clipping: settings, ledger, statement, names of files,
// metrics and all that is printed are equal, except what a noised model does on public rows. (Pages
// and models are compared in neighbours_test.cpp, where equal seeds make that possible.)
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/cli/published.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/idx_bytes.h"

namespace sotto::cli {
namespace {

using nlohmann::json;

// Which of two neighbours: the record in question is like the others, or as far from them as the
// declarations allow.
enum class Neighbour { kOrdinary, kExtreme };

class NeighbouringRuns : public testing::Test {
 protected:
  NeighbouringRuns() {
    write_file_atomically(
        path("schema.json"),
        R"({"label": "y", "classes": ["no", "yes", "nobody"],)"
        R"( "columns": {"x": {"low": 0, "high": 1000}, "sex": {"categories": ["f", "m"]}}})");
    write_file_atomically(path("public.csv"), "x,sex,y\n" + rows(40));
  }

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  static std::string rows(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text +=
          std::to_string(i % 200) + (i % 3 == 0 ? ",f," : ",m,") + (i < 90 ? "yes" : "no") + '\n';
    }
    return text;
  }

  // The extreme record is the only one of its class.
  void write_table(Neighbour neighbour) const {
    write_file_atomically(
        path("table.csv"),
        "x,sex,y\n" + rows(200) +
            (neighbour == Neighbour::kOrdinary ? "100,m,yes\n" : "1000,f,nobody\n"));
  }

  void write_idx(Neighbour neighbour) const {
    std::filesystem::create_directories(folder / "idx");
    for (const std::string part : {"train", "t10k"}) {
      std::string pixels;
      std::string labels;
      for (int i = 0; i < 60; ++i) {
        const bool extreme = part == "train" && i == 17 && neighbour == Neighbour::kExtreme;
        pixels += std::string(28 * 28, extreme ? '\xFF' : static_cast<char>(i));
        labels += static_cast<char>(extreme ? 2 : i % 2);
      }
      write_file_atomically(folder / "idx" / (part + "-images-idx3-ubyte"),
                            data::idx_bytes({60, 28, 28}, pixels));
      write_file_atomically(folder / "idx" / (part + "-labels-idx1-ubyte"),
                            data::idx_bytes({60}, labels));
    }
  }

  // Both runs of `arguments`; {FOLDER} stands for where the data are.
  std::pair<Published, Published> run_both(std::string arguments) const {
    for (auto at = arguments.find("{FOLDER}"); at != arguments.npos;
         at = arguments.find("{FOLDER}")) {
      arguments.replace(at, 8, folder.path().string());
    }
    const auto run = [&](Neighbour neighbour, const std::string& kept_as) {
      write_table(neighbour);
      write_idx(neighbour);
      return run_and_keep(arguments, folder.path(), kept_as);
    };
    auto ordinary = run(Neighbour::kOrdinary, "a");
    return {std::move(ordinary), run(Neighbour::kExtreme, "b")};
  }

  TemporaryFolder folder;
};

constexpr const char* kTable =
    " --dataset csv:{FOLDER}/table.csv --schema {FOLDER}/schema.json --test-data "
    "{FOLDER}/public.csv ";
constexpr const char* kPictures = " --dataset idx:{FOLDER}/idx --classes 3 ";
constexpr const char* kTraining =
    " --model softmax --batch-size 50 --epochs 2 --noise-multiplier 2 --threads 1 --json ";
constexpr const char* kWithoutBatches =
    " --model softmax --epochs 2 --noise-multiplier 2 --threads 1 --json ";

struct Kind {
  const char* name;
  std::string arguments;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.arguments; }

std::string name_of(const testing::TestParamInfo<Kind>& info) { return info.param.name; }

// All but times and what the noised model does on public test rows.
json covered(json object) {
  if (object.is_array()) {
    for (auto& line : object) line = covered(line);
    return object;
  }
  for (const auto* key :
       {"test_accuracy", "test_loss", "diverged", "divergence", "seconds", "samples_per_second"}) {
    object.erase(key);
  }
  return object;
}

// Of evaluation.json. Of some scores a noised model may leave nothing on public test rows, such as
// the precision of a class that it never predicts.
std::string evaluation_words(const Published& run) {
  auto evaluation = json::parse(read_file(run.folder / "evaluation.json"));
  for (const auto* key :
       {"accuracy_interval", "baseline", "balanced_accuracy", "per_class", "auc", "calibration"}) {
    EXPECT_EQ(evaluation.erase(key), 1U) << key;
  }
  return without_numbers(evaluation.dump());
}

class NeighbouringTraining : public NeighbouringRuns, public testing::WithParamInterface<Kind> {};

TEST_P(NeighbouringTraining, PublishesTheSameButForNoisedNumbers) {
  const auto [a, b] = run_both("train" + GetParam().arguments);
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(file_names(a.folder), file_names(b.folder));
  for (const auto* name : {"config.json", "ledger.jsonl", "privacy.json", "privacy.md"}) {
    expect_same_file(a, b, name);
  }
  EXPECT_EQ(evaluation_words(a), evaluation_words(b));
  EXPECT_EQ(covered(metrics_without_times(a)), covered(metrics_without_times(b)));
  EXPECT_EQ(covered(a.outcome.json()), covered(b.outcome.json()));
  EXPECT_EQ(without_numbers(a.outcome.err), without_numbers(b.outcome.err));
}

const std::string kTableRun = std::string(kTable) + kTraining;
const std::string kClipless = std::string(kTable) +
                              "--method clipless --model lip-mlp --batch-size 50 --epochs 2 "
                              "--noise-multiplier 2 --threads 1 --json ";
INSTANTIATE_TEST_SUITE_P(
    Every, NeighbouringTraining,
    testing::Values(
        Kind{"Poisson", kTableRun}, Kind{"FixedSize", kTableRun + "--sampling fixed-size"},
        Kind{"Shuffled", kTableRun + "--sampling shuffled"},
        Kind{"ShuffledReplaceOne", kTableRun + "--sampling shuffled --adjacency replace-one"},
        Kind{"WithoutSampling", std::string(kTable) + kWithoutBatches + "--sampling none"},
        Kind{"AddRemove", kTableRun + "--adjacency add-remove"},
        Kind{"ReplaceOne", kTableRun + "--adjacency replace-one"},
        Kind{"Graph", kTableRun + "--gradients graph"},
        Kind{"GraphInParts", kTableRun + "--gradients graph --max-physical-batch-size 7"},
        Kind{"Adaptive", kTableRun + "--clipping adaptive"},
        Kind{"Automatic", kTableRun + "--clipping automatic"},
        Kind{"PerLayer", kTableRun + "--clipping per-layer"}, Kind{"Clipless", kClipless},
        Kind{"CliplessAdaptive", kClipless + "--clipping adaptive"},
        Kind{"CliplessSearched", kClipless + "--clipping laplace"},
        Kind{"Idx", std::string(kPictures) + kTraining}),
    name_of);

class NeighbouringGenerators : public NeighbouringRuns, public testing::WithParamInterface<Kind> {};

TEST_P(NeighbouringGenerators, PublishTheSameButForNoisedNumbers) {
  const auto [a, b] = run_both("gan train --json --latent-size 4" + GetParam().arguments);
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(file_names(a.folder), file_names(b.folder));
  for (const auto* name : {"config.json", "ledger.jsonl", "privacy.json", "privacy.md"}) {
    expect_same_file(a, b, name);
  }
  EXPECT_EQ(without_numbers(a.outcome.out), without_numbers(b.outcome.out));
  EXPECT_EQ(without_numbers(a.outcome.err), without_numbers(b.outcome.err));
}

const std::string kCritic = "--steps 4 --critic-steps 2 --batch-size 20 --noise-multiplier 2 ";
const std::string kPublicTable =
    "--public-dataset csv:{FOLDER}/public.csv --public-schema {FOLDER}/schema.json ";
INSTANTIATE_TEST_SUITE_P(
    Every, NeighbouringGenerators,
    testing::Values(
        Kind{"MerfOfATable", std::string(kTable) + "--fit-steps 10"},
        Kind{"MerfOfPictures", std::string(kPictures) + "--width 4 --fit-steps 5 --fit-batch 20"},
        Kind{"BasicOfATable", std::string(kTable) + "--method basic --networks mlp " + kCritic},
        Kind{"BasicOfPictures",
             std::string(kPictures) + "--method basic --networks mlp " + kCritic},
        Kind{"AdvancedOfATable", std::string(kTable) +
                                     "--method advanced --networks mlp --warm-start-steps 2 " +
                                     kPublicTable + kCritic}),
    name_of);

// Links to the private files under another name would be looked at without noise.
TEST_F(NeighbouringRuns, EvaluateDoesNotTakePrivateFilesForPublicOnes) {
  write_idx(Neighbour::kOrdinary);
  const auto trained = run_program("train --dataset idx:" + path("idx") + " --classes 3" +
                                   kTraining + "--output " + path("run"));
  ASSERT_EQ(trained.status, 0) << trained.err;
  std::filesystem::create_directory(folder / "other");
  for (const std::string kind : {"images-idx3-ubyte", "labels-idx1-ubyte"}) {
    std::filesystem::copy_file(folder / "idx" / ("t10k-" + kind),
                               folder / "other" / ("train-" + kind));
    std::filesystem::create_symlink(folder / "idx" / ("train-" + kind),
                                    folder / "other" / ("t10k-" + kind));
  }
  expect_refused("evaluate " + path("run") + " --dataset idx:" + path("other"),
                 "holds files of the private data");
  EXPECT_EQ(run_program("evaluate " + path("run") + " --dataset idx:" + path("idx")).status, 0);
}

// Which configuration is best follows from noised models and public test rows.
TEST_F(NeighbouringRuns, ASweepCostsAndListsTheSame) {
  const auto [a, b] = run_both(std::string("sweep") + kTable +
                               "--model softmax --batch-size 50 --epochs 1 --json "
                               "--noise-multiplier 1,2");
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(file_names(a.folder), file_names(b.folder));
  const json first = a.outcome.json();
  const json second = b.outcome.json();
  for (const auto* key : {"planned", "finished", "failed", "epsilon_of_tuning", "delta"}) {
    EXPECT_EQ(first[key], second[key]) << key;
  }
  for (const auto* key : {"basis", "theorem", "adjacency", "epsilon_of_all_runs"}) {
    EXPECT_EQ(first["tuning"][key], second["tuning"][key]) << key;
  }
  EXPECT_EQ(without_numbers(a.outcome.err), without_numbers(b.outcome.err));
}

}  // namespace
}  // namespace sotto::cli
