#include "mechanisms/condition_parser.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "mechanisms/declared_value.h"
#include "mechanisms/printable.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

using Node = RecordFilter::Node;
using NodePointer = std::shared_ptr<const Node>;

constexpr int kDeepest = 100;            // parentheses and "not" within each other
constexpr std::size_t kLongest = 10000;  // bytes

struct Operator {
  std::string_view sign;
  Comparison comparison;
};
// Longer signs first, so that "<=" is not read as "<".
constexpr std::array kOperators = {
    Operator{"==", Comparison::kEqual},  Operator{"!=", Comparison::kUnequal},
    Operator{"<=", Comparison::kAtMost}, Operator{">=", Comparison::kAtLeast},
    Operator{"=", Comparison::kEqual},   Operator{"<", Comparison::kLess},
    Operator{">", Comparison::kGreater},
};

// "2024": what people write for a year, and for a number alike.
bool may_be_a_year(const Node& node) {
  constexpr double kFirst = 1900;
  constexpr double kLast = 2100;
  return node.number && *node.number >= kFirst && *node.number <= kLast &&
         std::all_of(node.text.begin(), node.text.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

bool is_word_character(char c) {
  return !std::isspace(static_cast<unsigned char>(c)) &&
         std::string_view("()<>=!'\"`").find(c) == std::string_view::npos;
}

class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> columns, const ColumnTypes& types)
      : text_(text), columns_(columns), types_(types) {}

  NodePointer parse() {
    if (text_.size() > kLongest) refuse("too long", "at most 10000 bytes");
    auto condition = either();
    skip_blanks();
    if (at_ < text_.size()) refuse("unexpected text", "and, or, or the end");
    return condition;
  }

 private:
  std::string place() const {
    return "condition '" + printable(text_) + "', character " + std::to_string(at_ + 1) + ": ";
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& accepted) const {
    throw InvalidArgument(place() + what + "; expected " + accepted);
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view sign) {
    skip_blanks();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }

  // A keyword in any case, as a whole word.
  bool take_keyword(std::string_view keyword) {
    skip_blanks();
    const auto word = text_.substr(at_, keyword.size());
    const bool same =
        std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(),
                   [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
    const std::size_t end = at_ + keyword.size();
    if (!same || (end < text_.size() && is_word_character(text_[end]))) return false;
    at_ = end;
    return true;
  }

  static NodePointer join(Node::Kind kind, NodePointer left, NodePointer right) {
    Node node;
    node.kind = kind;
    node.left = std::move(left);
    node.right = std::move(right);
    return std::make_shared<Node>(std::move(node));
  }

  NodePointer either() {
    auto left = both();
    while (take_keyword("or")) left = join(Node::Kind::kOr, left, both());
    return left;
  }

  NodePointer both() {
    auto left = single();
    while (take_keyword("and")) left = join(Node::Kind::kAnd, left, single());
    return left;
  }

  NodePointer single() {
    if (++depth_ > kDeepest) refuse("too many parentheses", "at most 100 within each other");
    NodePointer node;
    if (take_keyword("not")) {
      node = join(Node::Kind::kNot, single(), nullptr);
    } else if (take("(")) {
      node = either();
      if (!take(")")) refuse("an open parenthesis", ")");
    } else {
      node = comparison();
    }
    --depth_;
    return node;
  }

  NodePointer comparison() {
    Node node;
    skip_blanks();
    const auto in_quotes = quoted("\"`");
    const std::string column = in_quotes ? *in_quotes : word();
    if (column.empty()) refuse("no column", "COLUMN OPERATOR VALUE, such as age>40");
    node.column = column_index(column, columns_);
    node.comparison = comparison_sign();
    skip_blanks();
    if (auto text = quoted("'\"")) {
      node.text = *text;
    } else {
      node.text = word();
      if (node.text.empty()) refuse("no value", "a number, a word or text in quotes");
      node.number = field_number(node.text);
    }
    node.date = field_date(node.text);
    check_meant(column, node);
    return std::make_shared<Node>(std::move(node));
  }

  void check_meant(const std::string& column, Node& node) const {
    if (const auto type = types_.find(column); type != types_.end()) {
      const auto mismatch = read_as(type->second, node);
      if (mismatch) refuse("'" + printable(column) + "': " + mismatch->what, mismatch->accepted);
      return;
    }
    if (node.number || node.date) refuse_undeclared(column, node);
    if (is_order(node.comparison)) {
      refuse("text has no order",
             "the operators = and !=, or a number or a date such as 2024-01-31 and a column "
             "declared to hold these");
    }
  }

  [[noreturn]] void refuse_undeclared(const std::string& column, const Node& node) const {
    const bool year = is_order(node.comparison) && may_be_a_year(node);
    std::vector<ColumnType> accepted;
    if (!node.date) accepted.emplace_back(NumberType{});
    if (node.date || year) accepted.emplace_back(DateType{});
    if (!is_order(node.comparison)) accepted.emplace_back(TextType{});
    const auto meaning = undeclared_words(accepted);
    throw UndeclaredColumn(column, accepted,
                           place() + "'" + printable(column) + "': " + meaning +
                               (year ? " (then with " + node.text + "-01-01)" : ""));
  }

  Comparison comparison_sign() {
    for (const auto& [sign, comparison] : kOperators) {
      if (take(sign)) return comparison;
    }
    refuse("no operator", "one of = == != < <= > >=");
  }

  std::string word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  // Text between one of the quotation marks; nothing if none opens here.
  std::optional<std::string> quoted(std::string_view marks) {
    if (at_ >= text_.size() || marks.find(text_[at_]) == std::string_view::npos) return {};
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) refuse("a quote that is never closed", "a closing quote");
    std::string inside(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return inside;
  }

  std::string_view text_;
  std::span<const std::string> columns_;
  const ColumnTypes& types_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

NodePointer parse_condition(std::string_view text, std::span<const std::string> columns,
                            const ColumnTypes& types) {
  return Parser(text, columns, types).parse();
}

}  // namespace sotto::mechanisms
