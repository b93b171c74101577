// What is wrong with a schema, and with a table under it, for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "data/schema_check.h"

namespace sotto::data {

nlohmann::ordered_json problems_json(const SchemaCheck& check);

// About single rows: private.
nlohmann::ordered_json table_check_json(const TableCheck& check, const std::string& file);

// What has to be said beside anything about rows.
constexpr const char* kRowsArePrivate =
    "What is said here about rows of the table is private: do not publish it.";

}  // namespace sotto::data
