#include "core/percentage.h"
#include "report/board_pages.h"
#include "report/html_page.h"
#include "report/run_text.h"

namespace sotto::report {
namespace {

// A4 with everything on one sheet; the screen shows the same page.
constexpr const char* kBoardStyle = R"(
main{max-width:52rem}
header,section{padding:.75rem 1rem;margin:0 0 .6rem}
h2{font-size:1.05rem;margin:0 0 .35rem}
p,li{margin:.25rem 0}
ul{margin:0;padding-left:1.2rem}
.tiles{grid-template-columns:repeat(auto-fit,minmax(13rem,1fr))}
.tiles dd{font-size:1.1rem}
table.words th[scope=row]{white-space:normal;width:30%}
.commands{font-size:.9rem}
@page{size:A4;margin:11mm 13mm}
@media print{body{font-size:8.2pt;line-height:1.3}h1{font-size:14pt;margin:0 0 3pt}
h2{font-size:9.5pt;margin:0 0 2pt;break-after:avoid}header,section{padding:0;margin:0 0 6pt}
.lead{font-size:9.5pt}.tiles{gap:3pt;margin:4pt 0 0;grid-template-columns:repeat(6,auto)}
.tiles div{padding:2pt 4pt}.tiles dd{font-size:9pt}.tiles dt,.quiet,caption,footer,.commands,table{font-size:7.8pt}
p,li{margin:1.5pt 0}th,td{padding:1.5pt 5pt}.scroll{margin:2pt 0}footer{padding:0}
.alarm,.notice{padding:4pt 6pt;margin:0 0 5pt}.alarm strong{font-size:10pt}}
)";

Html board_tile(const char* label, const std::string& value) {
  return element("div", element("dt", label) + element("dd", value));
}

Html board_tiles(const BoardStatement& statement) {
  Html content =
      board_tile("ε, at most", epsilon_text(statement)) + board_tile("δ", delta_text(statement)) +
      board_tile("Protected", protected_text(statement)) + board_tile("Data", statement.dataset);
  if (statement.records) content += board_tile("Records (public)", grouped(*statement.records));
  content += board_tile("Trained", statement.day.empty() ? "not stated" : statement.day);
  return element("dl", content, {{"class", "tiles"}});
}

// δ that is too large is a warning beside a claim; everything else takes the claim away.
Html board_alarms(const BoardStatement& statement) {
  if (statement.alarms.empty()) return {};
  Html content;
  if (statement.standing != Standing::kHolds) {
    const bool seen_through = statement.standing == Standing::kNotPrivate;
    content += element("p", element("strong", seen_through ? "NOT PRIVATE" : "NOT VERIFIED"));
  }
  for (const auto& alarm : statement.alarms) content += element("p", alarm);
  return notice(Urgency::kAlarm, content);
}

Html board_header(const BoardStatement& statement) {
  return element("header", board_alarms(statement) + element("h1", "Privacy statement") +
                               element("p", headline(statement), {{"class", "lead"}}) +
                               board_tiles(statement)) +
         Html::markup("\n");
}

Html belief_rows(const BoardClaim& claim) {
  Table table{.caption = "What one person risks",
              .head = {"belief before", "belief after, at most"}};
  for (const auto& [before, after] : claim.beliefs) {
    table.rows.push_back({{percentage(before, 0)}, {percentage(after, 1, Rounding::kUp)}});
  }
  return report::table(table);
}

Html board_roles(const BoardStatement& statement) {
  Table table{.caption = "What was trusted", .head = {"who", "may see"}, .css_class = "words"};
  for (const auto& [who, sees] : statement.roles) table.rows.push_back({{who}, {sees}});
  return section("Who may see what", report::table(table));
}

Html board_limits(const BoardStatement& statement) {
  if (statement.limits.empty()) return {};
  Html items;
  for (const auto& limit : statement.limits) items += element("li", limit);
  return section("Limits", element("ul", items));
}

Html board_verification(const BoardStatement& statement) {
  Html content;
  for (const auto& sentence : statement.verification) content += element("p", sentence);
  if (!statement.ledger_hash.empty()) {
    content += element("p", Html("Hash of the ledger at the end of training: ") +
                                element("code", statement.ledger_hash));
  }
  Html commands;
  for (const auto& [command, does] : board_commands(statement)) {
    commands += element("li", element("code", command) + " " + does + ".");
  }
  return section("How to verify", content + element("ul", commands, {{"class", "commands"}}));
}

}  // namespace

std::string board_html(const BoardStatement& statement) {
  Html body = board_header(statement);
  if (const auto& claim = statement.claim) {
    body += section("What is promised", element("p", claim->promise) +
                                            element("p", claim->beliefs_explained) +
                                            belief_rows(*claim) + element("p", claim->customary)) +
            section("Who is protected", element("p", claim->protects));
  }
  body += board_roles(statement) + board_limits(statement);
  if (const auto& claim = statement.claim) {
    body +=
        section("How it was done", element("p", claim->method) + element("p", claim->accounting));
  }
  body += board_verification(statement) +
          element("footer", Html("Made by ") + element("code", "sotto statement") + " from " +
                                (statement.one_of_several ? Html("one of several runs")
                                                          : "the run " + Html(statement.run)) +
                                ".");
  return html_page("Privacy statement: " + statement.dataset + ", " + statement.model, body,
                   kBoardStyle);
}

}  // namespace sotto::report
