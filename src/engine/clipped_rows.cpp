#include "engine/clipped_rows.h"

#include <ATen/ATen.h>

#include <cmath>
#include <span>

#include "sotto/core/error.h"

namespace sotto {
namespace {

constexpr double kMargin = 1 + 0x1p-18;  // norms and products are rounded
constexpr int kUnitBits = 30;
constexpr std::int64_t kMostRows = std::int64_t{1}
                                   << 22;  // whose sums are whole numbers of doubles

// 0 if the row is not finite.
double factor_of(std::span<const double> row, double bound) {
  double squares = 0;
  for (const double value : row) squares += value * value;
  const double norm = std::sqrt(squares) * kMargin;
  if (!std::isfinite(norm)) return 0;
  return norm <= bound ? 1 : bound / norm;
}

}  // namespace

ClippedRowSums::ClippedRowSums(std::int64_t kinds, double bound)
    : kinds_(kinds), bound_(bound), unit_(std::ldexp(1.0, std::ilogb(bound) - kUnitBits)) {}

void ClippedRowSums::add(const at::Tensor& given, const at::Tensor& kinds) {
  check_argument(given.dim() == 2 && kinds.dim() == 1 && kinds.size(0) == given.size(0) &&
                     kinds.scalar_type() == at::kLong,
                 "sums of rows: rows of shape ", given.sizes(), ", kinds of shape ", kinds.sizes());
  rows_ += given.size(0);
  check_argument(rows_ <= kMostRows, "sums of rows: ", rows_, "; they are proved for up to 2^22");
  const at::Tensor rows = given.detach().to(at::kDouble).contiguous();
  const at::Tensor numbers = kinds.contiguous();
  const auto size = rows.size(1);
  if (!sums_.defined()) sums_ = at::zeros({kinds_, size}, at::kDouble);
  check_argument(sums_.size(1) == size, "sums of rows: ", size, " entries after ", sums_.size(1));
  const auto* kind_of = numbers.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < rows.size(0); ++i) {  // before anything is added
    check_argument(kind_of[i] >= 0 && kind_of[i] < kinds_, "sums of rows: kind ", kind_of[i],
                   " of ", kinds_);
  }
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    const auto kind = kind_of[i];
    const double* row = rows.data_ptr<double>() + i * size;
    const double scale = factor_of({row, static_cast<std::size_t>(size)}, bound_) / unit_;
    double* sum = sums_.data_ptr<double>() + kind * size;
    for (std::int64_t j = 0; j < size && scale != 0; ++j) sum[j] += std::trunc(row[j] * scale);
  }
}

}  // namespace sotto
