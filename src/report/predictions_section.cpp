#include <algorithm>
#include <cmath>

#include "core/atomic_file.h"
#include "core/base64.h"
#include "data/png_image.h"
#include "report/html_page.h"
#include "report/report_sections.h"
#include "report/run_text.h"
#include "sotto/accounting/statement.h"

namespace sotto::report {
namespace {

constexpr std::size_t kMostValuesShown = 12;
constexpr std::uintmax_t kLargestSheet = std::uintmax_t{4} << 20U;

std::string png_uri(const std::string& png) { return "data:image/png;base64," + base64(png); }

Html picture(const runs::RunEvaluation& evaluation, const runs::Prediction& prediction) {
  if (!prediction.picture) return {};
  return void_element("img",
                      {{"src", png_uri(data::encode_png(*prediction.picture))},
                       {"alt", "Test record of class " + evaluation.class_name(prediction.label)},
                       {"width", std::to_string(prediction.picture->width)},
                       {"height", std::to_string(prediction.picture->height)}});
}

Html values(const runs::Prediction& prediction) {
  if (prediction.values.empty()) return {};
  std::string text;
  const auto shown = std::min(prediction.values.size(), kMostValuesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : ", ") +
            (std::isfinite(prediction.values[i]) ? digits(prediction.values[i]) : std::string("?"));
  }
  if (shown < prediction.values.size()) {
    text += ", and " + std::to_string(prediction.values.size() - shown) + " more";
  }
  return element("div", "values " + text, {{"class", "quiet"}});
}

// Rounded down, so that 100 % means 1.
Html certainty(const runs::Prediction& prediction) {
  if (!prediction.probability) return {};
  return element("div", accounting::rounded_down(100 * *prediction.probability, 3) + " % sure");
}

Html sample(const runs::RunEvaluation& evaluation, const runs::Prediction& prediction) {
  const bool right = prediction.label == prediction.prediction;
  const Html verdict =
      element("div", (right ? "✓ " : "✗ ") + evaluation.class_name(prediction.prediction),
              {{"class", "verdict"}});
  const Html truth = element("div", "truth: " + evaluation.class_name(prediction.label));
  return element("li",
                 picture(evaluation, prediction) + values(prediction) + verdict +
                     certainty(prediction) + truth,
                 {{"class", right ? "right" : "wrong"}}) +
         Html::markup("\n");
}

Html test_records(const runs::RunRecord& run) {
  const char* heading = "Samples from the test data";
  const auto& evaluation = run.evaluation();
  if (evaluation && evaluation->held_out) return {};  // private records are not shown
  if (!evaluation || evaluation->predictions.empty()) {
    return section(heading,
                   element("p", "There is no evaluation.json with predictions beside the run."));
  }
  Html items;
  for (const auto& prediction : evaluation->predictions) items += sample(*evaluation, prediction);
  return section(
      heading,
      notice(Urgency::kNotice,
             element("p",
                     "These are records of the test data, as they are. ε protects training "
                     "records alone: if the test data are private, do not publish this page.")) +
          element(
              "p",
              "What the model says, right (✓) or wrong (✗), how confident it is, and the truth.") +
          element("ul", items, {{"class", "samples"}}));
}

// The last sheet of samples that training wrote.
std::filesystem::path last_sheet(const std::filesystem::path& folder) {
  std::filesystem::path last;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    const bool sheet = name.starts_with("samples-") && name.ends_with(".png");
    if (sheet && entry.is_regular_file() && name > last.filename().string()) last = entry.path();
  }
  return last;
}

Html generated_samples(const runs::RunRecord& run) {
  const auto sheet = last_sheet(run.folder());
  if (sheet.empty() || std::filesystem::file_size(sheet) > kLargestSheet) return {};
  const auto png = read_file(sheet);
  if (!data::is_png(png)) return {};
  return section(
      "Generated samples",
      void_element("img", {{"src", png_uri(png)},
                           {"alt", "Records drawn by the generator, a class in each row"},
                           {"class", "sheet"}}) +
          element(
              "p",
              "Drawn by the generator, a class in each row (" + sheet.filename().string() + ").",
              {{"class", "quiet"}}));
}

}  // namespace

Html predictions_section(const runs::RunRecord& run) {
  return run.is_generator() ? generated_samples(run) : test_records(run);
}

}  // namespace sotto::report
