#include "report/html_elements.h"

#include <gtest/gtest.h>

#include "tests/report/html_check.h"

namespace sotto::report {
namespace {

TEST(HtmlElements, TextNeverBecomesMarkup) {
  EXPECT_EQ(Html("<b>&\"'").str(), "&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(element("p", "1 < 2", {{"title", "a\"b<c>&'"}}).str(),
            "<p title=\"a&quot;b&lt;c&gt;&amp;&#39;\">1 &lt; 2</p>");
  EXPECT_EQ(element("p", Html("a") + element("b", "<i>")).str(), "<p>a<b>&lt;i&gt;</b></p>");
}

TEST(HtmlElements, ControlCharactersAreReplaced) {
  EXPECT_EQ(Html(std::string("a\0b\x1b\x7f\n", 6)).str(), "a\uFFFDb\uFFFD\uFFFD\n");
  EXPECT_EQ(Html("ε ≤ 3").str(), "ε ≤ 3");
}

TEST(HtmlElements, TablesHaveCaptionsAndHeadings) {
  const auto html = table({.caption = "c<",
                           .head = {"a", "b"},
                           .rows = {{{"r"}, {"1", {{"class", "x"}}}}},
                           .css_class = "k"})
                        .str();
  EXPECT_NE(html.find("<caption><span>c&lt;</span></caption>"), std::string::npos) << html;
  EXPECT_NE(html.find("<th scope=\"row\">r</th><td class=\"x\">1</td>"), std::string::npos) << html;
  EXPECT_TRUE(html_problems(html).empty());
}

// The check that the other tests rely on finds what it is for.
TEST(HtmlCheck, FindsWhatIsWrong) {
  EXPECT_TRUE(html_problems("<p class=\"a\">x<img src=\"data:,\" alt=\"\"></p>").empty());
  for (const char* bad :
       {"<p>", "</p>", "<p><b></p></b>", "<p class=a></p>", "<img src=\"data:,\">",
        "<table><tbody></tbody></table>", "<p>https://example.org</p>", "<script></script>", "<p",
        "<a href=\"x\"></a>"}) {
    EXPECT_FALSE(html_problems(bad).empty()) << bad;
  }
}

}  // namespace
}  // namespace sotto::report
