#include "sotto/mechanisms/table_query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

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
  throw NoValidAnalysis(std::string(name(options.statistic)) + " of '" + options.column +
                        "' without bounds: one record could move it arbitrarily far, so that no "
                        "noise would hide it; accepted: a lower and an upper bound that are known "
                        "without looking at the data");
}

std::size_t number_of_parts(const QueryOptions& options) {
  if (const auto* bins = std::get_if<Bins>(&options.parts)) return bins->size();
  if (const auto* categories = std::get_if<Categories>(&options.parts)) return categories->size();
  return 1;
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

}  // namespace

std::string_view name(Statistic statistic) {
  switch (statistic) {
    case Statistic::kCount:
      return "count";
    case Statistic::kSum:
      return "sum";
    case Statistic::kMean:
      return "mean";
  }
  return "";
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
  }
  throw std::logic_error("unknown statistic");
}

TableQuery::TableQuery(const QueryOptions& options, std::span<const std::string> columns)
    : options_(options), releaser_(make_releaser(options)), charge_{options.budget} {
  if (!options.where.empty()) filter_ = RecordFilter(options.where, columns);
  if (has_values(options.statistic)) column_ = column_index(options.column, columns);
  if (!std::holds_alternative<std::monostate>(options.parts)) {
    by_ = column_index(options.by, columns);
  }
  charge_.gaussian_multiplier =
      std::visit([](const auto& release) { return multiplier_of(release); }, releaser_);
  Tally empty;
  if (const auto* sum = std::get_if<SumRelease>(&releaser_)) empty.sum = sum->empty_sum();
  if (const auto* mean = std::get_if<MeanRelease>(&releaser_)) empty.sum = mean->empty_sum();
  tallies_.assign(number_of_parts(options), empty);
}

std::vector<std::string> TableQuery::labels() const {
  std::vector<std::string> labels;
  if (std::holds_alternative<std::monostate>(options_.parts)) return labels;
  for (std::size_t part = 0; part < tallies_.size(); ++part) labels.push_back(label(part));
  return labels;
}

double TableQuery::sensitivity() const {
  const auto& sum = tallies_.front().sum;
  return sum ? sum->grid().value(sum->sensitivity()) : 1;
}

std::optional<std::size_t> TableQuery::part_of(std::span<const std::string> fields) const {
  if (const auto* bins = std::get_if<Bins>(&options_.parts)) {
    const auto number = field_number(fields[by_]);
    return number ? bins->part_of(*number) : std::nullopt;
  }
  if (const auto* categories = std::get_if<Categories>(&options_.parts)) {
    return categories->part_of(trimmed(fields[by_]));
  }
  return 0;
}

void TableQuery::add(std::span<const std::string> fields) {
  if (!filter_.matches(fields)) return;
  const auto part = part_of(fields);
  if (!part) return;
  Tally& tally = tallies_[*part];
  if (tally.sum) {
    const auto number = field_number(fields[column_]);
    if (!number) return;
    tally.sum->add(*number);
  }
  ++tally.count;
}

std::string TableQuery::label(std::size_t part) const {
  if (const auto* bins = std::get_if<Bins>(&options_.parts)) return bins->label(part);
  if (const auto* categories = std::get_if<Categories>(&options_.parts)) {
    return categories->label(part);
  }
  return "";
}

Release TableQuery::release_one(const Tally& tally, RandomSource& random) const {
  if (const auto* sum = std::get_if<SumRelease>(&releaser_)) {
    return sum->release(*tally.sum, random);
  }
  if (const auto* mean = std::get_if<MeanRelease>(&releaser_)) {
    return mean->release(*tally.sum, tally.count, random);
  }
  return std::get<CountRelease>(releaser_).release(tally.count, random);
}

std::vector<Answer> TableQuery::release(RandomSource& random) {
  if (released_) throw std::logic_error("a query is answered once");
  released_ = true;
  std::vector<Answer> answers;
  for (std::size_t part = 0; part < tallies_.size(); ++part) {
    answers.push_back({label(part), release_one(tallies_[part], random)});
  }
  return answers;
}

}  // namespace sotto::mechanisms
