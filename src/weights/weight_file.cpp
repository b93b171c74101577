#include "weights/weight_file.h"

#include "core/atomic_file.h"
#include "sotto/core/error.h"
#include "weights/archive.h"
#include "weights/python_weights.h"
#include "weights/safetensors.h"

namespace sotto::weights {

WeightFile read_weight_bytes(std::string bytes, const std::string& name) {
  const auto shared = std::make_shared<const std::string>(std::move(bytes));
  const bool is_archive = looks_like_archive(*shared);
  check_argument(is_archive || looks_like_safetensors(*shared), name,
                 ": not a file of weights: accepted are safetensors, TorchScript (model.pt) and a "
                 "state_dict saved by torch.save (in the zip format of PyTorch 1.6 and later)");
  try {
    return is_archive ? read_python_weights(shared) : read_safetensors(shared);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(name + ": not a " + (is_archive ? "PyTorch" : "safetensors") +
                          " file that can be read, or damaged: " + error.what());
  }
}

WeightFile read_weight_file(const std::filesystem::path& path) {
  check_argument(!std::filesystem::exists(path) || std::filesystem::is_regular_file(path),
                 path.string(), ": not a file");
  return read_weight_bytes(read_file(path), path.string());
}

}  // namespace sotto::weights
