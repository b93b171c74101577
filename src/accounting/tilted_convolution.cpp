#include "accounting/tilted_convolution.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>

#include "accounting/infinity.h"
#include "accounting/spectrum.h"
#include "core/complex_fft.h"
#include "core/unit_roundoff.h"

namespace sotto::accounting {

namespace {

using Complex = std::complex<double>;
constexpr double kUnit = kUnitRoundoff;
// Covers the rounding of sums of error bounds, which are all positive.
constexpr double kRoundUp = 1 + 1e-9;

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

struct Composed {
  std::vector<Complex> cells;  // upper in the real, lower in the imaginary part
  double cell_error;
};

// Σ|x_n| of a tilted distribution in the real and one in the imaginary part: about 2.
double norm_of(const std::vector<Complex>& cells) {
  double sum = 0;
  for (const auto& cell : cells) sum += cell.real() + cell.imag();
  return sum;
}

// Transforms each event (both distributions in one transform), multiplies powers, transforms back.
Composed transform_and_multiply(const std::vector<BracketedEvent>& events,
                                const Both<CumulantFunction>& cumulants, double tilt,
                                std::size_t size) {
  ComplexFft& fft = plan_of_size(size);
  const std::size_t half = size / 2 + 1;
  Both<Spectrum> spectra{Spectrum(half), Spectrum(half)};
  std::vector<Complex> cells(size);
  for (std::size_t j = 0; j < events.size(); ++j) {
    std::fill(cells.begin(), cells.end(), 0);
    fold_tilted(events[j].upper, tilt, cumulants.upper.value_of_part(j, tilt), size,
                [&](std::size_t cell, double mass) { cells[cell] += mass; });
    fold_tilted(events[j].lower, tilt, cumulants.lower.value_of_part(j, tilt), size,
                [&](std::size_t cell, double mass) { cells[cell] += Complex(0, mass); });
    // Two signals share the transform; to tell them apart is a sum and a halving.
    const Power raise(events[j].count, kRoundUp * (fft.error_bound() + 2 * kUnit) * norm_of(cells));
    fft.forward(cells);
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
                      (fft.error_bound() + 2 * kUnit) * (std::abs(up) + std::abs(low));
  }
  fft.inverse(cells);
  return {std::move(cells), kRoundUp * spectrum_error / static_cast<double>(size)};
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

// What rounding may change, over all steps.
struct Roundings {
  double tilting = 0;      // relative, of every tilted mass
  double tails = 0;        // relative, of bounds by cumulants
  double upper_shift = 0;  // of losses
  double lower_shift = 0;
};

double largest_loss(const LatticePld& pld) {
  double largest = 0;
  for (const auto& atom : pld.atoms) {
    largest = std::max(largest, std::abs(pld.lattice.loss(atom.index)));
  }
  return largest;
}

// For each step: e^{λ·loss - log_total} errs by the rounding of its exponent and 4 u; a cell's sum
// by one u an atom. Bounds use tilts of up to 200 λ. An upper estimate says itself how well its
// losses are known, which counts twice (docs/numerics.md). A lower one's masses are differences of
// tails, with an allowance of 8 u a bin, and its losses were snapped to the lattice.
void add_roundings(const BracketedEvent& event, double tilt, double log_total, Roundings& sum) {
  const auto count = static_cast<double>(event.count);
  const Lattice& lattice = event.upper.lattice;
  const double largest = std::max(largest_loss(event.upper), largest_loss(event.lower));
  const auto atoms =
      static_cast<double>(std::max(event.upper.atoms.size(), event.lower.atoms.size()));
  const double exponent = tilt * (4 * largest + std::abs(lattice.offset));
  sum.tilting += count * kUnit * (exponent + 2 * std::abs(log_total) + atoms + 16);
  sum.tails += count * kUnit * (200 * exponent + atoms + 16);
  sum.upper_shift += count * (2 * event.upper.loss_error + 8 * kUnit * std::abs(lattice.offset));
  sum.lower_shift += count * (8 * kUnit * (atoms + std::abs(lattice.offset)) +
                              2 * Lattice::kSnap * (lattice.mesh + largest));
}

// What the composition of some events is on the lattice as a whole.
struct Frame {
  double offset = 0;
  Both<double> log_total{0, 0};
  Roundings roundings;
};

Frame frame_of(const std::vector<BracketedEvent>& events, const Both<CumulantFunction>& cumulants,
               double tilt) {
  Frame frame;
  for (std::size_t j = 0; j < events.size(); ++j) {
    const auto count = static_cast<double>(events[j].count);
    const double upper = cumulants.upper.value_of_part(j, tilt);
    const double lower = cumulants.lower.value_of_part(j, tilt);
    frame.offset += count * events[j].upper.lattice.offset;
    frame.log_total.upper += count * upper;
    frame.log_total.lower += count * lower;
    add_roundings(events[j], tilt, std::max(std::abs(upper), std::abs(lower)), frame.roundings);
  }
  return frame;
}

// Rounding of the way back: of the scale's exponent, whose sum over events is in `tilting`, and of
// the 64 products that each exponential is made of.
double untilting_error(const Frame& frame, const Window& window) {
  const double exponents =
      std::max(std::abs(frame.log_total.upper), std::abs(frame.log_total.lower)) +
      window.tilt * (std::abs(window.low) + window.width);
  return kUnit * (4 * exponents + 256);
}

// Where so many steps are composed that rounding may have changed everything.
ComposedBracket nothing_known(const Window& window, double mesh, std::size_t size) {
  return {WindowedLoss(Side::kUpper, mesh, window.low, {0}, kInfinity),
          WindowedLoss(Side::kLower, mesh, window.low, {0}, -kInfinity), 0, 0, size};
}

}  // namespace

ComposedBracket compose(const std::vector<BracketedEvent>& events, const Window& window) {
  const double mesh = events.front().upper.lattice.mesh;
  const std::size_t size = transform_size_for(window, mesh);
  const Both<CumulantFunction> cumulants = cumulants_of(events);
  const Frame frame = frame_of(events, cumulants, window.tilt);
  const auto first_index =
      static_cast<std::int64_t>(std::floor((window.low - frame.offset) / mesh));
  const double first_loss = frame.offset + mesh * static_cast<double>(first_index);
  const Window actual{window.tilt, first_loss, mesh * static_cast<double>(size)};

  const double log_error = frame.roundings.tilting + untilting_error(frame, actual);
  if (!(log_error + frame.roundings.tails < 1)) return nothing_known(actual, mesh, size);
  const Composed composed = transform_and_multiply(events, cumulants, window.tilt, size);
  const auto period = static_cast<std::int64_t>(size);
  std::vector<double> upper(size);
  std::vector<double> lower(size);
  const auto shift = static_cast<std::size_t>(((first_index % period) + period) % period);
  const double upper_scale = std::exp(frame.log_total.upper - window.tilt * first_loss + log_error);
  const double lower_scale = std::exp(frame.log_total.lower - window.tilt * first_loss - log_error);
  for_each_exponential(-window.tilt * mesh, size, [&](std::size_t i, double untilt) {
    const Complex cell = composed.cells[i + shift < size ? i + shift : i + shift - size];
    upper[i] = std::max(cell.real() + composed.cell_error, 0.0) * upper_scale * untilt;
    lower[i] = std::max(cell.imag() - composed.cell_error, 0.0) * lower_scale * untilt;
  });
  const double tails = std::exp(frame.roundings.tails + kRoundUp - 1);
  const double upper_charge =
      (1 + 64 * kUnit) * total_infinite_mass(events, true) +
      tails * tail_bound(cumulants.upper, actual.tilt, actual.low + actual.width);
  const double lower_charge =
      (1 - 64 * kUnit) * total_infinite_mass(events, false) -
      tails * (alias_from_above(cumulants.lower, actual) + alias_from_below(actual));
  const double offset_rounding =
      8 * kUnit * (std::abs(frame.offset) + std::abs(first_loss) + actual.width);
  return {WindowedLoss(Side::kUpper, mesh, first_loss, std::move(upper), upper_charge),
          WindowedLoss(Side::kLower, mesh, first_loss, std::move(lower), lower_charge),
          frame.roundings.upper_shift + offset_rounding,
          frame.roundings.lower_shift + offset_rounding, size};
}

}  // namespace sotto::accounting
