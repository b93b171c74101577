// Values of flags, checked, with errors that name the flag, the value and what is accepted.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/flag_set.h"
#include "cli/setting_flags.h"
#include "settings/values.h"
#include "sotto/accounting/training_run.h"
#include "sotto/core/error.h"

namespace sotto::cli {

// Bad usage: one line for the user, exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using settings::Bounds;

// What `parse` (of settings/values.h) makes of the text. Throws UsageError if it does not accept
// it.
template <typename Parse>
auto flag_value(const std::string& flag, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const settings::NotAccepted& error) {
    throw UsageError(flag + " '" + text + "': " + error.worded(flag_of));
  }
}

// The number behind a flag. Throws UsageError if it is not a finite number within the bounds.
double number_flag(const std::string& flag, const std::string& text, const Bounds& bounds);
// A whole number of at least 1, at most 2^53. "1e6" is accepted, "1.5" is not.
std::int64_t count_flag(const std::string& flag, const std::string& text);
// A positive number or 0, finite.
double nonnegative_flag(const std::string& flag, const std::string& text);
double positive_flag(const std::string& flag, const std::string& text);
// A number strictly between 0 and 1.
double probability_flag(const std::string& flag, const std::string& text);

std::uint64_t seed_flag(const std::string& flag, const std::string& text);
// Values separated by commas, and numbers.
std::vector<std::string> list_flag(const std::string& flag, const std::string& text);
std::vector<double> number_list_flag(const std::string& flag, const std::string& text);

// How batches are drawn, and what neighbouring data sets are, by their names.
accounting::Sampling sampling_flag(const std::string& flag, const std::string& text);
accounting::Adjacency adjacency_flag(const std::string& flag, const std::string& text);

// What `from_name` makes of the text. Throws UsageError if it throws InvalidArgument; `accepted` is
// how to say what it takes.
template <typename FromName>
auto named_flag(const std::string& flag, const std::string& text, FromName from_name,
                const std::string& accepted) {
  try {
    return from_name(text);
  } catch (const InvalidArgument&) {
    throw UsageError(flag + " '" + text + "': expected " + accepted);
  }
}

// A file to read, and a folder. Throws UsageError if it is not there, or is the other.
std::string file_flag(const std::string& flag, const std::string& text);
std::string folder_flag(const std::string& flag, const std::string& text);
// A file that is made if it is not there. Throws UsageError if a folder is, or its own is not, or
// if there is no name.
std::string kept_file_flag(const std::string& flag, const std::string& text);

// What to say of a word that is none of `known`: "ACTION 'lsit': expected list, get or show; did
// you mean 'list'?"
std::string unknown_word(const std::string& flag, const std::string& text,
                         const std::vector<std::string>& known);

}  // namespace sotto::cli
