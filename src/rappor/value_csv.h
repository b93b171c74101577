// What clients have, before it is encoded: CSV with the columns client and value.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace sotto::rappor {

using ValueVisitor = std::function<void(const std::string& client, const std::string& value)>;

// Visits every row; columns are found by the header's names. Throws InvalidArgument with the line
// at fault: a row left out here would be a person left out. What `visit` refuses by InvalidArgument
// is given its line, too.
void read_value_csv(std::istream& in, const std::string& name, const ValueVisitor& visit);

}  // namespace sotto::rappor
