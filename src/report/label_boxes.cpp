#include "report/label_boxes.h"

#include <algorithm>
#include <cmath>

namespace sotto::report {

bool Box::overlaps(const Box& other) const {
  return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
}

bool Box::holds(const Box& other) const {
  return left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom;
}

bool Box::holds(const Pixel& pixel) const {
  return left < pixel.x && pixel.x < right && top < pixel.y && pixel.y < bottom;
}

void LabelBoxes::add_obstacle(const Pixel& from, const Pixel& to) {
  constexpr double kStep = 4;
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const int pieces = std::max(1, static_cast<int>(length / kStep));
  for (int i = 0; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / pieces;
    obstacles_.push_back({std::lerp(from.x, to.x, share), std::lerp(from.y, to.y, share)});
  }
}

bool LabelBoxes::is_free(const Box& box) const {
  return frame_.holds(box) && std::none_of(taken_.begin(), taken_.end(),
                                           [&](const Box& other) { return box.overlaps(other); });
}

double LabelBoxes::annoyance(const Box& box) const {
  constexpr double kUnreadable = 1e6;
  const auto covered = std::count_if(obstacles_.begin(), obstacles_.end(),
                                     [&](const Pixel& pixel) { return box.holds(pixel); });
  return static_cast<double>(covered) + (is_free(box) ? 0 : kUnreadable);
}

Box LabelBoxes::take_best(const std::vector<Box>& candidates) {
  const Box best = *std::min_element(
      candidates.begin(), candidates.end(),
      [&](const Box& one, const Box& other) { return annoyance(one) < annoyance(other); });
  take(best);
  return best;
}

std::vector<Box> boxes_beside(const Pixel& dot, double width, double height) {
  std::vector<Box> boxes;
  for (const double distance : {10.0, 26.0, 48.0}) {
    for (const auto& [x, y] :
         {Pixel{0, -1}, Pixel{0, 1}, Pixel{1, 0}, Pixel{-1, 0}, Pixel{0.7, -0.7}, Pixel{-0.7, -0.7},
          Pixel{0.7, 0.7}, Pixel{-0.7, 0.7}}) {
      const double centre_x = dot.x + x * (distance + width / 2);
      const double centre_y = dot.y + y * (distance + height / 2);
      boxes.push_back({centre_x - width / 2, centre_y - height / 2, centre_x + width / 2,
                       centre_y + height / 2});
    }
  }
  return boxes;
}

}  // namespace sotto::report
