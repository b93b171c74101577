#include "train/permutation_importance.h"

namespace sotto::train {
namespace {

nlohmann::ordered_json drop_json(const MeanDrop& drop) {
  return {{"mean", drop.mean},
          {"deviation",
           drop.deviation ? nlohmann::ordered_json(*drop.deviation) : nlohmann::ordered_json()}};
}

}  // namespace

nlohmann::ordered_json importance_json(const Importance& importance) {
  nlohmann::ordered_json json = {{"repeats", importance.options.repeats},
                                 {"seed", importance.options.seed}};
  json["columns"] = nlohmann::ordered_json::array();
  for (const auto& row : importance.columns) {
    json["columns"].push_back(
        {{"column", row.column},
         {"accuracy_drop", drop_json(row.accuracy)},
         {"auc_drop", row.auc ? drop_json(*row.auc) : nlohmann::ordered_json()}});
  }
  return json;
}

}  // namespace sotto::train
