#include <algorithm>

#include "core/percentage.h"
#include "report/html_page.h"
#include "report/report_sections.h"
#include "report/run_text.h"

namespace sotto::report {
namespace {

// What the parts leave of the whole is a part as well.
std::vector<runs::TimedPart> parts_of(const runs::RunEvaluation& evaluation) {
  auto parts = evaluation.profile;
  double sum = 0;
  for (const auto& part : parts) sum += part.seconds;
  const double rest = evaluation.seconds.value_or(sum) - sum;
  if (rest > 0.001 * sum) parts.push_back({"everything else", rest});
  std::stable_sort(parts.begin(), parts.end(), [](const auto& left, const auto& right) {
    return left.seconds > right.seconds;
  });
  return parts;
}

}  // namespace

Html time_section(const runs::RunRecord& run) {
  const char* heading = "Where the time went";
  if (run.is_generator()) return {};
  const auto& evaluation = run.evaluation();
  if (!evaluation || evaluation->profile.empty()) {
    return section(heading,
                   element("p", "There is no evaluation.json with a profile beside the run."));
  }
  const auto parts = parts_of(*evaluation);
  double sum = 0;
  for (const auto& part : parts) sum += part.seconds;
  Table table{.caption = "Seconds of each part, of " + duration(sum) + " in all",
              .head = {"part", "seconds", "share", ""},
              .css_class = "bars"};
  for (const auto& part : parts) {
    const double share = sum > 0 ? part.seconds / sum : 0;
    const Html bar =
        element("div", "", {{"class", "fill"}, {"style", "width:" + digits(100 * share, 4) + "%"}});
    table.rows.push_back({{part.part},
                          {digits(part.seconds, 3)},
                          {short_percentage(share, 3)},
                          {bar, {{"class", "bar"}, {"aria-hidden", "true"}}}});
  }
  return section(heading, report::table(table));
}

}  // namespace sotto::report
