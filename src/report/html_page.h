// A whole page that needs nothing but itself.
#pragma once

#include <string>

#include "report/html_elements.h"

namespace sotto::report {

// Light and dark as the reader's screen is, printable, for phones as well. Its own policy forbids
// the browser to fetch anything. `more_style`: of this page alone, after what all have.
std::string html_page(const std::string& title, const Html& body, const char* more_style = "");

// <section> with a heading.
Html section(const std::string& heading, const Html& content);

// What the reader must not miss.
enum class Urgency { kNotice, kAlarm };
Html notice(Urgency urgency, const Html& content);

// A chart (SVG) with a text in its place for those who do not see it, and a caption below.
Html chart_figure(const std::string& svg, const std::string& description, const Html& caption);

}  // namespace sotto::report
