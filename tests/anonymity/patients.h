// Six patients of the Doubs: with age and postcode, and as they might be published (k = 2).
#pragma once

#include "sotto/anonymity/anonymity.h"

namespace sotto::anonymity::testing_tables {

inline Table patients() {
  return {{"name", "age", "zip", "treatment"},
          {{"A", "19", "25000", "Asthme"},
           {"B", "43", "25200", "Cancer"},
           {"C", "73", "25170", "Leucémie"},
           {"D", "27", "25480", "VIH"},
           {"E", "35", "25120", "VIH"},
           {"F", "61", "25000", "Leucémie"}}};
}

inline std::vector<Row> districts() {
  return {{"25000", "Besançon"},
          {"25170", "Besançon"},
          {"25480", "Besançon"},
          {"25200", "Montbéliard"},
          {"25120", "Montbéliard"}};
}

inline Table generalised_patients() {
  return {{"age", "zip", "treatment"},
          {{"18-30", "Besançon", "Asthme"},
           {"18-30", "Besançon", "VIH"},
           {"35-45", "Montbéliard", "Cancer"},
           {"35-45", "Montbéliard", "VIH"},
           {"60+", "Besançon", "Leucémie"},
           {"60+", "Besançon", "Leucémie"}}};
}

}  // namespace sotto::anonymity::testing_tables
