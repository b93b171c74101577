#include "sotto/gan/generator_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <fstream>
#include <sstream>

#include "core/atomic_file.h"
#include "data/csv_table.h"
#include "data/idx.h"
#include "gan/export.h"
#include "gan/table_columns.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/messages.h"

namespace sotto::gan {
namespace {

using data::message_of;
using testing::HasSubstr;

constexpr const char* kSchema = R"({"label": "ill", "classes": ["no", "yes"], "columns": {
  "age": {"low": 0, "high": 100}, "weight": {"mean": 70, "std": 10},
  "town": {"categories": ["A", "B, the second", "C"]}}})";

GeneratorCard images() {
  GeneratorCard card;
  card.classes = {"0", "1", "2"};
  card.shares = {0.5, 0.5, 0};
  card.shape = {{1, 8, 8}, 3, 6, 4, {}};
  return card;
}

GeneratorCard table() {
  GeneratorCard card;
  card.networks = Networks::kMlp;
  card.classes = {"no", "yes"};
  card.shares = {0.25, 0.75};
  card.schema = kSchema;
  card.shape = {{5}, 2, 6, 4, columns_of(kSchema)};
  return card;
}

class GeneratorFileTest : public testing::Test {
 protected:
  GeneratorFileTest() { torch::manual_seed(4); }
  TemporaryFolder folder;
};

TEST_F(GeneratorFileTest, ComesBackAsItWas) {
  for (const auto& card : {images(), table()}) {
    Generator generator(card.networks, card.shape);
    save_generator(folder / "generator.pt", generator, card);
    const auto loaded = load_generator(folder / "generator.pt");
    EXPECT_EQ(loaded.card.classes, card.classes);
    torch::manual_seed(9);
    const auto before = draw_samples(generator, card, 20);
    torch::manual_seed(9);
    const auto after = draw_samples(loaded.generator, loaded.card, 20);
    EXPECT_TRUE(before.samples.equal(after.samples));
    EXPECT_TRUE(before.labels.equal(after.labels));
  }
}

TEST_F(GeneratorFileTest, RefusesOtherFiles) {
  write_file_atomically(folder / "text.pt", "hello");
  EXPECT_THAT(message_of([&] { load_generator(folder / "text.pt"); }),
              HasSubstr("text.pt: not a generator that sotto wrote"));
  torch::serialize::OutputArchive archive;
  archive.write("card", c10::IValue(std::string("{}")));
  std::ostringstream stream;
  archive.save_to(stream);
  write_file_atomically(folder / "other.pt", stream.str());
  EXPECT_THAT(message_of([&] { load_generator(folder / "other.pt"); }),
              HasSubstr("not a generator"));
}

TEST_F(GeneratorFileTest, LabelsFollowTheShares) {
  const auto labels = draw_labels(table(), 40000);
  EXPECT_NEAR(labels.to(torch::kDouble).mean().item<double>(), 0.75, 5 * 0.433 / 200);
  EXPECT_LT(draw_labels(images(), 1000).max().item<std::int64_t>(), 2);
}

TEST_F(GeneratorFileTest, IdxIsReadBack) {
  const auto card = images();
  Generator generator(card.networks, card.shape);
  const auto drawn = draw_samples(generator, card, 70);
  write_idx(folder / "idx", drawn, card);
  const auto read = data::read_idx_folder(folder / "idx", 3);
  EXPECT_EQ(read.train.size(), 60);
  EXPECT_EQ(read.test.size(), 10);
  EXPECT_EQ(read.train.shape, card.shape.sample);
  EXPECT_EQ(read.train.labels[5], drawn.labels[5].item<std::int64_t>());
  EXPECT_NEAR(read.train.features[100], drawn.samples.flatten()[100].item<double>(), 0.5 / 255);
  EXPECT_THAT(message_of([&] { write_idx(folder / "idx", drawn, card); }),
              HasSubstr("not an empty"));
  write_csv(folder / "pixels.csv", drawn, card);
  EXPECT_EQ(read_file(folder / "pixels.csv").substr(0, 12), "label,pixel0");
}

// A category without a feature is generated too, and written as none of the listed ones.
TEST_F(GeneratorFileTest, OtherCategoriesOccur) {
  constexpr const char* kOther = R"({"label": "ill", "classes": ["no", "yes"], "columns": {
    "town": {"categories": ["A"], "other": true}}})";
  GeneratorCard card = table();
  card.schema = kOther;
  card.shape.columns = columns_of(kOther);
  card.shape.sample = {1};
  Generator generator(card.networks, card.shape);
  const auto drawn = draw_samples(generator, card, 300);
  EXPECT_GT(drawn.samples.sum().item<double>(), 10);
  EXPECT_LT(drawn.samples.sum().item<double>(), 290);
  write_csv(folder / "rows.csv", drawn, card);
  EXPECT_THAT(read_file(folder / "rows.csv"), HasSubstr("other,"));
}

TEST_F(GeneratorFileTest, TablesHaveTheSchemaTheyCameWith) {
  const auto card = table();
  Generator generator(card.networks, card.shape);
  const auto drawn = draw_samples(generator, card, 50);
  write_csv(folder / "rows.csv", drawn, card);
  std::ifstream input(folder / "rows.csv");
  const auto schema = data::parse_csv_schema(kSchema, "schema");
  const auto read = data::parse_csv_table(input, "rows.csv", schema);  // throws for other values
  ASSERT_EQ(read.size(), 50);
  for (std::int64_t i = 0; i < 50 * 5; ++i) {
    EXPECT_NEAR(read.features[static_cast<std::size_t>(i)],
                drawn.samples.flatten()[i].item<double>(), 2e-4);
  }
  EXPECT_THAT(message_of([&] { write_idx(folder / "no", drawn, card); }),
              HasSubstr("is for images"));
}

}  // namespace
}  // namespace sotto::gan
