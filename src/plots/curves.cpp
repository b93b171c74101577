#include "plots/curves.h"

#include <algorithm>
#include <cmath>

#include "report/number_text.h"
#include "sotto/core/error.h"

namespace sotto::plots {
namespace {

using accounting::Accountant;
using report::number_text;

std::string symbol(const char* name, const std::optional<std::int64_t>& value) {
  return value ? std::string(name) + " = " + number_text(static_cast<double>(*value)) : "";
}

std::string length_part(const std::optional<std::int64_t>& value, const char* what) {
  if (!value) return "";
  return number_text(static_cast<double>(*value)) + " " + what + (*value == 1 ? "" : "s");
}

std::string accountant_text(const accounting::AccountingOptions& options) {
  switch (options.accountant) {
    case Accountant::kPld:
      return "pld";
    case Accountant::kRdp:
      return options.conversion == accounting::Conversion::kClassic ? "rdp (classic conversion)"
                                                                    : "rdp";
    case Accountant::kGdp:
      return "gdp (approximation, no bound)";
  }
  throw std::logic_error("unknown accountant");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

// With spaces at which a line does not end.
std::string unbroken(const std::string& words) {
  std::string text;
  for (const char letter : words) {
    if (letter == ' ') {
      text += "\u00a0";
    } else {
      text += letter;
    }
  }
  return text;
}

Curve curve_over_orders(const PlannedRun& run, const Axis& axis, const Advance& advance) {
  const accounting::RdpAccountant rdp(accounting::TrainingRun(run.run).composition(run.neighbours),
                                      run.neighbours, accounting::RdpOrders(axis.places));
  const double delta = run.delta - rdp.additive_delta();
  const auto best = rdp.epsilon(run.delta, run.accounting.conversion);
  Curve curve;
  if (std::isfinite(best.epsilon)) curve.optimum = best;
  for (std::size_t i = 0; i < rdp.orders().size(); ++i) {
    accounting::PrivacyCost cost;
    cost.accountant = Accountant::kRdp;
    cost.delta = run.delta;
    cost.epsilon =
        epsilon_from_rdp(run.accounting.conversion, rdp.orders()[i], rdp.rdp()[i], delta);
    cost.order = rdp.orders()[i];
    cost.order_at_edge = best.order_at_edge && best.order == rdp.orders()[i];
    curve.points.push_back({rdp.orders()[i], run, cost});
    advance();
  }
  return curve;
}

}  // namespace

std::vector<std::string> setting_parts(const PlannedRun& settings, std::span<const Quantity> axes) {
  const auto on_axis = [&](Quantity quantity) {
    return std::find(axes.begin(), axes.end(), quantity) != axes.end();
  };
  const auto unless = [&](Quantity quantity, const std::string& part) {
    return on_axis(quantity) ? "" : part;
  };
  const auto& run = settings.run;
  const int group = settings.neighbours.group_size();
  return {
      unless(Quantity::kDatasetSize, symbol("N", run.dataset_size)),
      unless(Quantity::kBatchSize, symbol("b", run.batch_size)),
      run.sample_rate ? "q = " + number_text(*run.sample_rate) : "",
      unless(Quantity::kNoiseMultiplier, "σ = " + number_text(run.noise_multiplier)),
      unless(Quantity::kEpochs, length_part(run.epochs, "epoch")),
      length_part(run.steps, "step"),
      unless(Quantity::kDelta, "δ = " + number_text(settings.delta)),
      (run.sampling == accounting::Sampling::kNone ? "no" : std::string(to_string(run.sampling))) +
          " sampling",
      std::string(to_string(settings.neighbours.adjacency())) + " neighbours",
      group == 1 ? "" : "groups of " + std::to_string(group) + " records",
      accountant_text(settings.accounting),
  };
}

CurveNames name_curves(std::span<const PlannedRun> runs, std::span<const Quantity> axes) {
  std::vector<std::vector<std::string>> parts;
  for (const auto& run : runs) {
    parts.push_back(setting_parts(run, axes));
    if (std::count(parts.begin(), parts.end(), parts.back()) > 1) {
      throw InvalidArgument("two curves would be the same (" + joined(parts.back()) +
                            "): give each value once");
    }
  }
  std::vector<std::string> common;
  CurveNames names{{}, std::vector<std::string>(runs.size())};
  for (std::size_t i = 0; i < parts.front().size(); ++i) {
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const auto& of_run) {
      return of_run[i] == parts.front()[i];
    });
    if (same) {
      common.push_back(unbroken(parts.front()[i]));
      continue;
    }
    for (std::size_t j = 0; j < parts.size(); ++j) {
      names.own[j] = joined({names.own[j], parts[j][i].empty() ? "one record" : parts[j][i]});
    }
  }
  names.common = joined(common);
  return names;
}

Curve curve_of(const PlannedRun& run, const Axis& axis, const Advance& advance) {
  if (axis.quantity == Quantity::kAlpha) return curve_over_orders(run, axis, advance);
  Curve curve;
  for (const double place : axis.places) {
    const PlannedRun settings = with_value(axis.quantity, run, place);
    curve.points.push_back({place, settings, settings.cost()});
    advance();
  }
  return curve;
}

std::vector<Curve> curves_of(const EpsilonPlot& plot, const Advance& advance) {
  const CurveNames names = name_curves(plot.runs, plot.axes());
  std::vector<Curve> curves;
  for (const auto& run : plot.runs) {
    curves.push_back(curve_of(run, plot.x, advance));
    curves.back().name = names.own[curves.size() - 1];
  }
  return curves;
}

}  // namespace sotto::plots
