// Answers in a ledger: a note behind the charge that paid for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sotto/mechanisms/table_query.h"

namespace sotto::queries {

struct AnswerNote {
  std::int64_t query;  // the ledger's first is 1
  std::vector<mechanisms::Answer> answers;
};

std::string answer_note(std::int64_t query, const std::vector<mechanisms::Answer>& answers);

// What answer_note() made; nothing for a note of any other kind. Throws InvalidArgument, naming
// `path`, for one that is begun like an answer, and is none.
std::optional<AnswerNote> read_answer_note(const std::string& note, const std::string& path);

}  // namespace sotto::queries
