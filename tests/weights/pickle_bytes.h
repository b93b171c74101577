// Pickles of weights, instruction by instruction.
#pragma once

#include <string>

#include "tests/weights/zip_bytes.h"

namespace sotto::weights {

inline std::string pickled_text(const std::string& text) {
  return "X" + little_endian(text.size(), 4) + text;
}

inline std::string pickled_number(std::int32_t number) {
  return "J" + little_endian(static_cast<std::uint32_t>(number), 4);
}

inline std::string pickled_tuple(const std::vector<std::int32_t>& numbers) {
  std::string text = "(";
  for (const auto number : numbers) text += pickled_number(number);
  return text + "t";
}

// A tensor of float32 in the record `record`.
inline std::string pickled_tensor(const std::string& record, const std::vector<std::int32_t>& shape,
                                  const std::vector<std::int32_t>& strides,
                                  std::int32_t offset = 0) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled_text("storage") +
         "ctorch\nFloatStorage\n" + pickled_text(record) + pickled_text("cpu") + pickled_number(4) +
         "tQ" + pickled_number(offset) + pickled_tuple(shape) + pickled_tuple(strides) + "\x89" +
         "ccollections\nOrderedDict\n)RtR";
}

// A state_dict of the given entries ("X..." and a tensor each), with its attributes.
inline std::string pickled_dictionary(const std::string& entries) {
  return "\x80\x02"
         "ccollections\nOrderedDict\nq" +
         std::string(1, '\0') + ")R(" + entries + "u}" + pickled_text("_metadata") + "h" +
         std::string(1, '\0') + ")Rsb.";
}

// A file with two records of four numbers.
inline std::string archive_of(const std::string& pickle) {
  const std::string numbers("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40", 16);  // 1, 2, 3, 4
  return zip_bytes({{"w/data.pkl", pickle}, {"w/data/0", numbers}, {"w/data/1", numbers}});
}

}  // namespace sotto::weights
