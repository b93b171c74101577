// Text to condition, by recursive descent.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sotto/mechanisms/record_filter.h"

namespace sotto::mechanisms {

enum class Comparison { kEqual, kUnequal, kLess, kAtMost, kGreater, kAtLeast };

struct RecordFilter::Node {
  enum class Kind { kAnd, kOr, kNot, kComparison };

  Kind kind = Kind::kComparison;
  std::shared_ptr<const Node> left = {};   // kAnd, kOr, kNot
  std::shared_ptr<const Node> right = {};  // kAnd, kOr
  // kComparison: with the number or the date if there is one, else with the text.
  std::size_t column = 0;
  Comparison comparison = Comparison::kEqual;
  std::optional<double> number = {};
  std::optional<std::chrono::sys_days> date = {};
  std::string text = {};
};

// As the constructor of RecordFilter.
std::shared_ptr<const RecordFilter::Node> parse_condition(std::string_view text,
                                                          std::span<const std::string> columns,
                                                          const ColumnTypes& types);

}  // namespace sotto::mechanisms
