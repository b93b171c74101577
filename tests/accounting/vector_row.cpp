#include "tests/accounting/vector_row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

namespace sotto::accounting {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

double allowed_difference(const std::string& tolerance, double expected) {
  const bool relative = tolerance.starts_with("rel:");
  return relative ? std::stod(tolerance.substr(4)) * std::abs(expected) : std::stod(tolerance);
}

}  // namespace

std::vector<double> VectorRow::numbers(const std::string& text) {
  std::vector<double> values;
  for (const auto& part : split(text, ';')) values.push_back(std::stod(part));
  return values;
}

RdpOrders VectorRow::orders() const {
  if (detail.empty() || detail == "default" || detail.starts_with("group")) return {};
  std::vector<double> orders;
  for (const auto& part : split(detail, ' ')) {
    const auto dots = part.find("..");
    const double first = std::stod(part.substr(0, dots));
    const double last = dots == std::string::npos ? first : std::stod(part.substr(dots + 2));
    for (double order = first; order <= last; ++order) orders.push_back(order);
  }
  return RdpOrders(orders);
}

int VectorRow::group_size() const {
  return detail.starts_with("group ") ? std::stoi(detail.substr(6)) : 1;
}

std::vector<std::pair<double, double>> VectorRow::pairs(const std::string& text) {
  std::vector<std::pair<double, double>> result;
  for (const auto& part : split(text, ' ')) {
    const auto colon = part.find(':');
    if (colon == std::string::npos) continue;
    const std::string first = part.substr(0, colon);
    result.emplace_back(first == "inf" ? std::numeric_limits<double>::infinity() : std::stod(first),
                        std::stod(part.substr(colon + 1)));
  }
  return result;
}

Composition VectorRow::gaussian_runs() const {
  const auto rates = numbers(q);
  const auto noises = numbers(noise);
  const auto counts = numbers(steps);
  Composition composition;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    composition.add(PoissonGaussianEvent(rates[i], noises.at(i)),
                    static_cast<std::int64_t>(counts.at(i)));
  }
  return composition;
}

double VectorRow::half_tolerance(double expected) const {
  return allowed_difference(tolerance, expected) / std::abs(expected) / 2;
}

void VectorRow::expect_near(double value, double expected) const {
  EXPECT_NEAR(value, expected, allowed_difference(tolerance, expected))
      << id << " (" << check << ")";
}

void PrintTo(const VectorRow& row, std::ostream* out) { *out << row.id; }

std::vector<VectorRow> read_vectors() {
  std::ifstream file(SOTTO_SOURCE_DIR "/tests/accounting/vectors.csv");
  std::vector<VectorRow> rows;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    auto f = split(line, ',');
    f.resize(12);
    rows.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11]});
  }
  return rows;
}

}  // namespace sotto::accounting
