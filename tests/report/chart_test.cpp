#include "report/chart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto::report {
namespace {

Chart example() {
  return {.title = "A < B & C",
          .subtitle = "sub",
          .x_label = "strings",
          .y_label = "frequency",
          .names = {"a", "b", "c"},
          .bars = {.label = "true", .heights = {0.2, 0.5, 0.3}},
          .points = {{.label = "estimated",
                      .points = {{.position = 1, .value = 0.45, .low = 0.4, .high = 0.5}}}}};
}

TEST(Chart, HoldsEverything) {
  const std::string picture = svg(example(), /*percent=*/true);
  for (const char* part : {"<svg xmlns=", "A &lt; B &amp; C", ">strings<", ">frequency<", ">true<",
                           ">estimated<", ">20 %<", "<circle", "</svg>"}) {
    EXPECT_NE(picture.find(part), std::string::npos) << part;
  }
}

TEST(Chart, RefusesWhatCannotBeDrawn) {
  Chart empty = example();
  empty.bars.heights.clear();
  EXPECT_THROW(svg(empty, true), InvalidArgument);
  Chart infinite = example();
  infinite.bars.heights[0] = INFINITY;
  EXPECT_THROW(svg(infinite, true), InvalidArgument);
}

TEST(Chart, SurvivesOneFlatBar) {
  EXPECT_NE(svg({.title = "", .bars = {.label = "", .heights = {0}}}, false).find("</svg>"),
            std::string::npos);
}

}  // namespace
}  // namespace sotto::report
