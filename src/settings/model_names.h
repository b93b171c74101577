// The networks that a run may name, known without LibTorch.
#pragma once

#include <string>
#include <vector>

namespace sotto::settings {

// Of DP-SGD: what models::make_model() makes.
const std::vector<std::string>& network_names();
// Of clipless training: what lipschitz::make_network() makes.
const std::vector<std::string>& bounded_network_names();
bool is_bounded_network(const std::string& name);

// One of all of them, as it was written. Throws NotAccepted for any other text.
std::string model_name(const std::string& text);

}  // namespace sotto::settings
