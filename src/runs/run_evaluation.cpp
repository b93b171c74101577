#include "runs/run_evaluation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base64.h"
#include "runs/classification_json.h"
#include "runs/json_file.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

using nlohmann::json;

// The member's array, or an empty one.
const json& array_in(const json& object, const char* key) {
  static const json kNone = json::array();
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return kNone;
  check_argument(found->is_array(), key, ": expected an array, found ", found->type_name());
  return *found;
}

std::int64_t count_from(const json& value, const std::string& what) {
  check_argument(value.is_number_integer() && value.get<std::int64_t>() >= 0, what,
                 ": expected a whole number of at least 0, found ", value.dump());
  return value.get<std::int64_t>();
}

std::int64_t count_in(const json& object, const std::string& key) {
  check_argument(object.is_object() && object.contains(key), key, " is missing");
  return count_from(object.at(key), key);
}

std::optional<double> share_in(const json& object, const std::string& key) {
  const auto value = number_in(object, key);
  check_argument(!value || (*value >= 0 && *value <= 1), key, ": expected a share from 0 to 1");
  return value;
}

std::vector<std::vector<std::int64_t>> confusion_from(const json& rows) {
  std::vector<std::vector<std::int64_t>> confusion;
  double records = 0;
  for (const auto& row : rows) {
    const std::string where = "confusion, row " + std::to_string(confusion.size() + 1);
    check_argument(row.is_array() && row.size() == rows.size(), where, ": expected ", rows.size(),
                   " counts, as many as there are rows");
    auto& counts = confusion.emplace_back();
    for (const auto& count : row) {
      records += static_cast<double>(counts.emplace_back(count_from(count, where)));
    }
    check_argument(records <= 0x1p53, where, ": more records than can be counted");
  }
  return confusion;
}

std::optional<data::Image> picture_from(const json& prediction) {
  if (!prediction.contains("pixels")) return std::nullopt;
  const auto bytes = from_base64(text_in(prediction, "pixels"));
  check_argument(bytes.has_value(), "pixels: expected base64");
  data::Image image{count_in(prediction, "height"), count_in(prediction, "width"),
                    count_in(prediction, "channels"), *bytes};
  image.validate();
  return image;
}

Prediction prediction_from(const json& json, std::size_t classes) {
  Prediction prediction;
  prediction.label = count_in(json, "label");
  prediction.prediction = count_in(json, "prediction");
  for (const auto label : {prediction.label, prediction.prediction}) {
    check_argument(classes == 0 || label < static_cast<std::int64_t>(classes), "label ", label,
                   ": there are ", classes, " classes");
  }
  prediction.probability = share_in(json, "probability");
  prediction.picture = picture_from(json);
  for (const auto& value : array_in(json, "values")) {
    prediction.values.push_back(value.is_number() ? value.get<double>() : std::nan(""));
  }
  return prediction;
}

std::vector<std::string> class_names_from(const json& names) {
  std::vector<std::string> result;
  for (const auto& name : names) {
    check_argument(name.is_string(), "class_names: expected texts, found ", name.dump());
    result.push_back(name.get<std::string>());
  }
  return result;
}

TimedPart part_from(const json& json) {
  check_argument(json.is_object(), "profile: expected objects");
  const auto seconds = number_in(json, "seconds");
  check_argument(seconds && *seconds >= 0, "profile: seconds of a part must be at least 0");
  return {text_in(json, "part"), *seconds};
}

HeldOutAnswers held_out_from(const json& json) {
  check_argument(json.is_object(), "held_out: expected an object");
  const auto epsilon = number_in(json, "epsilon");
  check_argument(epsilon && *epsilon > 0, "held_out: its epsilon must be above 0");
  HeldOutAnswers answers{*epsilon, number_in(json, "accuracy_error"), {}};
  for (const auto& row : array_in(json, "answers")) {
    const auto whole = [&](const char* key) {
      check_argument(row.is_object() && row.contains(key) && row.at(key).is_number_integer(),
                     "held_out: answers must be whole numbers");
      return row.at(key).get<std::int64_t>();
    };
    answers.counts.emplace_back(whole("right"), whole("wrong"));
  }
  return answers;
}

RunEvaluation checked_evaluation(const json& json) {
  RunEvaluation evaluation;
  evaluation.accuracy = share_in(json, "accuracy");
  evaluation.loss = number_in(json, "loss");
  if (json.contains("samples")) evaluation.samples = count_in(json, "samples");
  evaluation.seconds = number_in(json, "seconds");
  if (json.contains("held_out")) evaluation.held_out = held_out_from(json.at("held_out"));
  evaluation.class_names = class_names_from(array_in(json, "class_names"));
  evaluation.confusion = confusion_from(array_in(json, "confusion"));
  const auto named = evaluation.class_names.size();
  const auto counted = evaluation.confusion.size();
  check_argument(named == 0 || counted == 0 || named == counted, "class_names: ", named,
                 " names for ", counted, " classes");
  evaluation.auc = auc_from_json(json.value("auc", nlohmann::json()));
  evaluation.reliability = reliability_from_json(json.value("calibration", nlohmann::json()));
  for (const auto& prediction : array_in(json, "predictions")) {
    evaluation.predictions.push_back(prediction_from(prediction, std::max(named, counted)));
  }
  for (const auto& part : array_in(json, "profile")) evaluation.profile.push_back(part_from(part));
  return evaluation;
}

}  // namespace

std::string RunEvaluation::class_name(std::int64_t label) const {
  const auto index = static_cast<std::size_t>(label);
  return index < class_names.size() ? class_names[index] : std::to_string(label);
}

RunEvaluation run_evaluation(const json& json, const std::string& file) {
  try {
    return checked_evaluation(json);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(file + ": " + error.what());
  }
}

}  // namespace sotto::runs
