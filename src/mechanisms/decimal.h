// Decimal numbers without rounding: ten times 0.1 is 1.
#pragma once

#include <cstdint>

#include "mechanisms/exact_coin.h"

namespace sotto::mechanisms {

class Decimal {
 public:
  Decimal() = default;
  // The shortest decimal number that is read as this double: what a person wrote, if that had at
  // most 15 digits. REQUIRES: finite.
  explicit Decimal(double value);

  // The double nearest to it; infinite if it is larger than all.
  double nearest() const;
  // REQUIRES: not negative.
  Fraction fraction() const;

  Decimal& operator+=(const Decimal& other);
  Decimal& operator-=(const Decimal& other);
  friend Decimal operator-(Decimal left, const Decimal& right) { return left -= right; }
  friend Decimal operator+(Decimal left, const Decimal& right) { return left += right; }
  friend Decimal operator*(Decimal number, std::int64_t times);
  // number / 10^places
  friend Decimal shifted(Decimal number, int places);
  friend bool operator<(const Decimal& left, const Decimal& right);

  // How many times `part` fits. REQUIRES: both positive.
  friend BigInteger whole_quotient(Decimal number, Decimal part);

 private:
  void align(Decimal& other);

  BigInteger digits_ = 0;  // times 10^exponent_
  int exponent_ = 0;
};

}  // namespace sotto::mechanisms
