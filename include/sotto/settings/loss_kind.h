// The losses that clipless training knows: their gradients with respect to scores are bounded.
#pragma once

#include <cstdint>
#include <string_view>

namespace sotto::settings {

enum class LossKind : std::uint8_t {
  kCrossEntropy,        // CE(τz, y)/τ
  kBinaryCrossEntropy,  // of one score: BCE(τz, y)/τ
  kHinge,               // of one score: max(0, margin - yz), y = ±1
  kMulticlassHinge,     // max over other classes j of max(0, margin - (z_y - z_j))
  kMeanAbsoluteError,   // mean over classes of |z - onehot(y)|
  kCosine,              // -z_y / max(K, ‖z‖)
  kKr,                  // mean of the other classes' scores - z_y
  kHkr,                 // kKr + α · kMulticlassHinge
};

// "cross-entropy", "binary-cross-entropy", "hinge", "multiclass-hinge", "mae", "cosine", "kr",
// "hkr".
std::string_view to_string(LossKind kind);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
LossKind loss_from_name(std::string_view text);

// Of one score, not one per class.
bool is_of_one_score(LossKind kind);

}  // namespace sotto::settings
