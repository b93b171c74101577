#include "runs/same_data.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "runs/recorded_identity.h"

namespace sotto::runs {
namespace {

bool same_content(const KnownData& one, const KnownData& other) {
  return std::find_first_of(one.identities.begin(), one.identities.end(), other.identities.begin(),
                            other.identities.end()) != one.identities.end();
}

// Names are given by whoever starts a run: one file may have several, there or not.
bool same_name(const KnownData& one, const KnownData& other) {
  return (!one.name.empty() && one.name == other.name) || is_same_place(one.place, other.place);
}

}  // namespace

bool is_same(const KnownData& one, const KnownData& other) {
  return same_name(one, other) || same_content(one, other);
}

namespace {

// Comparing two places may take a walk through all of their files.
class RememberedPlaces {
 public:
  bool are_same(const KnownData& one, const KnownData& other) {
    if (!one.name.empty() && one.name == other.name) return true;
    if (same_content(one, other)) return true;
    const auto pair = std::minmax(one.place, other.place);
    const auto [known, is_new] = known_.try_emplace({pair.first, pair.second}, false);
    if (is_new) known->second = is_same_place(one.place, other.place);
    return known->second;
  }

 private:
  std::map<std::pair<std::filesystem::path, std::filesystem::path>, bool> known_;
};

}  // namespace

std::vector<std::vector<std::size_t>> places_by_data(const std::vector<KnownData>& all) {
  RememberedPlaces places;
  std::vector<std::size_t> group(all.size());  // one of its members
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto from = group[i];
      const auto into = group[j];
      if (places.are_same(all[i], all[j])) std::replace(group.begin(), group.end(), from, into);
    }
  }
  std::map<std::pair<std::string, std::size_t>, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < all.size(); ++i) {
    by_name[{all[group[i]].name, group[i]}].push_back(i);
  }
  std::vector<std::vector<std::size_t>> groups;
  groups.reserve(by_name.size());
  for (auto& [name, members] : by_name) groups.push_back(std::move(members));
  return groups;
}

std::string data_names(const std::vector<KnownData>& same) {
  std::vector<std::string> names;
  for (const auto& one : same) {
    const bool is_new = std::find(names.begin(), names.end(), one.name) == names.end();
    if (!one.name.empty() && is_new) names.push_back(one.name);
  }
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string same_data_by(const std::vector<KnownData>& same) {
  const auto all = [&](auto is_so) { return std::all_of(same.begin(), same.end(), is_so); };
  const auto& first = same.front();
  if (all([&](const auto& data) { return same_content(first, data); })) return "content";
  if (!all([&](const auto& data) { return same_name(data, first); })) {
    return "name or content";
  }
  const bool known = all([](const auto& data) { return !data.identities.empty(); });
  return known ? "name, though the content differs" : "name";
}

KnownData data_of(const RunRecord& run) {
  KnownData data{run.dataset()};
  data.place = place_of_data(data.name, run.folder());
  if (const auto identity = run.data_identity(); !identity.empty()) {
    data.identities.push_back(identity);
  }
  return data;
}

}  // namespace sotto::runs
