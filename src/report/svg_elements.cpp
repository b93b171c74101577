#include "report/svg_elements.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "core/printed_number.h"

namespace sotto::report {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

}  // namespace

std::string number(double value) { return with_decimals(value, 2); }

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" " + style + "/>\n";
}

std::string circle(double x, double y, double radius, const std::string& style) {
  return "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"" + number(radius) + "\" " +
         style + "/>\n";
}

std::string rectangle(double x, double y, double width, double height, const std::string& style) {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
         "\" height=\"" + number(height) + "\" " + style + "/>\n";
}

std::string text(double x, double y, const std::string& content, const std::string& style) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + style + ">" + escaped(content) +
         "</text>\n";
}

double text_width(const std::string& content, double font_size) {
  constexpr double kWidthOfLetter = 0.6;  // over the size of the font
  const auto letters = std::count_if(content.begin(), content.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;  // not a continuation byte
  });
  return kWidthOfLetter * font_size * static_cast<double>(letters);
}

std::vector<std::string> wrapped(const std::string& content, double font_size, double width) {
  std::vector<std::string> lines;
  std::istringstream words(content);
  for (std::string word; words >> word;) {
    const bool fits = !lines.empty() && text_width(lines.back() + " " + word, font_size) <= width;
    if (fits) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

}  // namespace sotto::report
