#include "report/flat_settings.h"
#include "report/html_page.h"
#include "report/report_sections.h"

namespace sotto::report {

Html settings_section(const runs::RunRecord& run) {
  const Html content = run.config().empty()
                           ? element("p", "There is no config.json beside the run.")
                           : settings_list(flat_settings(run.config()));
  return section("Settings", content);
}

}  // namespace sotto::report
