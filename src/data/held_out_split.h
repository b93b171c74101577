// About one record in six is held out, chosen by that record alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sotto::data {

// Where a record goes is a function of its own bytes, by a public hash (SHA-256), and of nothing
// else: no other record changes sides because one is added, removed or moved. Equal records go
// together.

// A row of a table: all of its fields, also those that the schema drops, as the file spells them.
bool row_is_held_out(const std::vector<std::string>& fields);

// A file, by its name below the folder of the data set: "<class>/<file name>".
bool file_is_held_out(std::string_view name);

}  // namespace sotto::data
