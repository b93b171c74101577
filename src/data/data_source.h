// Where data come from, as a user writes it.
#pragma once

#include <filesystem>
#include <string>

namespace sotto::data {

enum class DataKind { kFashionMnist, kMnist, kCifar10, kDigits, kCsv, kIdx, kImages };

struct DataSource {
  DataKind kind = DataKind::kDigits;
  std::filesystem::path path;  // of csv, idx and images; empty for the others

  // fashion-mnist | mnist | cifar10 | digits | csv:PATH | idx:DIR | images:DIR. Throws
  // InvalidArgument, listing these, for anything else. Whether the path exists is not looked at.
  static DataSource parse(const std::string& spec);

  // What parse() accepts.
  std::string spec() const;

  // The folder (or the CSV file) it is read from; empty for digits.
  std::filesystem::path location() const;
};

// Where downloaded data live: $SOTTO_DATA, else $XDG_DATA_HOME/sotto, else ~/.local/share/sotto.
// Throws InvalidArgument if none of the variables is set, HOME included.
std::filesystem::path data_home();

}  // namespace sotto::data
