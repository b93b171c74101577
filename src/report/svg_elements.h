// What charts are drawn with: SVG elements, and how much room text takes.
#pragma once

#include <string>
#include <vector>

namespace sotto::report {

// Two decimals.
std::string number(double value);
// `style`: further attributes.
std::string line(double x1, double y1, double x2, double y2, const std::string& style);
std::string circle(double x, double y, double radius, const std::string& style);
std::string rectangle(double x, double y, double width, double height, const std::string& style);
// `content` is escaped.
std::string text(double x, double y, const std::string& content, const std::string& style);

// Pixels that UTF-8 text takes: an estimate for any sans-serif font, rather too much than too
// little.
double text_width(const std::string& content, double font_size);
// Lines no wider than `width`, broken at spaces. A word that is wider has a line of its own.
std::vector<std::string> wrapped(const std::string& content, double font_size, double width);

}  // namespace sotto::report
