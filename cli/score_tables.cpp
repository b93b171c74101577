#include "cli/score_tables.h"

#include <algorithm>
#include <cstdio>

#include "cli/text_layout.h"

namespace sotto::cli {
namespace {

constexpr std::size_t kShareWidth = 28;
constexpr std::size_t kCountWidth = 9;

std::string right_aligned(const std::string& text, std::size_t width) {
  const auto length = display_width(text);
  return std::string(length < width ? width - length : 0, ' ') + text;
}

std::string formatted(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::size_t widest(const std::vector<std::string>& names, std::size_t least) {
  for (const auto& name : names) least = std::max(least, display_width(name));
  return least;
}

}  // namespace

std::string share_text(const std::optional<double>& share,
                       const std::optional<runs::Interval>& interval) {
  if (!share) return "–";
  auto text = formatted("%.2f %%", 100 * *share);
  if (!interval) return text;
  return text + " (" + formatted("%.2f", 100 * interval->low) + " to " +
         formatted("%.2f", 100 * interval->high) + ")";
}

std::string class_table(const runs::ClassificationScores& scores,
                        const std::vector<std::string>& classes) {
  if (!scores.counts) return "";
  const bool ranked = scores.auc && !scores.auc->by_class.empty();
  const auto width = widest(classes, 5);
  std::string text = padded("class", width) + right_aligned("records", kCountWidth) +
                     right_aligned("recall", kShareWidth) +
                     right_aligned("precision", kShareWidth) +
                     (ranked ? right_aligned("AUC", kCountWidth) : "") + "\n";
  for (std::size_t i = 0; i < scores.counts->classes.size(); ++i) {
    const auto& row = scores.counts->classes[i];
    text += padded(classes[i], width) + right_aligned(std::to_string(row.records), kCountWidth) +
            right_aligned(share_text(row.recall(), row.recall_interval()), kShareWidth) +
            right_aligned(share_text(row.precision(), row.precision_interval()), kShareWidth);
    if (ranked) {
      const auto& auc = scores.auc->by_class[i];
      text += right_aligned(auc ? formatted("%.4f", *auc) : "–", kCountWidth);
    }
    text += '\n';
  }
  return text;
}

std::string reliability_table(const runs::Reliability& reliability,
                              const std::vector<std::string>& classes) {
  std::string text = "probability given to ";
  text += classes.size() == 2 ? "'" + classes[1] + "'" : "the predicted class";
  text += ", and how often it was true\n   between" + right_aligned("records", kCountWidth) +
          right_aligned("mean", kCountWidth) + right_aligned("true", kShareWidth) + "\n";
  for (const auto& bin : reliability.bins) {
    if (bin.records == 0) continue;
    text +=
        right_aligned(formatted("%.0f", 100 * bin.from) + formatted("–%.0f %%", 100 * bin.to), 10) +
        right_aligned(std::to_string(bin.records), kCountWidth) +
        right_aligned(formatted("%.2f %%", 100 * bin.mean_probability), kCountWidth) +
        right_aligned(share_text(bin.observed(), bin.interval()), kShareWidth) + "\n";
  }
  return text;
}

std::string confusion_table(const runs::ConfusionMatrix& confusion,
                            const std::vector<std::string>& classes) {
  const auto label_width = widest(classes, 5);
  std::size_t width = 4;
  for (const auto& row : confusion) {
    for (const auto count : row) width = std::max(width, std::to_string(count).size() + 1);
  }
  std::string text = padded("truth", label_width) + "  predicted class, in the same order\n";
  for (std::size_t i = 0; i < classes.size(); ++i) {
    text += padded(classes[i], label_width) + " ";
    for (const auto count : confusion[i]) {
      text += right_aligned(count == 0 ? "·" : std::to_string(count), width);
    }
    text += '\n';
  }
  return text;
}

}  // namespace sotto::cli
