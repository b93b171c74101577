// What is wrong with a page, found by reading its tags.
#pragma once

#include <string>
#include <vector>

namespace sotto::report {

// Tags that are not closed or close nothing, attributes without quotes, pictures without a text in
// their place, tables without a caption, anything that a browser would fetch. Empty: a good page.
std::vector<std::string> html_problems(const std::string& page);

// The text between tags, with entities left as they are.
std::string text_of(const std::string& page);

}  // namespace sotto::report
