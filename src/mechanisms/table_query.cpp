#include "sotto/mechanisms/table_query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/csv_field.h"
#include "mechanisms/declared_question.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

bool has_values(Statistic statistic) { return statistic != Statistic::kCount; }

Grid grid_of(const QueryOptions& options) {
  if (options.grid) return Grid(*options.grid);
  const auto& bounds = *options.bounds;
  // A mean's sum is taken from the middle.
  if (options.statistic == Statistic::kMean) {
    return Grid::for_values_up_to((bounds.high() - bounds.low()) / 2);
  }
  return Grid::for_values_up_to(std::max(std::abs(bounds.low()), std::abs(bounds.high())));
}

void check_bounds(const QueryOptions& options) {
  if (!has_values(options.statistic) || options.bounds) return;
  throw NoValidAnalysis(std::string(to_string(options.statistic)) + " of '" + options.column +
                        "' without bounds: one record could move it arbitrarily far, so that no "
                        "noise would hide it; accepted: a lower and an upper bound that are known "
                        "without looking at the data");
}

constexpr std::size_t kMostAnswers = 10000;
constexpr std::size_t kMostTallied = 20'000'000;  // of all candidates of all quantiles

// At least 1: without parts, everything is one.
std::size_t number_of(const Parts& parts) {
  if (const auto* bins = std::get_if<Bins>(&parts)) return bins->size();
  if (const auto* categories = std::get_if<Categories>(&parts)) return categories->size();
  return 1;
}

bool has_parts(const Parts& parts) { return !std::holds_alternative<std::monostate>(parts); }

std::size_t number_of_answers(const QueryOptions& options) {
  check_argument(has_parts(options.parts) || !has_parts(options.across_parts),
                 "parts of a second column need those of a first");
  const std::size_t answers = number_of(options.parts) * number_of(options.across_parts);
  check_argument(answers <= kMostAnswers, "parts: a query has at most ", kMostAnswers,
                 " answers, got ", answers);
  return answers;
}

std::optional<std::size_t> part_of_field(const Parts& parts, const std::string& field,
                                         char decimal) {
  if (const auto* bins = std::get_if<Bins>(&parts)) {
    const auto number = field_number(field, decimal);
    return number ? bins->part_of(*number) : std::nullopt;
  }
  if (const auto* categories = std::get_if<Categories>(&parts)) {
    return categories->part_of(trimmed(field));
  }
  return 0;
}

// Gaussians one after another are one Gaussian: z^-2 = z_1^-2 + z_2^-2.
std::optional<double> joint_multiplier(std::initializer_list<const IntegerNoise*> noises) {
  double sum = 0;
  for (const auto* noise : noises) {
    if (!noise->gaussian_multiplier()) return std::nullopt;
    sum += std::pow(*noise->gaussian_multiplier(), -2);
  }
  return std::pow(sum, -0.5);
}

std::optional<double> multiplier_of(const CountRelease& release) {
  return joint_multiplier({&release.noise()});
}
std::optional<double> multiplier_of(const SumRelease& release) {
  return joint_multiplier({&release.noise()});
}
std::optional<double> multiplier_of(const MeanRelease& release) {
  return joint_multiplier({&release.sum_noise(), &release.count_noise()});
}
std::optional<double> multiplier_of(const QuantileRelease&) { return std::nullopt; }

}  // namespace

std::string_view to_string(Statistic statistic) {
  switch (statistic) {
    case Statistic::kCount:
      return "count";
    case Statistic::kSum:
      return "sum";
    case Statistic::kMean:
      return "mean";
    case Statistic::kQuantile:
      return "quantile";
  }
  return "";
}

std::vector<std::string> labels(const Parts& parts) {
  std::vector<std::string> labels;
  const auto add = [&](const auto& some) {
    for (std::size_t part = 0; part < some.size(); ++part) labels.push_back(some.label(part));
  };
  if (const auto* bins = std::get_if<Bins>(&parts)) add(*bins);
  if (const auto* categories = std::get_if<Categories>(&parts)) add(*categories);
  return labels;
}

// Before all else: bounds of a column that is not there, or holds no numbers, help nobody.
TableQuery::Places TableQuery::places_of(const QueryOptions& options,
                                         std::span<const std::string> columns) {
  Places places;
  if (has_values(options.statistic)) places.column = column_index(options.column, columns);
  if (has_parts(options.parts)) places.by = column_index(options.by, columns);
  if (has_parts(options.across_parts)) places.across = column_index(options.across, columns);
  check_declared(options);
  return places;
}

TableQuery::Releaser TableQuery::make_releaser(const QueryOptions& options) {
  check_bounds(options);
  switch (options.statistic) {
    case Statistic::kCount:
      return CountRelease(options.noise, options.budget);
    case Statistic::kSum:
      return SumRelease(*options.bounds, grid_of(options), options.noise, options.budget);
    case Statistic::kMean:
      return MeanRelease(*options.bounds, grid_of(options), options.noise, options.budget);
    case Statistic::kQuantile:
      check_argument(options.noise == NoiseKind::kLaplace,
                     "a quantile is chosen, not noised; accepted: no other noise than the default");
      return QuantileRelease(options.quantile, *options.bounds, options.grid, options.budget);
  }
  throw std::logic_error("unknown statistic");
}

TableQuery::TableQuery(const QueryOptions& options, std::span<const std::string> columns)
    : options_(options),
      places_(places_of(options, columns)),
      releaser_(make_releaser(options)),
      charge_{options.budget} {
  require_declared(options);
  if (!options.where.empty()) {
    filter_ = RecordFilter(options.where, columns, options.types, options.decimal);
  }
  charge_.gaussian_multiplier =
      std::visit([](const auto& release) { return multiplier_of(release); }, releaser_);
  const std::size_t answers = number_of_answers(options);
  const Tally empty = empty_tally();
  check_argument(answers * empty.candidates.size() <= kMostTallied,
                 "grid: too fine for so many parts; accepted: at most ", kMostTallied / answers,
                 " steps");
  tallies_.assign(answers, empty);
}

TableQuery::Tally TableQuery::empty_tally() const {
  Tally empty;
  if (const auto* sum = std::get_if<SumRelease>(&releaser_)) empty.sum = sum->empty_sum();
  if (const auto* mean = std::get_if<MeanRelease>(&releaser_)) empty.sum = mean->empty_sum();
  if (const auto* quantile = std::get_if<QuantileRelease>(&releaser_)) {
    empty.candidates.assign(quantile->candidates(), 0);
  }
  return empty;
}

std::vector<std::string> TableQuery::labels() const {
  auto first = mechanisms::labels(options_.parts);
  const auto second = mechanisms::labels(options_.across_parts);
  if (second.empty()) return first;
  std::vector<std::string> pairs;
  for (const auto& row : first) {
    for (const auto& column : second) pairs.push_back(csv_field(row) + ',' + csv_field(column));
  }
  return pairs;
}

bool TableQuery::reads_numbers() const {
  return options_.statistic != Statistic::kCount || std::holds_alternative<Bins>(options_.parts) ||
         std::holds_alternative<Bins>(options_.across_parts) || filter_.reads_numbers();
}

double TableQuery::sensitivity() const {
  if (const auto* quantile = std::get_if<QuantileRelease>(&releaser_)) {
    return quantile->sensitivity();
  }
  const auto& sum = tallies_.front().sum;
  return sum ? sum->grid().value(sum->sensitivity()) : 1;
}

std::optional<std::size_t> TableQuery::part_of(std::span<const std::string> fields) const {
  const auto first = part_of_field(options_.parts, fields[places_.by], options_.decimal);
  const auto second =
      part_of_field(options_.across_parts, fields[places_.across], options_.decimal);
  if (!first || !second) return std::nullopt;
  return *first * number_of(options_.across_parts) + *second;
}

void TableQuery::add(std::span<const std::string> fields) {
  if (!filter_.matches(fields)) return;
  const auto part = part_of(fields);
  if (!part) return;
  Tally& tally = tallies_[*part];
  if (has_values(options_.statistic)) {
    const auto number = field_number(fields[places_.column], options_.decimal);
    if (!number) return;
    if (tally.sum) tally.sum->add(*number);
    if (const auto* quantile = std::get_if<QuantileRelease>(&releaser_)) {
      ++tally.candidates[quantile->nearest(*number)];
    }
  }
  ++tally.count;
}

Release TableQuery::release_one(const Tally& tally, RandomSource& random) const {
  if (const auto* sum = std::get_if<SumRelease>(&releaser_)) {
    return sum->release(*tally.sum, random);
  }
  if (const auto* mean = std::get_if<MeanRelease>(&releaser_)) {
    return mean->release(*tally.sum, tally.count, random);
  }
  if (const auto* quantile = std::get_if<QuantileRelease>(&releaser_)) {
    return quantile->release(tally.candidates, random);
  }
  return std::get<CountRelease>(releaser_).release(tally.count, random);
}

std::vector<Answer> TableQuery::release(RandomSource& random) {
  if (released_) throw std::logic_error("a query is answered once");
  released_ = true;
  const auto names = labels();
  std::vector<Answer> answers;
  for (std::size_t part = 0; part < tallies_.size(); ++part) {
    answers.push_back({names.empty() ? "" : names[part], release_one(tallies_[part], random)});
  }
  return answers;
}

}  // namespace sotto::mechanisms
