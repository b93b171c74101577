#include "weights/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/data/messages.h"
#include "tests/weights/zip_bytes.h"
#include "weights/weight_file.h"

namespace sotto::weights {
namespace {

using data::message_of;
using testing::HasSubstr;

std::string file_of(const std::string& header, const std::string& data) {
  return little_endian(header.size(), 8) + header + data;
}

std::string refusal(const std::string& header, const std::string& data) {
  return message_of([&] { read_weight_bytes(file_of(header, data), "w.safetensors"); });
}

std::string entry(const std::string& shape, const std::string& offsets) {
  return R"({"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

TEST(Safetensors, TensorsAndMetadataComeBack) {
  const std::string header = R"({"__metadata__":{"k":"v"},"a":)" + entry("[2,1]", "[0,8]") +
                             R"(,"b":{"dtype":"I64","shape":[],"data_offsets":[8,16]},)" +
                             R"("none":)" + entry("[0,3]", "[16,16]") + "}  ";
  const auto file = read_weight_bytes(file_of(header, "01234567abcdefgh"), "w");
  EXPECT_EQ(file.texts.at("k"), "v");
  EXPECT_EQ(file.tensors.size(), 3U);
  EXPECT_EQ(file.tensors.at("a").bytes(), "01234567");
  EXPECT_EQ(file.tensors.at("a").shape(), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(file.tensors.at("b").type(), ElementType::kI64);
  EXPECT_EQ(file.tensors.at("b").bytes(), "abcdefgh");
  EXPECT_TRUE(file.tensors.at("none").bytes().empty());
}

TEST(Safetensors, WhatIsWrittenIsRead) {
  WeightFile file;
  const auto record = std::make_shared<const std::string>("0123456789abcdef");
  add_tensor(file, "x.weight", StoredTensor(record, 0, 16, {ElementType::kF32, {2, 2}, {2, 1}, 0}));
  add_tensor(file, "b", StoredTensor(record, 4, 4, {ElementType::kF16, {2}, {1}, 0}));
  file.texts["privacy"] = "ε ≤ 3";
  const auto bytes = safetensors_of(file);
  const auto again = read_weight_bytes(bytes, "w");
  EXPECT_EQ(again.texts, file.texts);
  EXPECT_EQ(again.tensors.at("x.weight").bytes(), "0123456789abcdef");
  EXPECT_EQ(again.tensors.at("b").bytes(), "4567");
  EXPECT_EQ(safetensors_of(again), bytes);
  EXPECT_EQ((bytes.size() - 20) % 8, 0U) << "the tensors begin at a multiple of 8";
}

TEST(Safetensors, LyingLengthsAreRefused) {
  const std::string header = R"({"a":)" + entry("[1]", "[0,4]") + "}";
  for (const std::uint64_t length :
       {std::uint64_t{1} << 63U, std::uint64_t{100'000'000}, std::uint64_t{header.size() + 5}}) {
    const auto bytes = little_endian(length, 8) + header + "abcd";
    EXPECT_THAT(message_of([&] { read_weight_bytes(bytes, "w"); }), HasSubstr("w: not a "));
  }
  EXPECT_THAT(refusal(R"({"a":)" + entry("[2]", "[0,4]") + "}", "abcd"), HasSubstr("bytes than"));
  EXPECT_THAT(refusal(header, "abcde"), HasSubstr("do not cover"));
  EXPECT_THAT(refusal(header, "abc"), HasSubstr("end outside"));
  EXPECT_THAT(refusal(R"({"a":)" + entry("[4294967296,4294967296]", "[0,4]") + "}", "abcd"),
              HasSubstr("too many elements"));
  EXPECT_THAT(refusal(R"({"a":)" + entry("[1]", "[4,0]") + "}", "abcd"), HasSubstr("overlap"));
}

TEST(Safetensors, OverlapsHolesAndDuplicatesAreRefused) {
  const auto two = [](const std::string& first, const std::string& second) {
    return R"({"a":)" + entry("[1]", first) + R"(,"b":)" + entry("[1]", second) + "}";
  };
  EXPECT_THAT(refusal(two("[0,4]", "[2,6]"), "abcdef"), HasSubstr("overlap"));
  EXPECT_THAT(refusal(two("[0,4]", "[0,4]"), "abcd"), HasSubstr("overlap"));
  EXPECT_THAT(refusal(two("[0,4]", "[6,10]"), "abcdefghij"), HasSubstr("hole"));
  const std::string one = R"("a":)" + entry("[1]", "[0,4]");
  EXPECT_THAT(refusal("{" + one + "," + one + "}", "abcd"), HasSubstr("twice"));
}

TEST(Safetensors, AnythingElseInTheHeaderIsRefused) {
  EXPECT_THAT(refusal("{}x", ""), HasSubstr("JSON"));
  EXPECT_THAT(refusal("{\"a\":", ""), HasSubstr("JSON"));
  EXPECT_THAT(refusal(R"({"a":1})", ""), HasSubstr("dtype, shape"));
  EXPECT_THAT(refusal(R"({"a":[[[[[[1]]]]]]})", ""), HasSubstr("deep"));
  EXPECT_THAT(refusal(R"({"a":)" + entry("[-1]", "[0,4]") + "}", "abcd"), HasSubstr("count"));
  EXPECT_THAT(refusal(R"({"a":)" + entry("[1.0]", "[0,4]") + "}", "abcd"), HasSubstr("count"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]}})", "abcd"),
              HasSubstr("dtype"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"a":1}})", ""), HasSubstr("__metadata__"));
  EXPECT_THAT(refusal(R"({"a\nb":)" + entry("[1]", "[0,4]") + "}", "abcd"), HasSubstr("printable"));
}

}  // namespace
}  // namespace sotto::weights
