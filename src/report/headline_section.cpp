#include "report/html_page.h"
#include "report/report_sections.h"
#include "report/run_text.h"
#include "runs/combined_cost.h"

namespace sotto::report {
namespace {

Html tile(const char* label, const std::string& value) {
  return element("div", element("dt", label) + element("dd", value));
}

Html tiles(const runs::RunRecord& run) {
  Html content;
  const bool noised = run.evaluation() && run.evaluation()->held_out;
  if (!run.is_generator()) {
    content +=
        tile(noised ? "Accuracy, with noise" : "Test accuracy", percent_or_unknown(run.accuracy()));
  }
  content += tile("ε, at most", epsilon_text(run));
  content += tile("δ", delta_text(run));
  content += run.is_generator() ? tile("Method", run.method()) : tile("Epochs", epochs_text(run));
  if (run.seconds()) content += tile("Time", duration(*run.seconds()));
  return element("dl", content, {{"class", "tiles"}});
}

}  // namespace

Html alarms(const runs::RunRecord& run) {
  Html result;
  if (!run.is_private()) {
    const auto reason = run.privacy().at("statement").at("promise").get<std::string>();
    result += notice(Urgency::kAlarm,
                     element("p", element("strong", "NOT PRIVATE")) + element("p", reason));
  }
  for (const auto& contradiction : run.contradictions()) {
    result +=
        notice(Urgency::kAlarm, element("p", element("strong", "NOT PROVED")) +
                                    element("p", contradiction + " Do not rely on its promise."));
  }
  for (const auto& altered : run.altered()) {
    result += notice(Urgency::kAlarm, element("p", element("strong", "A file was altered")) +
                                          element("p", altered + " Do not rely on it."));
  }
  if (const auto asked = runs::cost_with_queries(run)) {
    result += notice(Urgency::kAlarm, element("p", element("strong", "Queries were answered too")) +
                                          element("p", asked->sentence));
  }
  return result;
}

// Where one run of several was chosen, its place among them must stay secret.
std::string name_of(const runs::RunRecord& run) {
  return run.is_one_of_several() ? "One of several runs" : "Run " + run.name();
}

Html headline_section(const runs::RunRecord& run) {
  const std::string what =
      run.is_generator() ? "Generator for " + run.dataset() : run.dataset() + ", " + run.model();
  return element("header", alarms(run) + element("h1", what) +
                               element("p", summary(run), {{"class", "lead"}}) + tiles(run) +
                               element("p", name_of(run), {{"class", "quiet"}})) +
         Html::markup("\n");
}

}  // namespace sotto::report
