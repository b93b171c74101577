#include "cli/nearest_word.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace sotto::cli {
namespace {

char small(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

// Optimal string alignment: Levenshtein's distance, in which two neighbours swapped count once. Row
// by row; only the last three are kept.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::vector<std::size_t>, 3> rows;
  rows.fill(std::vector<std::size_t>(b.size() + 1));
  auto& [before, last, here] = rows;
  std::iota(here.begin(), here.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, here);
    here[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = small(a[i - 1]) == small(b[j - 1]);
      here[j] = std::min({last[j] + 1, here[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && small(a[i - 1]) == small(b[j - 2]) &&
                           small(a[i - 2]) == small(b[j - 1]);
      if (swapped) here[j] = std::min(here[j], before[j - 2] + 1);
    }
  }
  return here[b.size()];
}

// "--epochs" is judged as "epochs": the dashes are no letters that somebody got right.
std::string_view letters(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

}  // namespace

std::string nearest_word(std::string_view typed, const std::vector<std::string>& known) {
  const auto wanted = letters(typed);
  if (wanted.empty()) return "";
  std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string nearest;
  for (const auto& word : known) {
    const auto away = distance(wanted, letters(word));
    if (away >= least || away >= letters(word).size()) continue;
    least = away;
    nearest = word;
  }
  if (!nearest.empty() || wanted.size() < 3) return nearest;
  const auto begun = std::find_if(known.begin(), known.end(), [&](const std::string& word) {
    return letters(word).starts_with(wanted);
  });
  return begun == known.end() ? "" : *begun;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known) {
  const auto nearest = nearest_word(typed, known);
  return nearest.empty() || nearest == typed ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace sotto::cli
