#include "sotto/models/models.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "sotto/core/error.h"

namespace sotto::models {

ScatteringImpl::ScatteringImpl(const features::ScatteringOptions& options)
    : transform_(std::make_shared<const features::Scattering>(options)) {}

void ScatteringImpl::pretty_print(std::ostream& stream) const {
  const auto& options = transform_->options();
  stream << "sotto::models::Scattering(" << options.height << " x " << options.width
         << ", scales=" << options.scales << ", angles=" << options.angles
         << ", order=" << options.order << ")";
}

at::Tensor ScatteringImpl::forward(const at::Tensor& pictures) {
  const auto& options = transform_->options();
  check_argument(pictures.dim() == 4 && pictures.size(2) == options.height &&
                     pictures.size(3) == options.width,
                 "scattering: expected pictures (N, C, ", options.height, ", ", options.width,
                 "), got ", pictures.sizes());
  check_argument(!pictures.requires_grad(),
                 "scattering: its inputs ask for a gradient, and it has none; put it before "
                 "everything that is trained");
  const at::Tensor pixels = pictures.to(at::kFloat).contiguous();
  const auto count = pixels.size(0);
  const auto colours = pixels.size(1);
  at::Tensor features = at::empty(
      {count, colours * transform_->channels(), transform_->map_height(), transform_->map_width()});
  transform_->transform(pixels.data_ptr<float>(), count * colours, at::get_num_threads(),
                        features.data_ptr<float>());
  return features;
}

}  // namespace sotto::models
