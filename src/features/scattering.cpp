#include "sotto/features/features.h"

#include <algorithm>

#include "features/lane_group.h"
#include "fused/thread_team.h"
#include "sotto/core/error.h"

namespace sotto::features {

Scattering::Scattering(const ScatteringOptions& options)
    : plan_(std::make_unique<const ScatteringPlan>(options)) {}
Scattering::~Scattering() = default;
Scattering::Scattering(Scattering&&) noexcept = default;
Scattering& Scattering::operator=(Scattering&&) noexcept = default;

const ScatteringOptions& Scattering::options() const { return plan_->options; }
std::int64_t Scattering::channels() const { return plan_->channels(); }
std::int64_t Scattering::map_height() const { return plan_->map_height(); }
std::int64_t Scattering::map_width() const { return plan_->map_width(); }

void Scattering::transform(const float* pictures, std::int64_t count, int threads,
                           float* features) const {
  check_argument(threads >= 1, "threads must be at least 1, got ", threads);
  const std::int64_t pixels = plan_->options.height * plan_->options.width;
  const std::int64_t size = plan_->channels() * plan_->map_size();
  const std::int64_t groups = (count + kLanes - 1) / kLanes;
  const int busy = static_cast<int>(std::clamp<std::int64_t>(groups, 1, threads));
  fused::on_threads(busy, [&](int thread) {
    LaneGroup lanes(*plan_);
    for (std::int64_t group = thread; group < groups; group += busy) {
      const std::int64_t begin = group * kLanes;
      lanes.transform(pictures + begin * pixels, std::min(kLanes, count - begin),
                      features + begin * size);
    }
  });
}

}  // namespace sotto::features
