#include "settings/load_options.h"

namespace sotto::settings {

data::LoadOptions load_options(const TrainingConfig& config) {
  data::LoadOptions options;
  options.csv_schema = config.csv_schema;
  options.schema_text = config.schema_text;
  options.csv_test = config.csv_test;
  options.images.height = config.image_size;
  options.images.width = config.image_size;
  options.images.channels = config.image_channels;
  options.images.class_names = config.class_names;
  options.idx_class_count = config.classes;
  if (config.held_out_epsilon == 0.0) options.held_out = data::HeldOut::kNothing;
  return options;
}

}  // namespace sotto::settings
