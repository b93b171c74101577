#include "runs/same_data.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sotto::runs {
namespace {

bool same_content(const RunRecord& left, const RunRecord& right) {
  return !left.data_identity().empty() && left.data_identity() == right.data_identity();
}

}  // namespace

std::vector<std::vector<std::size_t>> runs_by_data(const std::vector<RunRecord>& runs) {
  std::vector<std::size_t> group(runs.size());  // one of its members
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool same = runs[i].dataset() == runs[j].dataset() || same_content(runs[i], runs[j]);
      const auto from = group[i];
      const auto into = group[j];
      if (same) std::replace(group.begin(), group.end(), from, into);
    }
  }
  std::map<std::string, std::vector<std::size_t>> by_name;  // of that member; no other group has it
  for (std::size_t i = 0; i < runs.size(); ++i) by_name[runs[group[i]].dataset()].push_back(i);
  std::vector<std::vector<std::size_t>> groups;
  groups.reserve(by_name.size());
  for (auto& [name, places] : by_name) groups.push_back(std::move(places));
  return groups;
}

std::string data_names(const std::vector<const RunRecord*>& runs) {
  std::vector<std::string> names;
  for (const auto* run : runs) {
    if (std::find(names.begin(), names.end(), run->dataset()) == names.end()) {
      names.push_back(run->dataset());
    }
  }
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string same_data_by(const std::vector<const RunRecord*>& runs) {
  const auto all = [&](auto same) {
    return std::all_of(runs.begin(), runs.end(), [&](const auto* run) { return same(*run); });
  };
  const auto& first = *runs.front();
  if (all([&](const auto& run) { return same_content(first, run); })) return "content";
  if (!all([&](const auto& run) { return run.dataset() == first.dataset(); })) {
    return "name or content";
  }
  const bool known = all([](const auto& run) { return !run.data_identity().empty(); });
  return known ? "name, though the content differs" : "name";
}

}  // namespace sotto::runs
