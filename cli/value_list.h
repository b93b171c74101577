// Several values behind one flag, separated by commas.
#pragma once

#include <string>
#include <vector>

namespace sotto::cli {

// "a,b,\"c, d\"" is a, b and "c, d" (one line of CSV), blanks around them dropped. Throws
// UsageError, naming the flag, if there is none, or one is empty.
std::vector<std::string> list_flag(const std::string& flag, const std::string& text);

// The same, or @FILE: one value a line, empty lines passed over.
std::vector<std::string> list_or_file_flag(const std::string& flag, const std::string& text);

// Names of the classes of an image folder: what list_or_file_flag() takes, if they can be that.
std::vector<std::string> class_names_flag(const std::string& flag, const std::string& text);

// Likewise, finite numbers.
std::vector<double> number_list_flag(const std::string& flag, const std::string& text);

}  // namespace sotto::cli
