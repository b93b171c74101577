// HTML, put together so that no text can become markup: the one place where texts are escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sotto::report {

// Markup. Whatever is turned into it as text is escaped.
class Html {
 public:
  Html() = default;
  // Text. Control characters, which HTML cannot hold, become U+FFFD.
  Html(std::string_view text);    // NOLINT(google-explicit-constructor): this is the point of it
  Html(const std::string& text);  // NOLINT(google-explicit-constructor)
  Html(const char* text);         // NOLINT(google-explicit-constructor)
  // What is markup already and was made by us: a chart, a style sheet.
  static Html markup(std::string trusted);

  Html& operator+=(const Html& more);
  friend Html operator+(Html left, const Html& right) { return left += right; }

  bool empty() const { return markup_.empty(); }
  const std::string& str() const { return markup_; }

 private:
  std::string markup_;
};

struct Attribute {
  const char* name;
  std::string value;  // escaped when it is written
};
using Attributes = std::vector<Attribute>;

// <name attributes>content</name>
Html element(const char* name, const Html& content, const Attributes& attributes = {});
// <name attributes>, for elements that hold nothing.
Html void_element(const char* name, const Attributes& attributes);

// A cell of a table, with attributes of its own.
struct Cell {
  Html content{};
  Attributes attributes{};
};

struct Table {
  Html caption{};
  std::vector<Html> head{};               // none: a table without a head
  std::vector<std::vector<Cell>> rows{};  // the first cell of a row is its heading
  std::string css_class{};
};

// Within a box that scrolls where the screen is narrower than the table.
Html table(const Table& table);

}  // namespace sotto::report
