#include <cmath>
#include <iostream>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/text_layout.h"
#include "sotto/accounting/meaning.h"
#include "sotto/accounting/statement.h"
#include "sotto/report/meaning_json.h"

namespace sotto::cli {

namespace {

using accounting::EpsilonDelta;
using report::kFalsePositiveRates;
using report::kPriors;

constexpr const char* kExamples = R"(
Examples:
  sotto explain --epsilon 1
  sotto explain --epsilon 2 --delta 1e-5 --json
)";

std::string percent(double fraction, int decimals = 1) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %%", decimals, 100 * fraction);
  return text;
}

std::string human_text(const EpsilonDelta& guarantee) {
  const double epsilon = guarantee.epsilon;
  const std::string odds = accounting::rounded_up(std::exp(epsilon), 3);
  const std::string exception =
      guarantee.delta > 0
          ? " Events of probability δ = " + accounting::rounded_up(guarantee.delta) +
                " in all are excepted: there anything may be revealed."
          : "";
  std::string text = "What ε = " + accounting::rounded_up(epsilon) + " promises\n\n";
  text += labelled_paragraph(
      "Odds",
      "Nothing that is published changes anyone's odds about one person's record by more "
      "than a factor of e^ε = " +
          odds + ", up or down." + exception);
  text += labelled_paragraph(
      "Belief",
      "Someone who believes a thing about that record with some probability believes it "
      "afterwards with a probability in this range:");
  text += "\n              before     after, at least    at most\n";
  for (const double prior : kPriors) {
    const auto belief = accounting::belief_after_release(epsilon, prior);
    text += "            " + std::string(8 - display_width(percent(prior, 0)), ' ') +
            percent(prior, 0) + "           " +
            std::string(9 - display_width(percent(belief.lowest)), ' ') + percent(belief.lowest) +
            "  " + std::string(9 - display_width(percent(belief.highest)), ' ') +
            percent(belief.highest) + '\n';
  }
  text += '\n';
  text += labelled_paragraph(
      "Attack",
      "The best membership test that anyone can build catches at most this share of the "
      "members, for the share of outsiders it wrongly accuses:");
  text += "\n             accused     caught, at most\n";
  for (const double rate : kFalsePositiveRates) {
    const double caught = accounting::best_true_positive_rate(guarantee, rate);
    text += "            " + std::string(8 - display_width(percent(rate, 2)), ' ') +
            percent(rate, 2) + "           " +
            std::string(9 - display_width(percent(caught, 2)), ' ') + percent(caught, 2) + '\n';
  }
  text += '\n';
  text += labelled_paragraph("Advantage",
                             "The difference between the two is at most " +
                                 percent(accounting::best_membership_advantage(guarantee)) +
                                 ", where 0 % is guessing and 100 % is certainty.");
  return text;
}

}  // namespace

int explain_command(const Arguments& arguments) {
  CLI::App app("What an (ε, δ) guarantee means for one person.", "sotto explain");
  FlagText epsilon;
  FlagText delta;
  bool json = false;
  app.add_option("--epsilon", epsilon, "ε, 0 or above");
  app.add_option("-d,--delta", delta, "δ (default 0)");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kExamples);
  if (!parse_arguments(app, arguments)) return 0;
  if (!epsilon) throw UsageError("--epsilon is missing");
  EpsilonDelta guarantee{nonnegative_flag("--epsilon", *epsilon), 0};
  if (delta) {
    guarantee.delta =
        number_flag("--delta", *delta, {0, true, 1, false, "a number, 0 or above and below 1"});
  }
  std::cout << (json ? report::meaning_json(guarantee).dump(2) + '\n' : human_text(guarantee));
  return 0;
}

}  // namespace sotto::cli
