#include "weights/python_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/messages.h"
#include "tests/weights/pickle_bytes.h"
#include "weights/weight_file.h"

namespace sotto::weights {
namespace {

using data::message_of;
using testing::HasSubstr;

WeightFile read(const std::string& pickle) {
  return read_weight_bytes(archive_of(pickle), "w.pth");
}

std::string refusal(const std::string& pickle) {
  return message_of([&] { read(pickle); });
}

std::string refused_tensor(const std::vector<std::int32_t>& shape,
                           const std::vector<std::int32_t>& strides, std::int32_t offset = 0) {
  return refusal(
      pickled_dictionary(pickled_text("a") + pickled_tensor("0", shape, strides, offset)));
}

TEST(PythonWeights, AStateDictIsRead) {
  const auto file =
      read(pickled_dictionary(pickled_text("0.weight") + pickled_tensor("0", {2, 2}, {1, 2}) +
                              pickled_text("0.bias") + pickled_tensor("1", {2}, {1}, 2)));
  ASSERT_EQ(file.tensors.size(), 2U);
  const auto& weight = file.tensors.at("0.weight");
  EXPECT_EQ(weight.strides(), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(weight.bytes().size(), 16U);
  EXPECT_EQ(file.tensors.at("0.bias").bytes(), weight.bytes().substr(8));
}

TEST(PythonWeights, TensorsLieInsideTheirRecords) {
  EXPECT_THAT(refused_tensor({5}, {1}), HasSubstr("larger than its record"));
  EXPECT_THAT(refused_tensor({4}, {1}, 1), HasSubstr("outside its record"));
  EXPECT_THAT(refused_tensor({2}, {4}), HasSubstr("outside its record"));
  EXPECT_THAT(refused_tensor({4}, {1}, -1), HasSubstr("outside its record"));
  EXPECT_THAT(refused_tensor({2, 2}, {2, -1}), HasSubstr("negative"));
  EXPECT_THAT(refused_tensor({-2}, {1}), HasSubstr("negative"));
  EXPECT_THAT(refused_tensor({2}, {1, 1}), HasSubstr("strides"));
  EXPECT_THAT(refused_tensor({2147483647, 2147483647, 2147483647}, {0, 0, 0}),
              HasSubstr("too many elements"));
  EXPECT_THAT(refused_tensor({100}, {0}), HasSubstr("larger than its record"));
  EXPECT_THAT(refusal(pickled_dictionary(pickled_text("a") + pickled_tensor("7", {1}, {1}))),
              HasSubstr("lacks a record"));
}

TEST(PythonWeights, NothingUnknownIsCalled) {
  EXPECT_THAT(refusal("\x80\x02"
                      "cos\nsystem\n" +
                      pickled_text("true") + "\x85R."),
              HasSubstr("'os system'"));
  EXPECT_THAT(refusal("\x80\x02"
                      "cbuiltins\neval\n."),
              HasSubstr("'builtins eval'"));
  EXPECT_THAT(refusal("\x80\x02"
                      "c__torch__.A\nB\n)R."),
              HasSubstr("cannot be called"));
  EXPECT_THAT(refusal(std::string("\x80\x02") + "i"), HasSubstr("instruction"));
  EXPECT_THAT(refusal("\x80\x02"
                      "cco\x1b[31m\nx\n."),
              HasSubstr("'co?[31m x'"));
}

TEST(PythonWeights, BrokenPicklesAreRefused) {
  const std::string start = "\x80\x02";
  for (const std::string& pickle :
       {std::string(), start, start + ".", start + "t.", start + "NN.", start + "(N.",
        start + "N.N",
        start + "X\xff\xff\xff\xff"
                "a.",
        start + "h\x07.", start + "Ns.", start + "}Na.", start + "\x8a\xff.", start + "Q.",
        start + "R.", start + "b.", start + "N(q", start + "\x87.", std::string("\x80\x04N.")}) {
    EXPECT_THAT(refusal(pickle), HasSubstr("w.pth"));
  }
  EXPECT_THAT(refusal(start + "K\x01."), HasSubstr("neither a dictionary"));
  EXPECT_THAT(refusal(start + "}" + pickled_text("epoch") + "K\x01s."),
              HasSubstr("model.state_dict()"));
}

// A list, a dictionary and a module within themselves; modules that double at every level.
TEST(PythonWeights, CyclesAndHugeTreesEnd) {
  const std::string start = "\x80\x02";
  EXPECT_THAT(refusal(start + "]q\x01h\x01"
                              "a."),
              HasSubstr("neither a dictionary"));
  const std::string module = "c__torch__\nM\n)\x81q\x01}" + pickled_text("self") + "h\x01sb.";
  EXPECT_THAT(refusal(start + module), HasSubstr("nested"));
  // Each level holds the one below twice: 2^60 modules.
  std::string tower = "c__torch__\nM\n)\x81}bq\x01";
  for (char level = 1; level <= 60; ++level) {
    tower = "c__torch__\nM\n)\x81}(" + pickled_text("a") + tower + pickled_text("b") + "h" + level +
            "ubq" + static_cast<char>(level + 1);
  }
  EXPECT_THAT(refusal(start + tower + "."), HasSubstr("more values than any network"));
}

TEST(PythonWeights, DamagedArchivesAreRefused) {
  const auto good =
      archive_of(pickled_dictionary(pickled_text("a") + pickled_tensor("0", {4}, {1})));
  EXPECT_EQ(read_weight_bytes(good, "w").tensors.size(), 1U);
  auto flipped = good;
  flipped[flipped.find(std::string("\0\0\x80\x3f", 4))] ^= 1;  // of a weight: the checksum tells
  EXPECT_THAT(message_of([&] { read_weight_bytes(flipped, "w"); }), HasSubstr("damaged"));
  for (std::size_t size = 0; size < good.size(); size += 7) {
    message_of([&] { read_weight_bytes(good.substr(0, size), "w"); });
  }
  EXPECT_THAT(message_of([&] { read_weight_bytes("a,b\n1,2\n", "w"); }), HasSubstr("accepted are"));
}

}  // namespace
}  // namespace sotto::weights
