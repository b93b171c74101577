// The safetensors format: a length (8 bytes, little-endian), a JSON header, and the tensors' bytes.
#pragma once

#include <memory>
#include <string>

#include "weights/stored_tensor.h"

namespace sotto::weights {

// Whether the bytes begin as a safetensors file does.
bool looks_like_safetensors(std::string_view bytes);

// The metadata become texts. Throws InvalidArgument, saying what is wrong: a header that is longer
// than the file or than 100,000,000 bytes, not one JSON object, or has a key twice; a type that
// sotto does not know; a tensor whose bytes are not as many as its shape needs, overlap another's
// or leave a hole; bytes that belong to none.
WeightFile read_safetensors(const std::shared_ptr<const std::string>& bytes);

// The bytes of such a file, tensors in the order of their names. REQUIRES: tensors without gaps.
std::string safetensors_of(const WeightFile& file);

}  // namespace sotto::weights
