#include "gan/gan_json.h"

#include <cmath>
#include <limits>

#include "core/json_number.h"
#include "runs/held_out_json.h"

namespace sotto::gan {
namespace {

using GanJson = nlohmann::ordered_json;

constexpr GanScore kGanScores[] = {
    {"synthetic_accuracy", "accuracy, learnt from synthetic data alone", "%7.2f %%",
     &GanEvaluation::synthetic_accuracy, 100},
    {"real_accuracy", "accuracy, learnt from the real data", "%7.2f %%",
     &GanEvaluation::real_accuracy, 100},
    {"inception_score", "inception score (more is better)", "%7.3f",
     &GanEvaluation::inception_score, 1},
    {"js_score", "Jensen-Shannon score (less is better)", "%7.3f", &GanEvaluation::js_score, 1},
    {"s_plus_test", "critic's over-estimation s+ (0 is best): test data", "%+7.3f",
     &GanEvaluation::s_plus_test, 1},
    {"nearest_train", "median distance, generated to training records", "%7.3f",
     &GanEvaluation::nearest_train, 1},
    {"nearest_test", "median distance, generated to test records", "%7.3f",
     &GanEvaluation::nearest_test, 1},
    {"nearest_test_to_train", "median distance, test to training records", "%7.3f",
     &GanEvaluation::nearest_test_to_train, 1},
};

GanJson number_or_null(double value) { return std::isnan(value) ? GanJson() : GanJson(value); }

GanJson side_by_side_json(const RealAndSynthetic& pair) {
  return {{"real", number_or_null(pair.real)}, {"synthetic", number_or_null(pair.synthetic)}};
}

GanJson side_by_side_json(const CategoryComparison& column) {
  GanJson shares = GanJson::object();
  for (std::size_t i = 0; i < column.names.size(); ++i) {
    shares[column.names[i]] = side_by_side_json(column.shares[i]);
  }
  return {{"column", column.column},
          {"shares", shares},
          {"missing", side_by_side_json(column.missing)},
          {"total_variation", column.total_variation}};
}

}  // namespace

std::span<const GanScore> gan_scores() { return kGanScores; }

GanJson evaluation_json(const GanEvaluation& e, const std::string& refused) {
  GanJson json;
  for (const auto& score : kGanScores) {
    if (const auto& value = e.*score.value) json[score.key] = *value;
  }
  if (e.held_out) {
    json["held_out"] = e.contradictions.empty() ? runs::json_of(*e.held_out)
                                                : runs::json_without_epsilon(*e.held_out);
    if (!e.synthetic_accuracy) json["synthetic_accuracy"] = json["held_out"]["accuracy"];
  }
  json["s_plus_noise"] = e.s_plus_noise;
  json["s_plus_generated"] = e.s_plus_generated;
  if (e.table) json["table"] = comparison_json(*e.table);
  if (e.table_refused) json["table_refused"] = refused;
  json["classifier"] = e.classifier;
  json["epsilon"] = json_number(e.epsilon);
  json["delta"] = e.delta;
  if (!e.contradictions.empty()) json["contradictions"] = e.contradictions;
  return json;
}

GanJson comparison_json(const TableComparison& table) {
  GanJson json{{"rows", table.rows},
               {"real_rows", table.real_rows},
               {"numbers", GanJson::array()},
               {"categories", GanJson::array()},
               {"pairs", GanJson::array()},
               {"mean_pair_difference", number_or_null(table.mean_pair_difference())}};
  for (const auto& number : table.numbers) {
    json["numbers"].push_back({{"column", number.column},
                               {"kind", number.is_date ? "date" : "number"},
                               {"mean", side_by_side_json(number.mean)},
                               {"standard_deviation", side_by_side_json(number.deviation)},
                               {"missing", side_by_side_json(number.missing)}});
  }
  for (const auto& column : table.categories)
    json["categories"].push_back(side_by_side_json(column));
  for (const auto& pair : table.pairs) {
    json["pairs"].push_back({{"columns", {pair.first, pair.second}},
                             {"measure", to_string(pair.association)},
                             {"strength", side_by_side_json(pair.strength)}});
  }
  return json;
}

GanJson result_json(const GanResult& result) {
  GanJson json;
  json["epsilon"] =
      json_number(result.spent && result.is_private ? result.spent->epsilon
                                                    : std::numeric_limits<double>::infinity());
  json["delta"] = result.spent ? GanJson(result.spent->delta) : GanJson(nullptr);
  json["private"] = result.is_private;
  json["noise_multiplier"] = result.noise_multiplier;
  json["steps"] = result.steps;
  json["generator_steps"] = result.rounds;
  json["converged"] = result.converged;
  json["seconds"] = result.seconds;
  json["statement"] = result.statement;
  return json;
}

}  // namespace sotto::gan
