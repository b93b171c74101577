// The parts of a run's report, in the order in which they stand on the page.
#pragma once

#include "report/html_elements.h"
#include "runs/run_record.h"

namespace sotto::report {

// What the run is, how good and how private, in one sentence; NOT PRIVATE in red where it is not.
Html headline_section(const runs::RunRecord& run);
// The alarms of the headline alone, naming the run.
Html alarms(const runs::RunRecord& run);
// The promise with its assumptions and warnings, what it means for one person, and the plan.
Html privacy_section(const runs::RunRecord& run);
// Accuracy, losses and ε over time.
Html curves_section(const runs::RunRecord& run);
// Accuracy, baseline, recalls and calibration with their intervals; nothing where test records are
// private.
Html scores_section(const runs::RunRecord& run);
// Which classes are taken for which.
Html confusion_section(const runs::RunRecord& run);
// Test records with what the model says about them; a generator's samples.
Html predictions_section(const runs::RunRecord& run);
// Where the time went.
Html time_section(const runs::RunRecord& run);
// config.json.
Html settings_section(const runs::RunRecord& run);

}  // namespace sotto::report
