#include <string_view>

#include "core/percentage.h"
#include "report/board_pages.h"
#include "report/run_text.h"

namespace sotto::report {
namespace {

// Text as text: nothing in it becomes markup, or steers a terminal.
std::string in_markdown(std::string_view text) {
  std::string result;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20U || byte == 0x7FU) {
      result += character == '\n' ? " " : "\uFFFD";
      continue;
    }
    if (std::string_view("\\`*_[]<>#|").find(character) != std::string_view::npos) result += '\\';
    result += character;
  }
  return result;
}

std::string in_bullets(const std::vector<std::string>& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += "- " + in_markdown(sentence) + "\n";
  return text;
}

std::string fact_rows(const BoardStatement& statement) {
  std::string text = "| | |\n|---|---|\n";
  const auto add = [&](const char* label, const std::string& value) {
    text += std::string("| ") + label + " | " + in_markdown(value) + " |\n";
  };
  add("ε, at most", epsilon_text(statement));
  add("δ", delta_text(statement));
  add("Protected", protected_text(statement));
  add("Data", statement.dataset);
  if (statement.records) add("Records", grouped(*statement.records) + " (a public number)");
  add("Model", statement.model + ", " + statement.method);
  add("Trained", statement.day.empty() ? "date not stated" : statement.day);
  add("Run", statement.run);
  return text + "\n";
}

std::string claim_text(const BoardClaim& claim) {
  std::string text = "## What is promised\n\n" + in_markdown(claim.promise) + "\n\n" +
                     in_markdown(claim.beliefs_explained) +
                     "\n\n| belief before | belief after, at most |\n|---:|---:|\n";
  for (const auto& [before, after] : claim.beliefs) {
    text += "| " + percentage(before, 0) + " | " + percentage(after, 1, Rounding::kUp) + " |\n";
  }
  return text + "\n" + in_markdown(claim.customary) + "\n\n## Who is protected\n\n" +
         in_markdown(claim.protects) + "\n\n";
}

std::string roles_text(const BoardStatement& statement) {
  std::string text = "## What was trusted: who may see what\n\n| who | may see |\n|---|---|\n";
  for (const auto& [who, sees] : statement.roles) {
    text += "| " + in_markdown(who) + " | " + in_markdown(sees) + " |\n";
  }
  return text + "\n";
}

std::string verification_text(const BoardStatement& statement) {
  std::string text = "## How to verify\n\n";
  for (const auto& sentence : statement.verification) text += in_markdown(sentence) + "\n\n";
  if (!statement.ledger_hash.empty()) {
    text += "Hash of the ledger at the end of training: `" + in_markdown(statement.ledger_hash) +
            "`\n\n";
  }
  for (const auto& [command, does] : board_commands(statement)) {
    text += std::string("- `") + command + "` " + does + ".\n";
  }
  return text;
}

}  // namespace

std::string board_markdown(const BoardStatement& statement) {
  std::string text = "# Privacy statement\n\n";
  for (const auto& alarm : statement.alarms) text += "> **" + in_markdown(alarm) + "**\n>\n";
  if (!statement.alarms.empty()) text += "\n";
  text += in_markdown(headline(statement)) + "\n\n" + fact_rows(statement);
  if (statement.claim) text += claim_text(*statement.claim);
  text += roles_text(statement);
  if (!statement.limits.empty()) text += "## Limits\n\n" + in_bullets(statement.limits) + "\n";
  if (statement.claim) {
    text += "## How it was done\n\n" + in_markdown(statement.claim->method) + "\n\n" +
            in_markdown(statement.claim->accounting) + "\n\n";
  }
  return text + verification_text(statement);
}

}  // namespace sotto::report
