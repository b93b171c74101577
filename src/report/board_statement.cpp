#include "report/board_statement.h"

#include <algorithm>
#include <cmath>

#include "accounting/customary.h"
#include "core/percentage.h"
#include "core/sentence.h"
#include "data/data_source.h"
#include "report/meaning_json.h"
#include "report/run_text.h"
#include "runs/combined_cost.h"
#include "runs/json_file.h"
#include "runs/run_tradeoff.h"
#include "sotto/accounting/statement.h"
#include "sotto/accounting/tradeoff_curve.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

using accounting::Adjacency;
using accounting::rounded_up;

// A name is enough: where the holder keeps the file is nobody's business.
std::string data_name(const std::string& spec) {
  try {
    const auto source = data::DataSource::parse(spec);
    if (source.path.empty()) return spec;
    const auto path = source.path.lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
  } catch (const InvalidArgument&) {
    return spec;
  }
}

std::string subject_of(const runs::RunRecord& run) {
  return run.is_generator() ? "generator" : "model";
}

void add_sentence(std::vector<std::string>& sentences, const std::string& text) {
  if (!text.empty()) sentences.push_back(as_sentence(text));
}

// --- Whether anything may be claimed ---

Standing standing_of(const runs::RunRecord& run) {
  if (!run.is_private()) return Standing::kNotPrivate;
  if (!run.is_proved() || !run.altered().empty()) return Standing::kNotVerified;
  return std::isfinite(run.epsilon()) ? Standing::kHolds : Standing::kNotPrivate;
}

std::vector<std::string> alarms_of(const runs::RunRecord& run, Standing standing) {
  if (standing == Standing::kNotVerified) {
    auto alarms = run.contradictions();
    alarms.insert(alarms.end(), run.altered().begin(), run.altered().end());
    return alarms;
  }
  if (run.is_private()) return {"No finite ε holds for this run."};
  return {as_sentence(run.privacy().at("statement").at("promise").get<std::string>())};
}

// --- What is claimed ---

std::string believed(const accounting::Neighbours& neighbours) {
  const bool one = neighbours.group_size() == 1;
  const std::string whose = one ? "that a certain record " : "that a certain person's records ";
  std::string among = whose + (one ? "is" : "are") + " among the data";
  switch (neighbours.adjacency()) {
    case Adjacency::kAddRemove:
      return among;
    case Adjacency::kReplaceOne:
      return whose + (one ? "says" : "say") + " one thing, and not another";
    case Adjacency::kZeroOut:
      break;
  }
  return among + (one ? ", and not a blank in its place" : ", and not blanks in their place");
}

std::string beliefs_explained(const accounting::Neighbours& neighbours, bool own_curve) {
  return "Suppose somebody believes " + believed(neighbours) +
         ", applies the best possible test to everything that was published, and the test says "
         "yes. "
         "Afterwards they may believe it with the probability given, and no more. (A verdict "
         "that fewer than " +
         percentage(kVerdictRate, 0) + " would get by mistake may say more.) " +
         (own_curve ? "Computed from the run's whole privacy-loss distribution."
                    : "Computed from ε and δ alone.");
}

std::string unit_of(const accounting::Neighbours& neighbours) {
  return neighbours.group_size() == 1
             ? "One record: a row of a table, a picture. Somebody with several records is "
               "protected "
               "record by record, and less as a whole."
             : "One person with up to " + std::to_string(neighbours.group_size()) +
                   " records: all of them together.";
}

std::string comparison_of(const accounting::Neighbours& neighbours) {
  const bool one = neighbours.group_size() == 1;
  const std::string which = one ? "that record" : "those records";
  switch (neighbours.adjacency()) {
    case Adjacency::kAddRemove:
      return "The promise compares the data with the same data without " + which + " (add-remove).";
    case Adjacency::kReplaceOne:
      return "The promise compares the data with the same data in which " + which +
             (one ? " has" : " have") + " any other content (replace-one).";
    case Adjacency::kZeroOut:
      break;
  }
  return "The promise compares the data with the same data in which " + which +
         (one ? " is a blank" : " are blanks") + " that contribute" + (one ? "s" : "") +
         " nothing (zero-out).";
}

std::string released_by(const runs::RunRecord& run) {
  std::string text =
      run.is_generator() ? "the generator and any number of its samples" : "the trained model";
  if (run.held_out_epsilon()) text += ", with its accuracy on held-out records";
  if (!run.queries().empty()) text += ", and the answers to queries from its ledger";
  return text;
}

std::string accounting_of(const runs::RunRecord& run, bool with_queries) {
  std::string text = grouped(run.steps()) + (run.steps() == 1 ? " step" : " steps") +
                     " of training, " + (run.steps() == 1 ? "" : "each ") +
                     "charged in the ledger before it was made, composed by the privacy-loss "
                     "distribution (" +
                     runs::text_in(run.privacy(), "accountant") + ")";
  const auto lower = runs::number_in(run.privacy(), "epsilon_lower");
  if (lower && !with_queries) {
    text += "; for whoever sees every noised sum, the exact ε lies between " +
            accounting::rounded_down(*lower, 6) + " and " + rounded_up(run.epsilon(), 6);
  }
  return text + ".";
}

BoardClaim claim_of(const runs::RunRecord& run, const std::optional<runs::CostWithQueries>& asked) {
  const auto neighbours = run.plan()->neighbours();
  accounting::PrivacyCost cost;
  cost.epsilon = asked ? asked->cost.epsilon : run.epsilon();
  cost.delta = asked ? asked->cost.delta : *run.delta();
  const auto priced = run.plan()->run_of(std::max<std::int64_t>(1, run.steps()));
  BoardClaim claim{.guarantee = {cost.epsilon, cost.delta}, .neighbours = neighbours};
  claim.promise =
      accounting::privacy_statement(priced, neighbours, cost, {released_by(run)}).promise;
  claim.protects = unit_of(neighbours) + " " + comparison_of(neighbours);
  claim.customary = accounting::customary_range(cost.epsilon);
  const auto curve = asked ? accounting::tradeoff_of_pair(claim.guarantee) : runs::tradeoff_of(run);
  for (const double prior : accounting::kFewPriors) {
    const auto belief = accounting::belief_after_verdict(curve, prior, kVerdictRate);
    claim.beliefs.push_back({prior, belief.highest});
  }
  claim.beliefs_explained = beliefs_explained(neighbours, !curve.is_of_one_pair());
  const auto& recorded = run.privacy().at("statement");
  claim.method = runs::text_in(recorded, "sampling") + " " + runs::text_in(recorded, "noise") +
                 " " + runs::text_in(run.privacy(), "arithmetic");
  claim.accounting = accounting_of(run, asked.has_value());
  return claim;
}

// --- Who may see what ---

std::vector<BoardRole> roles_of(const runs::RunRecord& run, Standing standing) {
  std::vector<BoardRole> roles = {
      {"Trusted: whoever holds the records, and the machine that trained on them",
       "Everything; nothing is promised against them. The records, checkpoint.pt, every file with "
       "\"private\" in its name, keys and logs must stay with them."}};
  const std::string product =
      run.is_generator() ? "the generator, any number of its samples" : "the model";
  if (standing != Standing::kHolds) {
    roles.push_back({"Everybody else", "Nothing: no promise covers " + product +
                                           ", so whoever is not trusted with the records must not "
                                           "have it."});
    return roles;
  }
  roles.push_back(
      {"Not trusted: everybody else",
       as_sentence(
           product + ", this page, privacy.md and privacy.json" +
           (run.is_one_of_several() ? "" : ", and the ledger") +
           ". The promise holds against them even if they know every other record and "
           "every setting, have seen the noised sum of every step, and have unlimited time")});
  return roles;
}

// --- What the promise leaves out ---

std::string held_out_limit(const runs::RunRecord& run) {
  const auto epsilon = run.held_out_epsilon();
  if (!epsilon) return "";
  return "Accuracy is measured on records held out of training, and released once with noise of "
         "ε = " +
         rounded_up(*epsilon) +
         "; a record is trained on or held out, so the ε above is the larger of the two.";
}

void add_warnings(const runs::RunRecord& run, const std::optional<std::string>& said,
                  std::vector<std::string>& limits) {
  const auto found = run.privacy().find("warnings");
  if (found == run.privacy().end() || !found->is_array()) return;
  for (const auto& warning : *found) {
    if (warning != said.value_or("")) add_sentence(limits, runs::shown(warning));
  }
}

std::vector<std::string> limits_of(const runs::RunRecord& run,
                                   const std::optional<runs::CostWithQueries>& asked,
                                   const std::optional<std::string>& said) {
  std::vector<std::string> limits;
  add_sentence(limits, run.limits());
  if (asked) add_sentence(limits, asked->sentence);
  add_warnings(run, said, limits);
  add_sentence(limits, held_out_limit(run));
  add_sentence(limits, runs::text_in(run.privacy(), "shown_during_training"));
  limits.emplace_back(
      "Every other model, table or answer made from the same records adds to "
      "what one person risks: count them together.");
  limits.emplace_back(
      "Taken to be public, and not protected: the number of records, the columns and categories, "
      "and "
      "every setting; none may have been chosen by looking at the records.");
  limits.emplace_back(
      "Not promised: anything against whoever can watch the machine, or knows how long it "
      "computed; and silence about what is true of people in general, which a model is made to "
      "learn.");
  return limits;
}

std::vector<std::string> verification_of(const runs::RunRecord& run, Standing standing) {
  std::vector<std::string> sentences;
  if (standing == Standing::kHolds) {
    sentences.push_back(
        "For this page the ledger was verified line by line, " + grouped(*run.ledger_steps()) +
        (*run.ledger_steps() == 1 ? " charged step was" : " charged steps were") +
        " found in it, and ε was computed anew from the plan. Hashes detect accidents; whoever may "
        "write to the folder could forge all of it.");
  }
  return sentences;
}

}  // namespace

std::string to_string(Standing standing) {
  if (standing == Standing::kHolds) return "holds";
  return standing == Standing::kNotPrivate ? "not private" : "not verified";
}

std::vector<BoardCommand> board_commands(const BoardStatement& statement) {
  std::vector<BoardCommand> commands = {
      {"sotto statement RUN", "verifies the folder RUN of the run, and makes this page again"},
      {"sotto report RUN", "shows everything that is known of the run"}};
  if (statement.claim) {
    commands.push_back(
        {"sotto explain RUN", "shows what its ε means for one person, in more detail"});
  }
  return commands;
}

BoardStatement board_statement(const runs::RunRecord& run) {
  BoardStatement statement;
  const auto asked = runs::cost_with_queries(run);
  statement.standing = standing_of(run);
  if (asked && !std::isfinite(asked->cost.epsilon)) {
    statement.standing = std::max(statement.standing, Standing::kNotPrivate);
  }
  statement.subject = subject_of(run);
  statement.run = run.is_one_of_several() ? "one of several runs" : run.name();
  statement.dataset = data_name(run.dataset());
  statement.model = run.model();
  statement.method = run.method();
  statement.day = run.day();
  statement.one_of_several = run.is_one_of_several();
  statement.ended_early = run.was_stopped_early();
  statement.queries = run.queries().size();
  if (const auto plan = run.plan()) statement.records = plan->dataset_size();
  statement.ledger_hash = runs::text_in(run.privacy(), "ledger_hash");
  statement.roles = roles_of(run, statement.standing);
  statement.verification = verification_of(run, statement.standing);
  if (statement.standing != Standing::kHolds) {
    statement.alarms = alarms_of(run, statement.standing);
    return statement;
  }
  statement.claim = claim_of(run, asked);
  const auto warning =
      accounting::delta_warning(statement.claim->guarantee.delta, statement.records);
  if (warning) add_sentence(statement.alarms, *warning);
  statement.limits = limits_of(run, asked, warning);
  return statement;
}

std::string epsilon_text(const BoardStatement& statement) {
  return statement.claim ? rounded_up(statement.claim->guarantee.epsilon) : "none";
}

std::string delta_text(const BoardStatement& statement) {
  return statement.claim ? rounded_up(statement.claim->guarantee.delta) : "none";
}

std::string protected_text(const BoardStatement& statement) {
  if (!statement.claim) return "Nobody";
  const int group = statement.claim->neighbours.group_size();
  return group == 1 ? "One record" : "One person with up to " + std::to_string(group) + " records";
}

std::string headline(const BoardStatement& statement) {
  const bool plain = statement.method == "without privacy";
  const std::string how = plain ? statement.method : "by " + statement.method;
  const std::string what =
      statement.subject == "generator"
          ? "This generator, made " + how + " from " + statement.dataset
          : "This " + statement.model + " model, trained " + how + " on " + statement.dataset;
  switch (statement.standing) {
    case Standing::kNotPrivate:
      return what + ", is NOT PRIVATE: it may reveal any record that it learnt from.";
    case Standing::kNotVerified:
      return what + ", cannot be vouched for: no ε is claimed for it.";
    case Standing::kHolds:
      break;
  }
  return what + ", is differentially private with ε ≤ " + epsilon_text(statement) +
         " at δ = " + delta_text(statement) +
         (statement.ended_early
              ? ", if it was ended early without looking at what it had shown (see Limits)."
              : ".");
}

}  // namespace sotto::report
