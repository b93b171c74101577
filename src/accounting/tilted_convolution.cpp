#include "accounting/tilted_convolution.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>

#include "sotto/core/complex_fft.h"

namespace sotto::accounting {

namespace {

using Complex = std::complex<double>;
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
// Bound on the error of one transform, in units of kUnit·log2(N) and of the data's norm. The
// measured constant is below 1; two signals share a transform.
constexpr double kTransformConstant = 8;

// The upper and the lower distribution side by side.
template <typename T>
struct Both {
  T upper;
  T lower;
};

std::size_t transform_size_for(const Window& window, double mesh) {
  return fast_transform_size(static_cast<std::size_t>(std::ceil(window.width / mesh)) + 2);
}

// Plans of the sizes used lately: many configurations are priced in a row, and a plan costs about
// as much as a transform.
ComplexFft& plan_of_size(std::size_t size) {
  constexpr std::size_t kPlans = 8;
  thread_local std::vector<ComplexFft> plans;
  const auto same_size = [size](const ComplexFft& plan) { return plan.size() == size; };
  auto found = std::find_if(plans.begin(), plans.end(), same_size);
  if (found == plans.end()) {
    if (plans.size() == kPlans) plans.pop_back();
    plans.emplace_back(size);
    found = plans.end() - 1;
  }
  std::rotate(plans.begin(), found, found + 1);
  return plans.front();
}

// Calls use(i, e^{rate·i}) for i < size: one multiplication each, with a fresh exponential every 64
// so that rounding stays within 64 ulp.
template <typename Use>
void for_each_exponential(double rate, std::size_t size, Use use) {
  constexpr std::size_t kBlock = 64;
  const double factor = std::exp(rate);
  for (std::size_t start = 0; start < size; start += kBlock) {
    double value = std::exp(rate * static_cast<double>(start));
    const std::size_t end = std::min(start + kBlock, size);
    for (std::size_t i = start; i < end; ++i, value *= factor) use(i, value);
  }
}

// Adds e^{tilt·loss - log_total}·mass to the cells, indices taken modulo their number.
template <typename Add>
void fold_tilted(const LatticePld& pld, double tilt, double log_total, std::size_t size, Add add) {
  const auto period = static_cast<std::int64_t>(size);
  for (const auto& atom : pld.atoms) {
    const std::int64_t cell = ((atom.index % period) + period) % period;
    add(static_cast<std::size_t>(cell),
        atom.mass * std::exp(tilt * pld.lattice.loss(atom.index) - log_total));
  }
}

Complex power(Complex base, std::int64_t exponent) {
  Complex result = 1;
  for (auto bits = static_cast<std::uint64_t>(exponent); bits != 0; bits >>= 1U) {
    if ((bits & 1U) != 0) result *= base;
    base *= base;
  }
  return result;
}

// Raises numbers of modulus about 1 or less, known up to an error, to a fixed power.
class Power {
 public:
  Power(std::int64_t exponent, double base_error)
      : exponent_(exponent),
        base_error_(base_error),
        vanishing_norm_(std::exp(2 * kNegligible / static_cast<double>(exponent))),
        vanishing_error_(error_for_modulus(std::sqrt(vanishing_norm_)) + std::exp(kNegligible)) {}

  struct Result {
    Complex value;
    double error;
  };

  Result operator()(Complex base) const {
    // For long compositions almost every frequency ends here.
    const double norm = base.real() * base.real() + base.imag() * base.imag();
    if (norm < vanishing_norm_) return {0, vanishing_error_};
    return {power(base, exponent_), error_for_modulus(std::sqrt(norm))};
  }

 private:
  // |x^n - y^n| <= n |x - y| max(|x|, |y|)^{n-1}.
  double error_for_modulus(double modulus) const {
    const auto n = static_cast<double>(exponent_);
    return n * base_error_ * std::pow(modulus + base_error_, n - 1);
  }

  static constexpr double kNegligible = -90;  // e^-90: far below what rounding leaves
  std::int64_t exponent_;
  double base_error_;
  double vanishing_norm_;
  double vanishing_error_;
};

// A spectrum that grows by one event at a time, with a bound on its error.
class Spectrum {
 public:
  explicit Spectrum(std::size_t half_size) : values_(half_size, 1), errors_(half_size, 0) {}

  void multiply(std::size_t k, const Power::Result& factor) {
    errors_[k] =
        errors_[k] * (std::abs(factor.value) + factor.error) + std::abs(values_[k]) * factor.error;
    values_[k] *= factor.value;
  }

  const Complex& operator[](std::size_t k) const { return values_[k]; }
  double error(std::size_t k) const { return errors_[k]; }

 private:
  std::vector<Complex> values_;
  std::vector<double> errors_;
};

struct Composed {
  std::vector<Complex> cells;  // upper in the real, lower in the imaginary part
  double cell_error;
};

// Transforms each event (both distributions in one transform), multiplies powers, transforms back.
Composed transform_and_multiply(const std::vector<BracketedEvent>& events,
                                const Both<CumulantFunction>& cumulants, double tilt,
                                std::size_t size) {
  ComplexFft& fft = plan_of_size(size);
  const std::size_t half = size / 2 + 1;
  const double transform_error =
      kTransformConstant * kUnit * (std::log2(static_cast<double>(size)) + 1);
  Both<Spectrum> spectra{Spectrum(half), Spectrum(half)};
  std::vector<Complex> cells(size);
  for (std::size_t j = 0; j < events.size(); ++j) {
    std::fill(cells.begin(), cells.end(), 0);
    fold_tilted(events[j].upper, tilt, cumulants.upper.value_of_part(j, tilt), size,
                [&](std::size_t cell, double mass) { cells[cell] += mass; });
    fold_tilted(events[j].lower, tilt, cumulants.lower.value_of_part(j, tilt), size,
                [&](std::size_t cell, double mass) { cells[cell] += Complex(0, mass); });
    fft.forward(cells);
    const Power raise(events[j].count, transform_error);
    for (std::size_t k = 0; k < half; ++k) {
      const Complex here = cells[k];
      const Complex there = std::conj(cells[(size - k) % size]);
      const Complex difference = here - there;
      spectra.upper.multiply(k, raise(0.5 * (here + there)));
      spectra.lower.multiply(k, raise({0.5 * difference.imag(), -0.5 * difference.real()}));
    }
  }
  double spectrum_error = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t mirror = std::min(k, size - k);
    const bool mirrored = mirror != k;
    const Complex up = mirrored ? std::conj(spectra.upper[mirror]) : spectra.upper[mirror];
    const Complex low = mirrored ? std::conj(spectra.lower[mirror]) : spectra.lower[mirror];
    cells[k] = {up.real() - low.imag(), up.imag() + low.real()};
    spectrum_error += spectra.upper.error(mirror) + spectra.lower.error(mirror) +
                      transform_error * (std::abs(up) + std::abs(low));
  }
  fft.inverse(cells);
  return {std::move(cells), spectrum_error / static_cast<double>(size)};
}

double total_infinite_mass(const std::vector<BracketedEvent>& events, bool upper) {
  double log_finite = 0;
  for (const auto& event : events) {
    const double infinite = (upper ? event.upper : event.lower).infinite_mass;
    log_finite += static_cast<double>(event.count) * std::log1p(-std::min(infinite, 1.0));
  }
  return -std::expm1(log_finite);
}

Both<CumulantFunction> cumulants_of(const std::vector<BracketedEvent>& events) {
  Both<CumulantFunction> cumulants;
  for (const auto& event : events) {
    cumulants.upper.add(event.upper, event.count);
    cumulants.lower.add(event.lower, event.count);
  }
  return cumulants;
}

}  // namespace

ComposedBracket compose(const std::vector<BracketedEvent>& events, const Window& window) {
  const double mesh = events.front().upper.lattice.mesh;
  const std::size_t size = transform_size_for(window, mesh);
  const Both<CumulantFunction> cumulants = cumulants_of(events);

  double offset = 0;
  double steps = 0;
  double most_atoms = 0;
  double largest_loss = 0;
  Both<double> log_total{0, 0};
  for (std::size_t j = 0; j < events.size(); ++j) {
    const auto count = static_cast<double>(events[j].count);
    offset += count * events[j].upper.lattice.offset;
    steps += count;
    most_atoms = std::max(most_atoms, static_cast<double>(events[j].upper.atoms.size()));
    for (const auto& atom : events[j].upper.atoms) {
      largest_loss = std::max(largest_loss, std::abs(events[j].upper.lattice.loss(atom.index)));
    }
    log_total.upper += count * cumulants.upper.value_of_part(j, window.tilt);
    log_total.lower += count * cumulants.lower.value_of_part(j, window.tilt);
  }
  const auto first_index = static_cast<std::int64_t>(std::floor((window.low - offset) / mesh));
  const double first_loss = offset + mesh * static_cast<double>(first_index);
  const Window actual{window.tilt, first_loss, mesh * static_cast<double>(size)};

  const Composed composed = transform_and_multiply(events, cumulants, window.tilt, size);
  // Rounding of e^{λ·loss} and of its normaliser, once a step, and of the way back; and of the sums
  // over cells, which δ is smaller than by a factor of about λ.
  const double relative_error =
      kUnit * (32 * (steps + 4) + 2 * static_cast<double>(size) * (1 + window.tilt));
  const auto period = static_cast<std::int64_t>(size);
  std::vector<double> upper(size);
  std::vector<double> lower(size);
  const auto shift = static_cast<std::size_t>(((first_index % period) + period) % period);
  const double upper_scale =
      std::exp(log_total.upper - window.tilt * first_loss) * (1 + relative_error);
  const double lower_scale =
      std::exp(log_total.lower - window.tilt * first_loss) * (1 - relative_error);
  for_each_exponential(-window.tilt * mesh, size, [&](std::size_t i, double untilt) {
    const Complex cell = composed.cells[i + shift < size ? i + shift : i + shift - size];
    upper[i] = std::max(cell.real() + composed.cell_error, 0.0) * upper_scale * untilt;
    lower[i] = std::max(cell.imag() - composed.cell_error, 0.0) * lower_scale * untilt;
  });
  const double upper_charge = total_infinite_mass(events, true) +
                              tail_bound(cumulants.upper, actual.tilt, actual.low + actual.width);
  const double lower_charge = total_infinite_mass(events, false) -
                              alias_from_above(cumulants.lower, actual) - alias_from_below(actual);
  // Each bin's masses are differences of tails with a few ulp of error, which moves the mean loss
  // of a step by at most that much a bin.
  // Losses meant for the lattice were snapped to it.
  const double loss_rounding =
      steps * (8 * kUnit * most_atoms + 2 * Lattice::kSnap * (mesh + largest_loss)) +
      8 * kUnit * std::abs(offset);
  return {WindowedLoss(mesh, first_loss, std::move(upper), upper_charge),
          WindowedLoss(mesh, first_loss, std::move(lower), lower_charge), loss_rounding, size};
}

}  // namespace sotto::accounting
