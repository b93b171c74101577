// Outputs of frozen layers on disk, so that they are computed once.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sotto::train {

// $SOTTO_CACHE, else $XDG_CACHE_HOME/sotto, else ~/.cache/sotto. Throws InvalidArgument if none of
// the three is set.
std::filesystem::path cache_home();

// Names outputs by everything that they depend on: the tensors' shapes and bytes, in this order.
std::string content_key(const std::vector<at::Tensor>& tensors);

// Rows (n, d) of floats by key, as files that only their owner may read: they tell as much about
// the records as the records do.
class FeatureCache {
 public:
  explicit FeatureCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Nothing if there are none, or the file is not whole.
  std::optional<at::Tensor> find(const std::string& key) const;
  // Atomic. Throws FileError.
  void store(const std::string& key, const at::Tensor& rows) const;

 private:
  std::filesystem::path file_of(const std::string& key) const;
  std::filesystem::path folder_;
};

}  // namespace sotto::train
