// A board's statement in the forms in which it is handed on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/board_statement.h"

namespace sotto::report {

// Markdown. Names that come from files are escaped.
std::string board_markdown(const BoardStatement& statement);

// A page that prints on one sheet of A4.
std::string board_html(const BoardStatement& statement);

// A draft for OpenDP's registry of deployments (github.com/opendp/deployments-registry-data, schema
// of July 2026). What only the publisher knows is left to be filled in, and says so.
std::string board_yaml(const BoardStatement& statement);

// Every field, for programs.
nlohmann::ordered_json board_json(const BoardStatement& statement);

}  // namespace sotto::report
