#include "runs/classification_json.h"

#include <nlohmann/json.hpp>

#include "runs/json_file.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered json_or_null(const std::optional<double>& value) {
  return value ? Ordered(*value) : Ordered();
}

Ordered json_or_null(const std::optional<Interval>& interval) {
  return interval ? Ordered{interval->low, interval->high} : Ordered();
}

Ordered baseline_json(const Baseline& baseline, const std::vector<std::string>& classes) {
  return {{"class", classes.at(baseline.answer)},
          {"accuracy", baseline.accuracy},
          {"p_value", baseline.p_value},
          {"verdict", to_string(baseline.verdict)}};
}

Ordered class_json(const ClassScores& scores, const std::string& name) {
  return {{"class", name},
          {"records", scores.records},
          {"predicted", scores.predicted},
          {"right", scores.right},
          {"recall", json_or_null(scores.recall())},
          {"recall_interval", json_or_null(scores.recall_interval())},
          {"precision", json_or_null(scores.precision())},
          {"precision_interval", json_or_null(scores.precision_interval())}};
}

void add_counts(const ConfusionScores& counts, const std::vector<std::string>& classes,
                Ordered& json) {
  json["accuracy_interval"] = json_or_null(std::optional(counts.accuracy_interval));
  json["baseline"] = baseline_json(counts.baseline, classes);
  json["balanced_accuracy"] = counts.balanced_accuracy;
  json["per_class"] = Ordered::array();
  for (std::size_t i = 0; i < counts.classes.size(); ++i) {
    json["per_class"].push_back(class_json(counts.classes[i], classes.at(i)));
  }
}

Ordered auc_json(const RankingAuc& auc, const std::vector<std::string>& classes) {
  Ordered json = {{"value", auc.value}, {"interval", json_or_null(auc.interval)}};
  json["of"] =
      auc.by_class.empty() ? "class " + classes.at(1) : "mean of one class against the rest";
  if (auc.by_class.empty()) return json;
  json["by_class"] = Ordered::array();
  for (const auto& value : auc.by_class) json["by_class"].push_back(json_or_null(value));
  return json;
}

Ordered bin_json(const ReliabilityBin& bin) {
  const bool empty = bin.records == 0;
  return {{"from", bin.from},
          {"to", bin.to},
          {"records", bin.records},
          {"happened", bin.happened},
          {"mean_probability", empty ? Ordered() : Ordered(bin.mean_probability)},
          {"observed", json_or_null(bin.observed())},
          {"interval", json_or_null(bin.interval())}};
}

Ordered reliability_json(const Reliability& reliability, const std::vector<std::string>& classes) {
  Ordered json = {{"probability_of", classes.size() == 2 ? "class " + classes.at(1)
                                                         : std::string("the predicted class")},
                  {"expected_calibration_error", reliability.expected_error},
                  {"brier_score", reliability.brier},
                  {"log_loss", reliability.log_loss}};
  json["bins"] = Ordered::array();
  for (const auto& bin : reliability.bins) json["bins"].push_back(bin_json(bin));
  return json;
}

double number_of(const nlohmann::json& object, const char* member, const char* key) {
  const auto value = object.is_object() ? number_in(object, key) : std::nullopt;
  check_argument(value.has_value(), member, ": ", key, " must be a number");
  return *value;
}

double share_of(const nlohmann::json& object, const char* member, const char* key) {
  const double value = number_of(object, member, key);
  check_argument(value >= 0 && value <= 1, member, ": ", key, " must be from 0 to 1");
  return value;
}

std::int64_t count_of(const nlohmann::json& object, const char* key) {
  const auto value = number_of(object, "calibration", key);
  check_argument(object.at(key).is_number_integer() && value >= 0 && value <= 0x1p53,
                 "calibration: ", key, " must be a whole number of at least 0");
  return object.at(key).get<std::int64_t>();
}

ReliabilityBin bin_from(const nlohmann::json& json) {
  ReliabilityBin bin;
  bin.from = share_of(json, "calibration", "from");
  bin.to = share_of(json, "calibration", "to");
  bin.records = count_of(json, "records");
  bin.happened = count_of(json, "happened");
  check_argument(bin.happened <= bin.records, "calibration: more happened than there are records");
  if (bin.records > 0) bin.mean_probability = share_of(json, "calibration", "mean_probability");
  return bin;
}

}  // namespace

Ordered json_of(const ClassificationScores& scores, const std::vector<std::string>& classes) {
  Ordered json;
  if (scores.counts) add_counts(*scores.counts, classes, json);
  json["auc"] = scores.auc ? auc_json(*scores.auc, classes) : Ordered();
  json["calibration"] =
      scores.reliability ? reliability_json(*scores.reliability, classes) : Ordered();
  json["intervals"] =
      "95 %: Clopper-Pearson for shares of records, DeLong on the logit scale for auc";
  return json;
}

std::optional<RankingAuc> auc_from_json(const nlohmann::json& json) {
  if (json.is_null()) return std::nullopt;
  RankingAuc auc{share_of(json, "auc", "value")};
  const auto interval = json.find("interval");
  if (interval == json.end() || interval->is_null()) return auc;
  const auto is_share = [](const nlohmann::json& end) {
    return end.is_number() && end >= 0 && end <= 1;
  };
  check_argument(interval->is_array() && interval->size() == 2 && is_share(interval->at(0)) &&
                     is_share(interval->at(1)),
                 "auc: interval must be two numbers from 0 to 1");
  auc.interval = Interval{interval->at(0).get<double>(), interval->at(1).get<double>()};
  return auc;
}

std::optional<Reliability> reliability_from_json(const nlohmann::json& json) {
  if (json.is_null()) return std::nullopt;
  Reliability reliability;
  reliability.expected_error = share_of(json, "calibration", "expected_calibration_error");
  reliability.brier = number_of(json, "calibration", "brier_score");
  reliability.log_loss = number_of(json, "calibration", "log_loss");
  check_argument(json.contains("bins") && json.at("bins").is_array(),
                 "calibration: bins must be an array");
  for (const auto& bin : json.at("bins")) reliability.bins.push_back(bin_from(bin));
  return reliability;
}

}  // namespace sotto::runs
