#include "tests/report/html_check.h"

#include <algorithm>
#include <regex>
#include <set>

namespace sotto::report {
namespace {

const std::set<std::string> kVoid = {"meta", "img", "!DOCTYPE"};

struct Tag {
  std::string name;
  std::string attributes;
  bool closes = false;
  bool empty = false;  // <name/>
};

Tag parsed(std::string inside) {
  Tag tag;
  tag.closes = !inside.empty() && inside.front() == '/';
  if (tag.closes) inside.erase(0, 1);
  tag.empty = !inside.empty() && inside.back() == '/';
  if (tag.empty) inside.pop_back();
  const auto end = std::min(inside.find_first_of(" \n"), inside.size());
  tag.name = inside.substr(0, end);
  tag.attributes = inside.substr(end);
  return tag;
}

class Checker {
 public:
  void read(const std::string& page) {
    for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at)) {
      const auto end = page.find('>', at);
      if (end == std::string::npos) return complain("a tag without its end");
      visit(parsed(page.substr(at + 1, end - at - 1)));
      at = end;
    }
    if (!open_.empty()) complain("<" + open_.back() + "> is never closed");
  }
  std::vector<std::string> problems;

 private:
  void complain(const std::string& problem) { problems.push_back(problem); }

  void visit(const Tag& tag) {
    if (tag.closes) return close(tag);
    static const std::regex kAttributes("(\\s+[A-Za-z0-9:-]+(=\"[^\"<>]*\")?)*\\s*");
    if (!std::regex_match(tag.attributes.substr(0, 2000), kAttributes) &&
        tag.attributes.size() < 2000) {
      complain("<" + tag.name + "> has attributes that are not quoted:" + tag.attributes);
    }
    if (tag.name == "img" && tag.attributes.find(" alt=\"") == std::string::npos) {
      complain("a picture without alt");
    }
    if (tag.name == "script" || tag.name == "link" || tag.name == "iframe") {
      complain("<" + tag.name + ">");
    }
    if (!open_.empty() && open_.back() == "table" && tag.name != "caption" && !captioned_) {
      complain("a table without caption");
    }
    captioned_ = tag.name == "caption" || (captioned_ && tag.name != "table");
    if (!tag.empty && !kVoid.contains(tag.name)) open_.push_back(tag.name);
  }

  void close(const Tag& tag) {
    if (open_.empty() || open_.back() != tag.name) {
      return complain("</" + tag.name + "> closes " +
                      (open_.empty() ? "nothing" : "<" + open_.back() + ">"));
    }
    open_.pop_back();
  }

  std::vector<std::string> open_;
  bool captioned_ = false;
};

}  // namespace

std::vector<std::string> html_problems(const std::string& page) {
  Checker checker;
  checker.read(page);
  const std::string harmless = " xmlns=\"http://www.w3.org/2000/svg\"";
  std::string rest = page;
  for (auto at = rest.find(harmless); at != std::string::npos; at = rest.find(harmless)) {
    rest.erase(at, harmless.size());
  }
  for (const char* fetched : {"http://", "https://", "url(", "@import", "src=\"/", "href="}) {
    if (rest.find(fetched) != std::string::npos) {
      checker.problems.push_back(std::string("holds ") + fetched);
    }
  }
  return checker.problems;
}

std::string text_of(const std::string& page) {
  std::string text;
  bool inside = false;
  for (const char character : page) {
    if (character == '<') inside = true;
    if (!inside) text += character;
    if (character == '>') inside = false;
  }
  return text;
}

}  // namespace sotto::report
