// Places for words in a picture, so that they cover neither each other nor what is drawn.
#pragma once

#include <string>
#include <vector>

namespace sotto::report {

struct Pixel {
  double x = 0;
  double y = 0;
};

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  bool overlaps(const Box& other) const;
  bool holds(const Box& other) const;
  bool holds(const Pixel& pixel) const;
};

class LabelBoxes {
 public:
  // Labels stay inside `frame`.
  explicit LabelBoxes(const Box& frame) : frame_(frame) {}

  // A place on the way of something drawn.
  void add_obstacle(const Pixel& pixel) { obstacles_.push_back(pixel); }
  // A stretch of a line: places all along it.
  void add_obstacle(const Pixel& from, const Pixel& to);

  // True if the box is inside the frame and free of other labels.
  bool is_free(const Box& box) const;
  void take(const Box& box) { taken_.push_back(box); }
  // Takes the one of these boxes that is in the way least; the first of equals.
  Box take_best(const std::vector<Box>& candidates);

 private:
  double annoyance(const Box& box) const;

  Box frame_;
  std::vector<Pixel> obstacles_;
  std::vector<Box> taken_;
};

// Boxes for words of this size beside a dot: above, below, right, left, and across.
std::vector<Box> boxes_beside(const Pixel& dot, double width, double height);

}  // namespace sotto::report
