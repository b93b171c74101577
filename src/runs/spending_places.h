// Where something may have been charged.
#pragma once

#include <filesystem>
#include <vector>

namespace sotto::runs {

struct SpendingPlaces {
  std::vector<std::filesystem::path> runs;  // their folders
  // Ledgers of queries, what may be one, and files that cannot be reached: reading them says why.
  // The ledgers of these runs are not among them.
  std::vector<std::filesystem::path> ledgers;
};

// In a folder and all below it, those of runs included. Links are followed, and every place is
// found once. Throws FileError, naming it, if a folder cannot be searched: something may be there.
SpendingPlaces spending_places_in(const std::filesystem::path& folder);

}  // namespace sotto::runs
