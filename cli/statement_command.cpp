#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/run_flags.h"
#include "cli/text_layout.h"
#include "core/atomic_file.h"
#include "report/board_pages.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExamples = R"(
One page about a RUN (a folder of sotto train or sotto gan train) for people who decide whether it
may be published: ε and δ, who is protected, what was trusted, what somebody may come to believe, the
limits, and how to verify it. The ledger is verified first. Of a run that is not private, whose
files contradict each other, or whose ledger is missing, the page says so before all else and claims
nothing, and the exit status is 1.

Formats: md (default), html (prints on one sheet of A4), yaml (a draft for OpenDP's Deployments
Registry). Without --output the page is printed.

Examples:
  sotto statement runs/demo
  sotto statement runs/demo -o statement.html
  sotto statement runs/demo --format yaml
  sotto statement runs/demo --json
)";

using Render = std::string (*)(const report::BoardStatement&);

struct StatementRequest {
  std::string folder;
  Render render = report::board_markdown;
  std::optional<fs::path> output;
  bool json = false;
};

struct StatementFlags {
  FlagText folder, format, output;
  bool json = false;
};

Render format_of(const StatementFlags& flags) {
  if (flags.format) {
    return word_flag<Render>("--format", *flags.format,
                             {{"md", report::board_markdown},
                              {"html", report::board_html},
                              {"yaml", report::board_yaml}});
  }
  if (!flags.output) return report::board_markdown;
  const auto ending = fs::path(*flags.output).extension();
  if (ending == ".md") return report::board_markdown;
  if (ending == ".html") return report::board_html;
  if (ending == ".yaml" || ending == ".yml") return report::board_yaml;
  throw UsageError("--output '" + *flags.output +
                   "': expected a file ending in .md, .html, .yaml or .yml; or give --format");
}

std::optional<StatementRequest> parse_statement(const Arguments& arguments) {
  FlagSet app("What a run promises, on one page for a board.", "sotto statement");
  StatementFlags flags;
  app.add_option("RUN", flags.folder, "folder of a finished run").names_run();
  app.add_option("--format md|html|yaml", flags.format,
                 "format of the page (default: by the ending of --output, or md)");
  app.add_option("-o,--output FILE", flags.output, "file to write; printed if not given").writes();
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
  if (!app.parse(arguments)) return std::nullopt;
  if (!flags.folder) throw UsageError("RUN is missing: the folder of a finished run");
  if (!fs::is_directory(*flags.folder)) {
    throw UsageError("RUN '" + *flags.folder + "': expected the folder of a finished run");
  }
  StatementRequest request{*flags.folder, format_of(flags), flags.output, flags.json};
  if (flags.json && flags.format && !flags.output) {
    throw UsageError("--format '" + *flags.format +
                     "': with --json the page goes to a file; give --output");
  }
  return request;
}

std::string json_text(const report::BoardStatement& statement, const StatementRequest& request) {
  auto json = report::board_json(statement);
  if (request.output) json["statement"] = request.output->string();
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string summary(const report::BoardStatement& statement, const fs::path& page) {
  std::string text;
  for (const auto& alarm : statement.alarms) text += labelled_paragraph("Warning", alarm);
  return text + labelled_paragraph("Statement", headline(statement)) +
         labelled_paragraph("Page", page.string());
}

}  // namespace

int statement_command(const Arguments& arguments) {
  const auto request = parse_statement(arguments);
  if (!request) return 0;
  const auto statement = report::board_statement(runs::RunRecord::read(request->folder));
  if (request->output) write_file_atomically(*request->output, request->render(statement));
  if (request->json) {
    std::cout << json_text(statement, *request);
  } else if (request->output) {
    std::cout << printable(summary(statement, *request->output));
  } else {
    std::cout << request->render(statement);
  }
  return statement.claim ? 0 : 1;
}

}  // namespace sotto::cli
