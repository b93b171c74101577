// The flags by which people know settings.
#pragma once

#include <string>

namespace sotto::cli {

// Of a setting in a configuration: "max_grad_norm" is --max-grad-norm, "csv_test" is --test-data.
std::string flag_of(const std::string& key);

}  // namespace sotto::cli
