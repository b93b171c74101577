#include "report/label_boxes.h"

#include <gtest/gtest.h>

namespace sotto::report {
namespace {

TEST(LabelBoxesTest, LabelsOfOneDotDoNotCollide) {
  LabelBoxes boxes({0, 0, 400, 300});
  std::vector<Box> taken;
  for (int i = 0; i < 4; ++i) taken.push_back(boxes.take_best(boxes_beside({200, 150}, 80, 20)));
  for (std::size_t i = 0; i < taken.size(); ++i) {
    EXPECT_TRUE(Box({0, 0, 400, 300}).holds(taken[i]));
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(taken[i].overlaps(taken[j]));
  }
}

TEST(LabelBoxesTest, LabelsStayInTheFrame) {
  LabelBoxes boxes({0, 0, 400, 300});
  for (const Pixel& corner : {Pixel{0, 0}, Pixel{400, 0}, Pixel{0, 300}, Pixel{400, 300}}) {
    EXPECT_TRUE(Box({0, 0, 400, 300}).holds(boxes.take_best(boxes_beside(corner, 80, 20))));
  }
}

TEST(LabelBoxesTest, LabelsAvoidLines) {
  LabelBoxes boxes({0, 0, 400, 300});
  boxes.add_obstacle({200, 0}, {200, 150});  // from above
  boxes.add_obstacle({0, 150}, {400, 150});  // across
  const Box box = boxes.take_best(boxes_beside({200, 150}, 80, 20));
  EXPECT_GT(box.top, 150);  // below is free
}

}  // namespace
}  // namespace sotto::report
