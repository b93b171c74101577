// What a run notes down of the data that it is trained on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sotto::runs {

// The text of data::DataIdentity, by which runs on the same records are told. Empty for made-up
// data, for data that are not there (who loads them says it better), and where no key can be kept:
// then the name must do. Throws InvalidArgument if a key is damaged or others may read it.
std::string recorded_identity(const std::string& dataset);

// Throws InvalidArgument, naming the data, if their content is no longer what `recorded` says. A
// run must go on with the records that it began with: in a file that was saved anew, records that
// were trained on may be among those held out. Nothing happens if nothing was recorded.
void require_same_content(const std::string& dataset, const std::string& recorded);

// For runs that hold out records: throws InvalidSetting, with the remedy, if nothing was recorded
// of data that could change.
void require_identity(const std::string& dataset, const std::string& recorded);

// Where data are, seen from here. Links are resolved as far as they are there; empty for made-up
// data.
std::filesystem::path place_of(const std::string& dataset);

// Where a run's data may be: a relative name is looked for in all folders above the run's, by its
// name and by where it really is, since nothing tells where the run was started, and here. None for
// made-up data, and for a name that is none.
std::vector<std::filesystem::path> places_of_data(const std::string& dataset,
                                                  const std::filesystem::path& run_folder);

// True if both are the same files, or one is a folder that holds the other's; an empty place is
// not. Throws FileError if a folder cannot be read.
bool is_same_place(const std::filesystem::path& one, const std::filesystem::path& other);

// True if both names lead to the same files, or one to a folder that holds the other's. Contents
// are not compared: whether private data equal some other file depends on single records.
bool is_same_data(const std::string& one, const std::string& other);

// Throws InvalidSetting if a file of public test rows is the private table, or lies in its folder.
void require_public_test_rows(const std::filesystem::path& csv_test, const std::string& dataset);

}  // namespace sotto::runs
