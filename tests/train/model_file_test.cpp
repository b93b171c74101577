#include "sotto/train/model_file.h"

#include <gtest/gtest.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.h"
#include "data/csv_table.h"
#include "sotto/core/error.h"
#include "sotto/models/models.h"
#include "tests/core/temporary_folder.h"
#include "train/tensor_data.h"
#include "train/weight_tensors.h"
#include "weights/safetensors.h"

namespace sotto::train {
namespace {

const std::vector<std::string> kClasses{"a", "b", "c"};

class ModelFileTest : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder.path() / name; }
  TemporaryFolder folder;
};

TEST_F(ModelFileTest, EveryModelComesBackAsItWas) {
  for (const auto& name : models::model_names()) {
    auto model = models::make_model(name, {{3, 32, 32}, 3});
    const ModelCard card{name, {3, 32, 32}, kClasses, "private"};
    save_model(path(name), model, card);
    auto loaded = load_model(path(name));
    EXPECT_EQ(loaded.card.classes, kClasses);
    EXPECT_EQ(loaded.card.privacy, "private");
    const auto x = torch::rand({2, 3, 32, 32});
    EXPECT_TRUE(torch::equal(model->forward(x), loaded.model->forward(x))) << name;
  }
}

TEST_F(ModelFileTest, RunsAsTorchScript) {
  auto model = models::make_model("convnet", {{3, 32, 32}, 3});
  save_model(path("m.pt"), model, {"convnet", {3, 32, 32}, kClasses, ""});
  auto script = torch::jit::load(path("m.pt").string());
  const auto x = torch::rand({2, 3, 32, 32});
  EXPECT_TRUE(torch::allclose(script.forward({x}).toTensor(), model->forward(x)));
}

TEST_F(ModelFileTest, ScatteringRunsAsTorchScript) {
  for (const auto& shape :
       {std::vector<std::int64_t>{1, 28, 28}, {3, 32, 32}, {1, 45, 62}}) {  // 2, 2 and 3 scales
    auto model = models::make_model("scatter-linear", {shape, 3});
    save_model(path("m.pt"), model, {"scatter-linear", shape, kClasses, ""});
    auto script = torch::jit::load(path("m.pt").string());
    auto sizes = shape;
    sizes.insert(sizes.begin(), 2);
    const auto x = torch::rand(sizes) * 2 - 1;
    EXPECT_TRUE(torch::allclose(script.forward({x}).toTensor(), model->forward(x), 1e-4, 1e-4))
        << shape;
  }
}

TEST_F(ModelFileTest, PythonReadsIt) {
  if (std::system("/usr/bin/python3 -c 'import torch' 2>/dev/null") != 0) {
    GTEST_SKIP() << "python3-torch is not installed (scripts/setup installs it)";
  }
  auto model = models::make_model("cnn", {{1, 28, 28}, 3});
  save_model(path("m.pt"), model, {"cnn", {1, 28, 28}, kClasses, "sentence"});
  std::ofstream(path("use.py")) << "import sys, json, torch\n"
                                   "m = torch.jit.load(sys.argv[1] + '/m.pt')\n"
                                   "assert json.loads(m.card())['classes'] == ['a', 'b', 'c']\n"
                                   "y = m(torch.ones(2, 1, 28, 28))\n"
                                   "assert y.shape == (2, 3)\n"
                                   "p = m.predict_pixels(torch.ones(2, 1, 28, 28) * 255)\n"
                                   "assert abs(float(p.sum()) - 2) < 1e-4\n"
                                   "torch.save(m.state_dict(), sys.argv[1] + '/state.pth')\n"
                                   "torch.save({k: v for k, v in m.state_dict().items()},\n"
                                   "           sys.argv[1] + '/plain.pth')\n"
                                   "import zipfile\n"
                                   "old = zipfile.ZipFile(sys.argv[1] + '/state.pth')\n"
                                   "with zipfile.ZipFile(sys.argv[1] + '/short.pth', 'w') as new:\n"
                                   "    for n in old.namelist():\n"
                                   "        c = old.read(n)\n"
                                   "        new.writestr(n, c[:4] if '/data/' in n else c)\n"
                                   "print(float(y.sum()))\n";
  const auto command = "/usr/bin/python3 " + path("use.py").string() + " " +
                       folder.path().string() + " > " + path("out").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  const double sum = std::stod(read_file(path("out")));
  EXPECT_NEAR(sum, model->forward(torch::ones({2, 1, 28, 28})).sum().item<double>(), 1e-4);
  auto other = models::make_model("cnn", {{1, 28, 28}, 3});
  load_weights(path("state.pth"), *other);
  EXPECT_TRUE(torch::equal(other->parameters()[0], model->parameters()[0]));
  EXPECT_THROW(load_weights(path("short.pth"), *other), InvalidArgument);  // records too small
  auto third = models::make_model("cnn", {{1, 28, 28}, 3});
  load_weights(path("plain.pth"), *third);
  EXPECT_TRUE(torch::equal(third->parameters()[3], model->parameters()[3]));
}

constexpr const char* kTableSchema = R"({"label": "ill", "classes": ["no", "yes"], "ids": ["id"],
  "missing_values": ["NA"], "columns": {
    "age": {"type": "integer", "low": 0, "high": 110, "missing": 50},
    "bmi": {"low": 10, "high": 60, "missing": true},
    "dose": {"mean": 5, "std": 2},
    "seen": {"type": "date", "low": "2020-01-01", "high": "2026-12-31"},
    "sex": {"categories": ["f", "m"]},
    "town": {"categories": ["A, B", "C"], "other": true, "missing": true}}})";

using Rows = std::vector<std::map<std::string, std::string>>;

c10::IValue list_of(const Rows& rows) {
  const auto of_texts = c10::DictType::create(c10::StringType::get(), c10::StringType::get());
  c10::impl::GenericList list(of_texts);
  for (const auto& row : rows) {
    c10::impl::GenericDict fields(c10::StringType::get(), c10::StringType::get());
    for (const auto& [name, text] : row) fields.insert(name, text);
    list.push_back(fields);
  }
  return list;
}

TEST_F(ModelFileTest, TheFileAnswersRowsAsTheirFieldsAreWritten) {
  const auto schema = data::parse_csv_schema(kTableSchema, "schema");
  auto model = models::make_model("mlp", {{schema.feature_count()}, 2});
  ModelCard card{"mlp", {schema.feature_count()}, {"no", "yes"}, ""};
  card.schema = nlohmann::ordered_json::parse(kTableSchema).dump();
  save_model(path("m.pt"), model, card);
  EXPECT_EQ(load_model(path("m.pt")).card.schema, card.schema);
  const Rows rows{{{"id", "1"},
                   {"age", "63"},
                   {"bmi", "27.5"},
                   {"dose", "1e1"},
                   {"seen", "2024-02-29"},
                   {"sex", "m"},
                   {"town", "A, B"}},
                  {{"id", "2"},
                   {"age", "NA"},
                   {"bmi", ""},
                   {"dose", "-300"},
                   {"seen", "2019-01-01"},
                   {"sex", " f "},
                   {"town", "Z"}},
                  {{"id", "3"},
                   {"age", "+200"},
                   {"bmi", "NA"},
                   {"dose", "5.25"},
                   {"seen", "2026-12-31"},
                   {"sex", "f"},
                   {"town", ""}}};
  std::string table = "id,age,bmi,dose,seen,sex,town\n";
  for (const auto& row : rows) {
    table += row.at("id") + ',' + row.at("age") + ',' + row.at("bmi") + ',' + row.at("dose") + ',' +
             row.at("seen") + ',' + row.at("sex") + ",\"" + row.at("town") + "\"\n";
  }
  std::istringstream stream(table);
  const auto parsed = data::parse_rows_to_predict(stream, "table", schema);
  const auto inputs = torch::tensor(parsed.features).view({3, -1});
  auto script = torch::jit::load(path("m.pt").string());
  const auto answered = script.run_method("predict_rows", list_of(rows)).toTensor();
  EXPECT_TRUE(torch::allclose(answered, torch::softmax(model->forward(inputs), 1), 1e-5, 1e-6));

  for (const auto& [column, field] :
       {std::pair{"age", "6x"}, std::pair{"age", "6.5"}, std::pair{"dose", "1-2"},
        std::pair{"dose", ""}, std::pair{"seen", "2023-02-29"}, std::pair{"sex", "x"}}) {
    auto wrong = rows.front();
    wrong[column] = field;
    EXPECT_ANY_THROW(script.run_method("predict_rows", list_of({wrong}))) << column << field;
  }
}

TEST_F(ModelFileTest, TheFileAnswersPixels) {
  auto model = models::make_model("cnn", {{1, 28, 28}, 3});
  save_model(path("m.pt"), model, {"cnn", {1, 28, 28}, kClasses, ""});
  auto script = torch::jit::load(path("m.pt").string());
  const auto bytes = torch::randint(0, 256, {2, 1, 28, 28}).to(torch::kUInt8);
  const auto expected =
      torch::softmax(model->forward(model_input(bytes.to(torch::kFloat) / 255)), 1);
  const auto answered = script.run_method("predict_pixels", bytes).toTensor();
  EXPECT_TRUE(torch::allclose(answered, expected, 1e-4, 1e-5));
}

TEST_F(ModelFileTest, SafetensorsHoldTheWeightsAndTheStatement) {
  auto model = models::make_model("convnet", {{3, 32, 32}, 3});
  save_safetensors(path("m.safetensors"), model, {"convnet", {3, 32, 32}, kClasses, "sentence"});
  auto other = models::make_model("convnet", {{3, 32, 32}, 3});
  load_weights(path("m.safetensors"), *other);
  for (std::size_t i = 0; i < model->parameters().size(); ++i) {
    EXPECT_TRUE(torch::equal(model->parameters()[i], other->parameters()[i])) << i;
  }
  EXPECT_EQ(load_model(path("m.safetensors")).card.privacy, "sentence");
  const auto file = weights::read_weight_file(path("m.safetensors"));
  EXPECT_EQ(file.texts.at("privacy"), "sentence");
}

// Neither of them runs code of the file or trusts its lengths, whatever wrote it.
TEST_F(ModelFileTest, AWholeModelInPythonsFormatIsRefusedByTheNameOfWhatItCalls) {
  if (std::system("/usr/bin/python3 -c 'import torch' 2>/dev/null") != 0) {
    GTEST_SKIP() << "python3-torch is not installed (scripts/setup installs it)";
  }
  std::ofstream(path("whole.py")) << "import sys, torch\n"
                                     "m = torch.nn.Sequential(torch.nn.Linear(4, 3))\n"
                                     "torch.save(m, sys.argv[1])\n";
  const auto command =
      "/usr/bin/python3 " + path("whole.py").string() + " " + path("whole.pth").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  auto model = models::make_model("softmax", {{4}, 3});
  try {
    load_weights(path("whole.pth"), *model);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("Sequential'"), std::string::npos) << error.what();
  }
}

TEST_F(ModelFileTest, WholeNumbersAreNoWeights) {
  weights::WeightFile file;
  add_tensor(file, "linear.weight", stored_of(torch::ones({3, 4}, torch::kLong)));
  add_tensor(file, "linear.bias", stored_of(torch::ones({3}, torch::kHalf)));
  write_file_atomically(path("w.safetensors"), weights::safetensors_of(file));
  auto model = models::make_model("softmax", {{4}, 3});
  EXPECT_THROW(load_weights(path("w.safetensors"), *model), InvalidArgument);
  file.tensors.erase("linear.weight");
  add_tensor(file, "linear.weight", stored_of(torch::ones({4, 3}, torch::kDouble).t()));
  write_file_atomically(path("w.safetensors"), weights::safetensors_of(file));
  load_weights(path("w.safetensors"), *model);
  EXPECT_TRUE(torch::equal(model->parameters()[0], torch::ones({3, 4})));
}

// A few hundred bytes that ask for networks of gigabytes, or of no size at all.
TEST_F(ModelFileTest, CardsAreNotBelieved) {
  const auto refused = [&](const std::string& model, const std::string& shape,
                           const std::string& rest = R"("classes":["a","b"],"privacy":"")") {
    weights::WeightFile file;
    add_tensor(file, "linear.weight", stored_of(torch::ones({2, 4})));
    file.texts["card"] = R"({"model":")" + model + R"(","shape":)" + shape + "," + rest + "}";
    write_file_atomically(path("card.safetensors"), weights::safetensors_of(file));
    try {
      load_model(path("card.safetensors"));
    } catch (const InvalidArgument& error) {
      return std::string(error.what()).find("card.safetensors: not a model") != std::string::npos;
    }
    return false;
  };
  for (const auto* shape : {"[-4]", "[0]", "[1e300]", "[1048576]", "[9223372036854775807]", "[]",
                            "[1000,1000,1000]", "[[4]]", "4", "[1,2,3,4]"}) {
    EXPECT_TRUE(refused("mlp", shape)) << shape;
  }
  EXPECT_TRUE(refused("cnn", "[1,1,1]"));
  EXPECT_TRUE(refused("\u001b[2J", "[4]"));
  EXPECT_TRUE(refused("softmax", "[4]", R"("classes":[],"privacy":"")"));
  EXPECT_TRUE(
      refused("vgg16", "[3,224,224]", R"("classes":["a"],"privacy":"","hidden_units":1000000)"));
  EXPECT_TRUE(refused("lip-mlp", "[4]", R"("classes":["a"],"privacy":"","input_bound":-1)"));
}

TEST_F(ModelFileTest, WeightsMustFit) {
  auto model = models::make_model("mlp", {{4}, 3});
  save_model(path("m.pt"), model, {"mlp", {4}, kClasses, ""});
  auto same = models::make_model("mlp", {{4}, 3});
  load_weights(path("m.pt"), *same);
  EXPECT_TRUE(torch::equal(same->parameters()[2], model->parameters()[2]));
  auto wider = models::make_model("mlp", {{5}, 3});
  EXPECT_THROW(load_weights(path("m.pt"), *wider), InvalidArgument);
  auto fewer = models::make_model("softmax", {{4}, 3});
  EXPECT_THROW(load_weights(path("m.pt"), *fewer), InvalidArgument);
}

TEST_F(ModelFileTest, DamagedFilesAreRefusedByName) {
  auto model = models::make_model("mlp", {{4}, 3});
  save_model(path("m.pt"), model, {"mlp", {4}, kClasses, ""});
  const std::string bytes = read_file(path("m.pt"));
  const auto refused = [&](const std::string& content) {
    std::ofstream(path("bad.pt"), std::ios::binary) << content;
    try {
      load_model(path("bad.pt"));
    } catch (const InvalidArgument& error) {
      return std::string(error.what()).find("bad.pt") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused(""));
  EXPECT_TRUE(refused("not a model"));
  EXPECT_TRUE(refused(bytes.substr(0, bytes.size() / 2)));
  EXPECT_THROW(load_model(path("missing.pt")), FileError);
}

}  // namespace
}  // namespace sotto::train
