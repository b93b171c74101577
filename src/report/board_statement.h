// What a run promises, as an ethics board needs it: everything on one page, in plain words. All of
// it comes from the run's verified record; nothing is computed from private records without noise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runs/run_record.h"
#include "sotto/accounting/guarantee.h"

namespace sotto::report {

enum class Standing {
  kHolds,        // ε holds, and the run's own files bear it out
  kNotPrivate,   // no ε holds: no noise, or noise that can be subtracted
  kNotVerified,  // the files contradict each other, or the ledger is missing: nothing is claimed
};
// "holds", "not private" or "not verified".
std::string to_string(Standing standing);

// What somebody who believed a statement about a record believes at most after the best test.
struct BoardBelief {
  double before;
  double after_at_most;
};

// Of the run, with the answers to queries from its ledger, if there were any.
struct BoardClaim {
  accounting::EpsilonDelta guarantee;
  accounting::Neighbours neighbours;
  std::string promise = {};
  std::string protects = {};   // who, and against what: the adjacency in words
  std::string customary = {};  // where this ε stands among others, with sources
  std::vector<BoardBelief> beliefs = {};
  std::string beliefs_explained = {};
  std::string method = {};  // how: sampling, noise, arithmetic
  std::string accounting = {};
};

// Somebody, and what they may see.
struct BoardRole {
  std::string who;
  std::string sees;
};

struct BoardStatement {
  Standing standing = Standing::kNotVerified;
  std::vector<std::string> alarms;  // to be read before everything else; sentences
  std::optional<BoardClaim> claim;  // of what holds
  bool ended_early = false;         // which must not have been decided by what the run had shown

  std::string subject;  // "model" or "generator"
  std::string run;      // its name; "one of several runs" where that is secret
  std::string dataset;  // without the folders that it is in
  std::string model;
  std::string method;
  std::string day;  // on which training began; "" if not known, or secret
  std::optional<std::int64_t> records;

  std::vector<BoardRole> roles;           // what was trusted
  std::vector<std::string> limits;        // sentences
  std::string ledger_hash;                // "" if there is none
  std::vector<std::string> verification;  // sentences
  std::size_t queries = 0;                // answered from the ledger
  bool one_of_several = false;
};

// Throws as tradeoff_of does.
BoardStatement board_statement(const runs::RunRecord& run);

// The commands by which anyone who has the folder can check the page; what a claim means only where
// there is one.
struct BoardCommand {
  const char* command;
  const char* does;
};
std::vector<BoardCommand> board_commands(const BoardStatement& statement);

// ε and δ for the reader, rounded up; "none" where nothing is claimed.
std::string epsilon_text(const BoardStatement& statement);
std::string delta_text(const BoardStatement& statement);
// "One record", or "One person with up to 5 records"; "Nobody" where nothing is claimed.
std::string protected_text(const BoardStatement& statement);
// The statement in one sentence.
std::string headline(const BoardStatement& statement);

}  // namespace sotto::report
