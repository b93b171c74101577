#include "report/html_elements.h"

namespace sotto::report {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '&') {
      result += "&amp;";
    } else if (character == '<') {
      result += "&lt;";
    } else if (character == '>') {
      result += "&gt;";
    } else if (character == '"') {
      result += "&quot;";
    } else if (character == '\'') {
      result += "&#39;";
    } else if ((byte < 0x20U && character != '\n' && character != '\t') || byte == 0x7FU) {
      result += "\uFFFD";
    } else {
      result += character;
    }
  }
  return result;
}

std::string opened(const char* name, const Attributes& attributes) {
  std::string result = std::string("<") + name;
  for (const auto& attribute : attributes) {
    result += std::string(" ") + attribute.name + "=\"" + escaped(attribute.value) + "\"";
  }
  return result + ">";
}

Html table_head(const std::vector<Html>& head) {
  if (head.empty()) return {};
  Html cells;
  for (const auto& title : head) {
    cells += element("th", element("span", title), {{"scope", "col"}});
  }
  return element("thead", element("tr", cells));
}

Html table_row(const std::vector<Cell>& row) {
  Html cells;
  for (const auto& cell : row) {
    Attributes attributes = cell.attributes;
    const bool heading = &cell == &row.front();
    if (heading) attributes.push_back({"scope", "row"});
    cells += element(heading ? "th" : "td", cell.content, attributes);
  }
  return element("tr", cells) + Html::markup("\n");
}

}  // namespace

Html::Html(std::string_view text) : markup_(escaped(text)) {}
Html::Html(const std::string& text) : Html(std::string_view(text)) {}
Html::Html(const char* text) : Html(std::string_view(text)) {}

Html Html::markup(std::string trusted) {
  Html html;
  html.markup_ = std::move(trusted);
  return html;
}

Html& Html::operator+=(const Html& more) {
  markup_ += more.markup_;
  return *this;
}

Html element(const char* name, const Html& content, const Attributes& attributes) {
  return Html::markup(opened(name, attributes) + content.str() + "</" + name + ">");
}

Html void_element(const char* name, const Attributes& attributes) {
  return Html::markup(opened(name, attributes));
}

Html table(const Table& table) {
  Html rows;
  for (const auto& row : table.rows) rows += table_row(row);
  const Html content = element("caption", element("span", table.caption)) + table_head(table.head) +
                       element("tbody", rows);
  return element("div", element("table", content, {{"class", table.css_class}}),
                 {{"class", "scroll"}, {"tabindex", "0"}}) +
         Html::markup("\n");
}

}  // namespace sotto::report
