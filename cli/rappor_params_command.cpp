#include <cmath>
#include <iostream>

#include "cli/rappor_command.h"
#include "cli/rappor_flags.h"
#include "cli/text_layout.h"
#include "core/atomic_file.h"
#include "core/json_number.h"
#include "rappor/design.h"
#include "rappor/params_file.h"

namespace sotto::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  # what do these parameters promise?
  sotto rappor params -k 128 --hashes 2 -m 16 -f 0.5 -p 0.5 -q 0.75
  # and what will they find among a million reports and 300 candidates?
  sotto rappor params --params params.csv --reports 1e6 --candidates 300
  # parameters for ε₁ = 1 a report and ε∞ = 4 for ever
  sotto rappor params --epsilon-one 1 --epsilon-infinity 4 --output params.csv
)";

struct ParamsFlags {
  RapporFlags params;
  FlagText epsilon_one, epsilon_infinity, reports, candidates, alpha, output;
  bool json = false;
};

void declare(FlagSet& app, ParamsFlags& flags) {
  declare_params(app, flags.params);
  app.add_option("--epsilon-one", flags.epsilon_one,
                 "finds f, p, q for this ε of one report (k, h, m: 128, 2, 16 unless given)");
  app.add_option("--epsilon-infinity", flags.epsilon_infinity,
                 "and for this ε of all reports of a value together");
  app.add_option("--reports", flags.reports, "number of clients: says what they will reveal");
  app.add_option("--candidates", flags.candidates, "number of candidate strings (default 1000)");
  app.add_option("--alpha", flags.alpha, "chance of any false discovery (default 0.05)");
  app.add_option("-o,--output", flags.output, "writes the parameters as a params.csv").writes();
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

rappor::Params designed(const ParamsFlags& flags) {
  if (flags.params.f || flags.params.p || flags.params.q || flags.params.file) {
    throw UsageError("--epsilon-one finds f, p and q: leave out -f, -p, -q and --params");
  }
  rappor::DesignTarget target;
  const auto sizes = override_params({target.bits, target.hashes, target.cohorts}, flags.params);
  target.bits = sizes.bits;
  target.hashes = sizes.hashes;
  target.cohorts = sizes.cohorts;
  target.epsilon_one = positive_flag("--epsilon-one", *flags.epsilon_one);
  if (flags.epsilon_infinity) {
    target.epsilon_infinity = positive_flag("--epsilon-infinity", *flags.epsilon_infinity);
    if (*target.epsilon_infinity < target.epsilon_one) {
      throw UsageError("--epsilon-infinity '" + *flags.epsilon_infinity +
                       "': expected at least --epsilon-one, " + *flags.epsilon_one);
    }
  }
  return rappor::designed_params(target);
}

std::optional<rappor::DetectionLimit> limit_for(const ParamsFlags& flags,
                                                const rappor::Params& params) {
  if (!flags.reports) return std::nullopt;
  const auto reports = static_cast<double>(count_flag("--reports", *flags.reports));
  const auto candidates =
      flags.candidates ? static_cast<double>(count_flag("--candidates", *flags.candidates)) : 1000;
  const double alpha = flags.alpha ? probability_flag("--alpha", *flags.alpha) : 0.05;
  return rappor::detection_limit(params, reports, candidates, alpha);
}

std::string epsilon_text(double epsilon) {
  return std::isinf(epsilon) ? "unlimited" : short_number(epsilon);
}

void print_text(const rappor::Params& nominal, const rappor::Params& executed,
                const std::optional<rappor::DetectionLimit>& limit) {
  std::cout << labelled_paragraph("Parameters", params_text(nominal));
  if (executed != nominal) {
    std::cout << labelled_paragraph("Executed",
                                    params_text(executed) + ", which this profile rounds them to");
  }
  const auto [p_star, q_star] = rappor::reported_rates(executed);
  std::cout << labelled_paragraph(
      "Reported", "a bit is 1 with probability p* = " + short_number(p_star) +
                      " if the value does not set it, q* = " + short_number(q_star) +
                      " if it does");
  const double one = epsilon_one(executed);
  std::cout << labelled_paragraph(
      "One report", "ε₁ = " + epsilon_text(one) +
                        ": whatever it is, it is at most e^ε = " + short_number(std::exp(one)) +
                        " times as likely for one value as for another");
  const double infinity = epsilon_infinity(executed);
  std::cout << labelled_paragraph(
      "All reports",
      std::isinf(infinity)
          ? "ε∞ is unlimited: f = 0 is for one-time collection, every further report costs ε₁ again"
          : "ε∞ = " + epsilon_text(infinity) +
                ": for any number of reports of one value that does not change");
  if (limit) {
    std::cout << labelled_paragraph(
        "Detection", "a string of " + percent_text(limit->frequency) + " of the reports (" +
                         short_number(limit->reports) + ") is found with probability 1/2");
  }
}

}  // namespace

int rappor_params_command(const Arguments& arguments) {
  FlagSet app("The privacy that RAPPOR parameters give, or parameters for a given privacy.",
              "sotto rappor params");
  ParamsFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return 0;
  if (flags.epsilon_infinity && !flags.epsilon_one) throw UsageError("--epsilon-one is missing");
  const rappor::Params params = flags.epsilon_one ? designed(flags) : required_params(flags.params);
  const rappor::Profile profile = read_profile(flags.params);
  const rappor::Params executed = executed_params(params, profile);
  const auto limit = limit_for(flags, executed);
  if (flags.output) write_file_atomically(*flags.output, rappor::format_params(params));
  if (!flags.json) {
    print_text(params, executed, limit);
    return 0;
  }
  auto json = params_json(params);
  json["profile"] = rappor::profile_name(profile);
  json["executed"] = params_json(executed);
  json["p_star"] = rappor::reported_rates(executed).p_star;
  json["q_star"] = rappor::reported_rates(executed).q_star;
  json["epsilon_one"] = json_number(epsilon_one(executed));
  json["epsilon_infinity"] = json_number(epsilon_infinity(executed));
  if (limit) {
    json["detection_frequency"] = limit->frequency;
    json["detection_reports"] = limit->reports;
  }
  std::cout << json.dump(2) << '\n';
  return 0;
}

}  // namespace sotto::cli
