#include "cli/query_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/text_layout.h"
#include "core/printed_number.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {

namespace {

using accounting::EpsilonDelta;
using accounting::rounded_down;
using accounting::rounded_up;
using mechanisms::Release;
using Json = nlohmann::ordered_json;

// As many decimals as the error leaves a meaning; whole numbers stay whole.
std::string shown(double value, const Release& release) {
  const double error = std::max(release.standard_error, 1e-12);
  const bool whole = std::floor(release.value) == release.value && release.standard_error >= 0.1;
  const int decimals =
      whole ? 0 : std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 12);
  return with_decimals(value, decimals);
}

// Three digits at least, without zeros behind the point, and no exponent where it can be helped.
std::string plain_number(double value) {
  const double size = std::abs(value);
  const bool exponent = size >= 1e12 || (size > 0 && size < 1e-4);
  const int decimals =
      size > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 6) : 0;
  std::string shown = exponent ? significant(value, 3) : with_decimals(value, decimals);
  if (exponent || shown.find('.') == std::string::npos) return shown;
  shown.erase(shown.find_last_not_of('0') + 1);
  if (shown.back() == '.') shown.pop_back();
  return shown;
}

std::string interval(const Release& release) {
  return shown(release.low, release) + " to " + shown(release.high, release);
}

std::string amount(const EpsilonDelta& value, std::string (*round)(double, int)) {
  return "ε = " + round(value.epsilon, 4) +
         (value.delta > 0 ? ", δ = " + round(value.delta, 4) : "");
}

std::string answers_text(const QueryRequest& request, const QueryResult& result) {
  const auto& first = result.answers.front();
  if (first.label.empty()) {
    return labelled_paragraph("Answer", shown(first.release.value, first.release) + "   (" +
                                            interval(first.release) + " with 95 %)");
  }
  std::size_t width = display_width(request.query.by);
  for (const auto& answer : result.answers) width = std::max(width, display_width(answer.label));
  std::string text =
      padded(request.query.by, width) + "  " + padded(request.action, 14) + "  with 95 %\n";
  for (const auto& [label, release] : result.answers) {
    text += padded(label, width) + "  " + padded(shown(release.value, release), 14) + "  " +
            interval(release) + '\n';
  }
  return text + '\n';
}

// Those of means differ from group to group.
std::string standard_errors(const QueryResult& result) {
  const auto less = [](const mechanisms::Answer& a, const mechanisms::Answer& b) {
    return a.release.standard_error < b.release.standard_error;
  };
  const auto [least, most] =
      std::minmax_element(result.answers.begin(), result.answers.end(), less);
  const std::string low = plain_number(least->release.standard_error);
  const std::string high = plain_number(most->release.standard_error);
  return low == high ? low : low + " to " + high;
}

std::string noise_text(const QueryRequest& request, const QueryResult& result) {
  const bool laplace = request.query.noise == mechanisms::NoiseKind::kLaplace;
  std::string text = std::string("discrete ") + (laplace ? "Laplace" : "Gaussian");
  text += ", standard error " + standard_errors(result);
  if (request.query.statistic == mechanisms::Statistic::kMean) {
    text += "; half of the budget on the sum, which one record moves by at most " +
            plain_number(result.sensitivity) +
            " (from the middle of the bounds), half on the count, which it moves by 1";
  } else {
    text += "; one record moves an answer by at most " + plain_number(result.sensitivity);
  }
  if (result.answers.size() > 1) {
    text += "; each record is in one of the " + std::to_string(result.answers.size()) +
            " parts at most, so all cost what one costs";
  }
  return text;
}

Json guarantee_json(const EpsilonDelta& value) {
  return {{"epsilon", value.epsilon}, {"delta", value.delta}};
}

Json release_json(const Release& release) {
  return {{"value", release.value},
          {"standard_error", release.standard_error},
          {"low", release.low},
          {"high", release.high}};
}

}  // namespace

std::string query_text(const QueryRequest& request, const QueryResult& result) {
  return answers_text(request, result) + labelled_paragraph("Noise", noise_text(request, result)) +
         labelled_paragraph("Charged", amount(result.charged, rounded_up)) +
         labelled_paragraph("Left", amount(result.left, rounded_down) + " of " +
                                        amount(result.total, rounded_down)) +
         labelled_paragraph("Ledger", result.ledger_head);
}

std::string query_json(const QueryRequest& request, const QueryResult& result) {
  Json json;
  json["query"] = request.action;
  const auto& first = result.answers.front();
  if (first.label.empty()) {
    json["answer"] = release_json(first.release);
  } else {
    json["by"] = request.query.by;
    json["answers"] = Json::array();
    for (const auto& answer : result.answers) {
      Json entry{{"label", answer.label}};
      entry.update(release_json(answer.release));
      json["answers"].push_back(entry);
    }
  }
  json["confidence"] = 0.95;
  json["noise"] = "discrete-" + std::string(name(request.query.noise));
  json["sensitivity"] = result.sensitivity;
  json["neighbours"] = accounting::name(result.relation);
  json["charged"] = guarantee_json(result.charged);
  json["spent"] = guarantee_json(result.spent);
  json["left"] = guarantee_json(result.left);
  json["total"] = guarantee_json(result.total);
  json["ledger_head"] = result.ledger_head;
  return json.dump(2) + '\n';
}

}  // namespace sotto::cli
