#include "runs/same_data.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/atomic_file.h"
#include "runs/recorded_identity.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;

bool same_content(const KnownData& one, const KnownData& other) {
  return std::find_first_of(one.identities.begin(), one.identities.end(), other.identities.begin(),
                            other.identities.end()) != one.identities.end();
}

// Too much in a sum does no harm.
bool may_be_same_place(const fs::path& one, const fs::path& other) {
  try {
    return is_same_place(one, other);
  } catch (const FileError&) {
    return true;
  }
}

// Comparing two places may take a walk through all of their files.
class RememberedPlaces {
 public:
  // Names are given by whoever starts a run: one file may have several, there or not.
  bool have_same_name(const KnownData& one, const KnownData& other) {
    if (!one.name.empty() && one.name == other.name) return true;
    return std::any_of(one.places.begin(), one.places.end(), [&](const fs::path& here) {
      return std::any_of(other.places.begin(), other.places.end(),
                         [&](const fs::path& there) { return are_same(here, there); });
    });
  }
  bool are_same(const KnownData& one, const KnownData& other) {
    return same_content(one, other) || have_same_name(one, other);
  }

 private:
  bool are_same(const fs::path& one, const fs::path& other) {
    const auto pair = std::minmax(one, other);
    const auto [known, is_new] = known_.try_emplace({pair.first, pair.second}, false);
    if (is_new) known->second = may_be_same_place(one, other);
    return known->second;
  }

  std::map<std::pair<fs::path, fs::path>, bool> known_;
};

}  // namespace

bool is_same(const KnownData& one, const KnownData& other) {
  return RememberedPlaces().are_same(one, other);
}

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
  RememberedPlaces places;
  if (!all([&](const auto& data) { return places.have_same_name(data, first); })) {
    return "name or content";
  }
  const bool known = all([](const auto& data) { return !data.identities.empty(); });
  return known ? "name, though the content differs" : "name";
}

KnownData data_of(const RunRecord& run) {
  KnownData data{run.dataset()};
  data.places = places_of_data(data.name, run.folder());
  if (const auto identity = run.data_identity(); !identity.empty()) {
    data.identities.push_back(identity);
  }
  return data;
}

}  // namespace sotto::runs
