#include "sotto/report/report.h"

#include "report/training_page.h"

#include "core/atomic_file.h"
#include "report/html_page.h"
#include "report/report_sections.h"
#include "report/run_text.h"

namespace sotto::report {

std::string training_report_html(const runs::RunRecord& run) {
  const char* const promise =
      run.is_proved() ? "; the promise in machine-readable form is its privacy.json." : ".";
  const Html footer = element("footer", Html("Made by ") + element("code", "sotto report") +
                                            " from the files of the run" + promise);
  return html_page(run.dataset() + ", " + run.model() + ": " + guarantee(run),
                   headline_section(run) + privacy_section(run) + curves_section(run) +
                       scores_section(run) + confusion_section(run) + predictions_section(run) +
                       time_section(run) + settings_section(run) + footer);
}

std::filesystem::path write_training_report(const std::filesystem::path& folder) {
  auto path = folder / "report.html";
  write_file_atomically(path, training_report_html(runs::RunRecord::read(folder)));
  return path;
}

}  // namespace sotto::report
