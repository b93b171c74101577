#include "mechanisms/decimal.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace sotto::mechanisms {

namespace {

BigInteger ten_to_the(int power) {
  return boost::multiprecision::pow(BigInteger(10), static_cast<unsigned>(power));
}

}  // namespace

// Scientific notation, such as 1.25e-01: digits, a point after the first, and an exponent.
Decimal::Decimal(double value) {
  std::array<char, 40> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                                     std::chars_format::scientific);
  const std::string all(text.data(), written.ptr);
  const auto letter = all.find('e');
  std::string digits = all.substr(0, letter);
  exponent_ = std::stoi(all.substr(letter + 1));
  if (digits.size() > 1) {
    exponent_ -= static_cast<int>(digits.size()) - 2;
    digits.erase(1, 1);
  }
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  digits_ = BigInteger(digits.substr(zeros));  // a leading zero would mean octal
  if (value < 0) digits_ = -digits_;
}

double Decimal::nearest() const {
  const std::string text = digits_.str() + "e" + std::to_string(exponent_);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  // Too large for a double; one that is too small is 0.
  const auto magnitude = static_cast<std::int64_t>(digits_.str().size()) + exponent_;
  if (read.ec == std::errc::result_out_of_range && magnitude > 0) {
    return std::numeric_limits<double>::infinity();
  }
  return value;
}

Fraction Decimal::fraction() const {
  if (exponent_ >= 0) return {digits_ * ten_to_the(exponent_), 1};
  BigInteger denominator = ten_to_the(-exponent_);
  const BigInteger common = gcd(digits_, denominator);
  return {digits_ / common, denominator / common};
}

// Both with the smaller exponent.
void Decimal::align(Decimal& other) {
  Decimal& larger = exponent_ > other.exponent_ ? *this : other;
  const int exponent = std::min(exponent_, other.exponent_);
  larger.digits_ *= ten_to_the(larger.exponent_ - exponent);
  larger.exponent_ = exponent;
}

Decimal& Decimal::operator+=(const Decimal& other) {
  Decimal aligned = other;
  align(aligned);
  digits_ += aligned.digits_;
  return *this;
}

Decimal& Decimal::operator-=(const Decimal& other) {
  Decimal negated = other;
  negated.digits_ = -negated.digits_;
  return *this += negated;
}

Decimal operator*(Decimal number, std::int64_t times) {
  number.digits_ *= times;
  return number;
}

Decimal shifted(Decimal number, int places) {
  number.exponent_ -= places;
  return number;
}

bool operator<(const Decimal& left, const Decimal& right) { return (left - right).digits_ < 0; }

BigInteger whole_quotient(Decimal number, Decimal part) {
  number.align(part);
  return number.digits_ / part.digits_;
}

}  // namespace sotto::mechanisms
