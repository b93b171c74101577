// YAML for a few nested fields. No library: writing needs no parser, and quoting is all there is to
// it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sotto::report {

// Block style, two blanks a level, in the order of the members. Texts are always in double quotes,
// so that none is taken for a number, a date or a comment; numbers have a point where they have an
// exponent, without which readers of YAML 1.1 take them for texts. Ends in a newline. REQUIRES: an
// object of objects, lists of texts, texts, finite numbers.
std::string yaml_text(const nlohmann::ordered_json& object);

}  // namespace sotto::report
