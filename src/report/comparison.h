// Several runs beside each other.
#pragma once

#include <string>
#include <vector>

#include "runs/combined_cost.h"

namespace sotto::report {

// The same text for people, on the page and in the terminal: one row per run, numbered from 1.
struct ComparisonTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
ComparisonTable comparison_table(const std::vector<runs::RunRecord>& runs);

// A page like that of training_report_html. Throws InvalidArgument for fewer than two runs.
std::string comparison_html(const std::vector<runs::RunRecord>& runs);

}  // namespace sotto::report
