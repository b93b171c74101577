// Which runs were trained on the same data, as far as their settings tell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runs/run_record.h"

namespace sotto::runs {

// How the data of one run, or of a ledger of queries, can be known.
struct KnownData {
  std::string name;  // as the settings have it; empty if they do not say
  // data::DataIdentity, of all that they were; none if nothing was recorded.
  std::vector<std::string> identities = {};
  std::vector<std::filesystem::path> places = {};  // where the name may lead

  bool is_known() const { return !name.empty() || !identities.empty(); }
};

// Two are the same if their names are, or may lead to the same files, or if they have an identity
// in common. Where a folder cannot be read, nobody can tell, and they are.
bool is_same(const KnownData& one, const KnownData& other);

// Places in the list, by data set, sorted by name. Two are together if they are the same, or if
// others between them are. What is not known is alone.
std::vector<std::vector<std::size_t>> places_by_data(const std::vector<KnownData>& all);

// Every name once, in order.
std::string data_names(const std::vector<KnownData>& same);

// How they are known to be the same: "content", "name", "name, though the content differs" or "name
// or content". REQUIRES: at least one.
std::string same_data_by(const std::vector<KnownData>& same);

// Of a run. A run that does not say what its data are has the name "unknown data", as others have.
KnownData data_of(const RunRecord& run);

}  // namespace sotto::runs
