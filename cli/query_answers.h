// Answers to a query for a reader.
#pragma once

#include <string>

#include "queries/shown_answers.h"

namespace sotto::cli {

// Lines that end in a newline.
std::string answers_text(const queries::ShownAnswers& shown);

}  // namespace sotto::cli
