#include "runs/same_data.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "runs/recorded_identity.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

bool same_content(const KnownData& one, const KnownData& other) {
  return std::find_first_of(one.identities.begin(), one.identities.end(), other.identities.begin(),
                            other.identities.end()) != one.identities.end();
}

// Names are given by whoever starts a run: one file may have several, there or not.
bool same_name(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  if (one == other) return true;
  try {
    return is_same_data(one, other);
  } catch (const InvalidArgument&) {  // a name that is none
    return false;
  }
}

}  // namespace

bool is_same(const KnownData& one, const KnownData& other) {
  return same_name(one.name, other.name) || same_content(one, other);
}

std::vector<std::vector<std::size_t>> places_by_data(const std::vector<KnownData>& all) {
  std::vector<std::size_t> group(all.size());  // one of its members
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto from = group[i];
      const auto into = group[j];
      if (is_same(all[i], all[j])) std::replace(group.begin(), group.end(), from, into);
    }
  }
  std::map<std::pair<std::string, std::size_t>, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < all.size(); ++i) {
    by_name[{all[group[i]].name, group[i]}].push_back(i);
  }
  std::vector<std::vector<std::size_t>> groups;
  groups.reserve(by_name.size());
  for (auto& [name, places] : by_name) groups.push_back(std::move(places));
  return groups;
}

std::string data_names(const std::vector<KnownData>& same) {
  std::vector<std::string> names;
  for (const auto& [name, identities] : same) {
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (!name.empty() && is_new) names.push_back(name);
  }
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string same_data_by(const std::vector<KnownData>& same) {
  const auto all = [&](auto is_so) { return std::all_of(same.begin(), same.end(), is_so); };
  const auto& first = same.front();
  if (all([&](const auto& data) { return same_content(first, data); })) return "content";
  if (!all([&](const auto& data) { return same_name(data.name, first.name); })) {
    return "name or content";
  }
  const bool known = all([](const auto& data) { return !data.identities.empty(); });
  return known ? "name, though the content differs" : "name";
}

KnownData data_of(const RunRecord& run) {
  KnownData data{run.dataset()};
  if (const auto identity = run.data_identity(); !identity.empty()) {
    data.identities.push_back(identity);
  }
  return data;
}

}  // namespace sotto::runs
