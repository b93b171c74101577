#include <cmath>
#include <iostream>

#include "cli/rappor_command.h"
#include "cli/rappor_flags.h"
#include "cli/rappor_params_request.h"
#include "cli/text_layout.h"
#include "core/atomic_file.h"
#include "core/json_number.h"
#include "rappor/params_file.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;

bool writes_answers(const ParamsRequest& request) { return request.output->ends_with(".json"); }

void write_output(const ParamsRequest& request) {
  write_file_atomically(*request.output, writes_answers(request)
                                             ? rappor::format_collection(request.collection)
                                             : rappor::format_params(request.collection.params));
}

std::string answers_text(const std::vector<std::string>& answers) {
  return answers.empty() ? "unknown: any string may be reported, by its Bloom filter"
                         : std::to_string(answers.size()) +
                               " known ones, each with a bit of its own (basic RAPPOR)";
}

// The same bits every time: what a fingerprint is.
bool reports_repeat(const rappor::Params& params) {
  return params.f() > 0 && params.p() == 0 && params.q() == 1;
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
                        ": whatever it is, it is at most e^ε = " + epsilon_text(std::exp(one)) +
                        " times as likely for one value as for another");
  const double infinity = epsilon_infinity(executed);
  std::cout << labelled_paragraph(
      "All reports",
      std::isinf(infinity)
          ? "ε∞ is unlimited: f = 0 is for one-time collection, every further report costs ε₁ again"
          : "ε∞ = " + epsilon_text(infinity) +
                ": for any number of reports of one value that does not change");
  if (reports_repeat(executed)) {
    std::cout << labelled_paragraph(
        "Linking",
        "the reports of one answer are always the same bits, so two of them can be linked to one "
        "person; an --epsilon-one below the target adds fresh coins to every report");
  }
  if (limit && limit->frequency > 1) {
    std::cout << labelled_paragraph("Detection", limit_text(limit->frequency));
  } else if (limit) {
    std::cout << labelled_paragraph("Detection", "a string of " + percent_text(limit->frequency) +
                                                     " of the reports (" +
                                                     short_number(std::ceil(limit->reports)) +
                                                     ") is found with probability 1/2");
  }
}

// What comes after the parameters.
void print_next(const ParamsRequest& request) {
  const bool listed = request.answers_file && !writes_answers(request);
  std::cout << labelled_paragraph(
      "Next", "sotto rappor encode --params " + *request.output +
                  (listed ? " --answers " + *request.answers_file : "") +
                  " --secret secret.txt --metric NAME --input values.csv --output reports.bin");
}

Json json_of(const ParamsRequest& request) {
  const auto& answers = request.collection.answers;
  auto json = params_json(request.collection.params);
  json["answers"] = answers.empty() ? Json() : Json(answers);
  json["profile"] = rappor::profile_name(request.profile);
  json["executed"] = params_json(request.executed);
  json["p_star"] = rappor::reported_rates(request.executed).p_star;
  json["q_star"] = rappor::reported_rates(request.executed).q_star;
  json["epsilon_one"] = json_number(epsilon_one(request.executed));
  json["epsilon_infinity"] = json_number(epsilon_infinity(request.executed));
  if (request.limit) {
    json["detection_frequency"] = request.limit->frequency;
    json["detection_reports"] = request.limit->reports;
  }
  return json;
}

}  // namespace

int rappor_params_command(const Arguments& arguments) {
  const auto request = parse_params_request(arguments);
  if (!request) return 0;
  if (request->output) write_output(*request);
  if (request->json) {
    std::cout << json_of(*request).dump(2) << '\n';
    return 0;
  }
  std::cout << labelled_paragraph("Answers", answers_text(request->collection.answers));
  print_text(request->collection.params, request->executed, request->limit);
  if (request->output && request->solved) print_next(*request);
  return 0;
}

}  // namespace sotto::cli
