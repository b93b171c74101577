#include "runs/run_record.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/counted.h"
#include "core/json_number.h"
#include "plan/ledger_header.h"
#include "plan/plan_json.h"
#include "plan/training_ledger.h"
#include "runs/file_hashes.h"
#include "runs/held_out_json.h"
#include "runs/interrupted_run.h"
#include "runs/json_file.h"
#include "runs/priced_spend.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kPrivacyFile = "privacy.json";
constexpr double kNoBound = std::numeric_limits<double>::infinity();

const json& member(const json& object, const char* key) {
  static const json kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

bool is_count(const json& value) {
  return value.is_number_integer() && value.get<std::int64_t>() >= 0;
}

std::string or_else(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

void refuse_interrupted(const fs::path& folder) {
  const auto charged = interrupted_privacy(folder);
  if (!charged || member(*charged, "private") != true) return;
  throw InvalidArgument(
      folder.string() + ": this run was interrupted, and its steps have cost ε ≤ " +
      accounting::rounded_up(number_from_json(member(*charged, "epsilon")).value_or(kNoBound)) +
      " at δ = " + accounting::rounded_up(number_in(*charged, "delta").value_or(1)) +
      "; expected a finished run: resume it, or finish it as it is");
}

}  // namespace

RunRecord RunRecord::read(const fs::path& folder, Told told) {
  if (!fs::exists(folder / kPrivacyFile)) refuse_interrupted(folder);
  check_argument(fs::exists(folder / kPrivacyFile), folder.string(),
                 ": holds no privacy.json; expected the folder of a finished run of sotto train or "
                 "sotto gan train");
  return read(folder, read_json_object(folder / kPrivacyFile), told, /*finished=*/true);
}

std::optional<RunRecord> RunRecord::read_charged(const fs::path& folder) {
  if (fs::exists(folder / kPrivacyFile)) return read(folder);
  auto charged = interrupted_privacy(folder);
  if (!charged) return std::nullopt;
  return read(folder, std::move(*charged), Told::kCovered, /*finished=*/false);
}

RunRecord RunRecord::read(const fs::path& folder, json privacy, Told told, bool finished) {
  RunRecord record(folder);
  record.finished_ = finished;
  record.privacy_ = std::move(privacy);
  record.check_privacy();
  if (const auto path = folder / "config.json"; fs::exists(path)) {
    record.config_ = read_json_object(path);
  }
  record.read_metrics(told);
  record.read_evaluation(told);
  record.look_for_ledger();
  if (record.is_private()) {
    record.compare_with_plan();
    record.look_for_places();
    record.look_for_held_out_ledger();
  }
  return record;
}

void RunRecord::read_metrics(Told told) {
  if (const auto path = folder_ / "metrics.jsonl"; fs::exists(path)) {
    metrics_ = read_json_lines(path);
  }
  if (told == Told::kPrivate) {
    const auto path = folder_ / "metrics.private.jsonl";
    if (fs::exists(path)) add_private_metrics(read_json_lines(path));
    return;
  }
  if (!is_private()) return;
  for (auto& line : metrics_) {
    for (const auto* key : {"train_loss", "critic_loss", "clipped_share", "gradient_norms",
                            "batch_sizes", "not_covered_by_epsilon"}) {
      line.erase(key);
    }
    if (!has_private_test_records()) continue;
    line.erase("test_loss");
    line.erase("test_accuracy");
  }
}

// To the line of the same step.
void RunRecord::add_private_metrics(const std::vector<json>& lines) {
  for (const auto& line : lines) {
    const auto same = [&](const json& other) {
      return member(other, "step") == member(line, "step");
    };
    const auto place = std::find_if(metrics_.begin(), metrics_.end(), same);
    if (place != metrics_.end()) place->update(line);
  }
}

void RunRecord::read_evaluation(Told told) {
  const auto exact = folder_ / "evaluation.private.json";
  const bool shown = told == Told::kPrivate && !is_generator() && fs::exists(exact);
  const auto path = shown ? exact : folder_ / "evaluation.json";
  if (!fs::exists(path)) return;
  evaluation_ = run_evaluation(read_json_object(path), path.string());
  const bool exact_of_private = is_private() && has_private_test_records() && evaluation_->loss;
  if (!exact_of_private || told == Told::kPrivate) return;
  evaluation_.reset();  // of an older run
  has_dropped_evaluation_ = true;
}

// Of one file: there are no others to test on.
bool RunRecord::has_private_test_records() const {
  return dataset().starts_with("csv:") && text_in(config_, "csv_test").empty();
}

std::optional<double> RunRecord::held_out_epsilon() const {
  const auto& held_out = member(privacy_, "held_out");
  return is_private() && held_out.is_object() ? number_in(held_out, "epsilon") : std::nullopt;
}

// What a report cannot do without.
void RunRecord::check_privacy() const {
  const std::string file = (folder_ / kPrivacyFile).string();
  check_argument(member(privacy_, "private").is_boolean(), file,
                 ": 'private' must be true or false");
  const auto& statement = member(privacy_, "statement");
  check_argument(statement.is_object() && !text_in(statement, "promise").empty(), file,
                 ": 'statement' must hold a 'promise'");
  if (!is_private()) return;
  const auto& epsilon = member(privacy_, "epsilon");
  check_argument(number_from_json(epsilon).value_or(-1) >= 0, file,
                 ": 'epsilon' must be a number of at least 0, or \"", kInfinityText, "\", and is ",
                 epsilon.dump());
  const double delta = number_in(privacy_, "delta").value_or(0);
  check_argument(delta > 0 && delta < 1, file, ": 'delta' must be between 0 and 1, and is ",
                 member(privacy_, "delta").dump());
  check_argument(is_count(member(privacy_, "steps")), file,
                 ": 'steps' must be a whole number of at least 0, and is ",
                 member(privacy_, "steps").dump());
  try {
    static_cast<void>(plan());
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(file + ": " + error.what());
  }
}

void RunRecord::look_for_ledger() {
  if (fs::exists(folder_ / "ledger.jsonl")) {
    read_ledger();
  } else if (is_private()) {
    contradictions_.emplace_back(
        "The run's ledger (ledger.jsonl) is missing: nobody can tell what was charged to it, so no "
        "ε is proved.");
  }
}

void RunRecord::read_ledger() {
  const auto ledger = Ledger::read(folder_ / "ledger.jsonl");
  ledger_steps_ = ledger.steps_charged;
  ledger_created_ = ledger.created;
  if (!is_private()) return;
  compare_with_ledger(ledger);
  read_queries(ledger);
}

void RunRecord::compare_with_ledger(const LedgerContents& ledger) {
  // A run that goes on may have charged more since.
  if (ledger.steps_charged != steps() && (finished_ || ledger.steps_charged < steps())) {
    contradictions_.push_back("The ledger charged " + counted(ledger.steps_charged, "step") +
                              ", but privacy.json prices " + std::to_string(steps()) + ".");
  }
  if (!ledger.contains(text_in(privacy_, "ledger_hash"))) {
    contradictions_.emplace_back("privacy.json names no line of this ledger: it is another run's.");
  }
  const auto header = training_header(ledger);
  if (!header.is_private()) {
    contradictions_.emplace_back(
        "The ledger says that noise came from a known seed: this run is NOT PRIVATE.");
  }
  if (json_of(header.plan) != json_of(*plan())) {
    contradictions_.emplace_back(
        "The plan in privacy.json is not the one that the ledger charged.");
  }
}

// Queries about other data would count with the runs on those, which do not know of them.
void RunRecord::read_queries(const LedgerContents& ledger) {
  auto found = queries_in(ledger);
  query_budget_ = found.budget;
  queries_ = std::move(found.queries);
  for (const auto& name : found.unknown) {
    contradictions_.push_back("The ledger holds a release named '" + name +
                              "', whose cost is not known.");
  }
  const auto& tables = found.data_identities;
  const bool others = std::any_of(tables.begin(), tables.end(),
                                  [&](const auto& table) { return table != data_identity(); });
  if (data_identity().empty() || !others) return;
  contradictions_.emplace_back(
      "Queries about other data than the run's were answered from its ledger: what they cost is "
      "missing from the runs on those data.");
}

// Certain where even the lower bound of what the plan costs is above what is promised.
void RunRecord::compare_with_plan() {
  const auto cost = priced(spend(), promised_delta());
  if (cost.epsilon_lower.value_or(0) <= promised_epsilon()) return;
  contradictions_.push_back(
      "privacy.json promises ε = " + accounting::rounded_up(promised_epsilon()) +
      ", but its plan and steps cost at least " + accounting::rounded_down(*cost.epsilon_lower) +
      ".");
}

// Earlier versions drew batches of varying size for LibTorch's kernels, which round a sample by how
// many there are: no ε below that of full batches is proved for them. Their statements
// name the assumption about LibTorch.
void RunRecord::look_for_places() {
  const bool by_libtorch =
      text_in(privacy_, "arithmetic").find("what LibTorch computes") != std::string::npos;
  const bool alone = member(config_, "physical_batch") == 1;
  const bool drawn = plan()->options().sampling == accounting::Sampling::kPoisson;
  if (!by_libtorch || alone || !drawn || plan()->places()) return;
  contradictions_.emplace_back(
      "Its gradients came from LibTorch's kernels in Poisson batches without fixed places, as an "
      "earlier version drew them: this ε is not proved.");
}

// Without it nobody can tell how often held-out records were released.
void RunRecord::look_for_held_out_ledger() {
  const auto& held_out = member(privacy_, "held_out");
  const auto hash = held_out.is_object() ? text_in(held_out, "ledger_hash") : "";
  if (hash.empty() || has_held_out_charge(folder_, hash)) return;
  contradictions_.emplace_back(
      "The ledger of what was released about held-out records (held_out.jsonl) is missing, or "
      "another run's: privacy.json names a charge that it does not have, so no ε is proved.");
}

Spend RunRecord::spend() const {
  const auto& searches = member(privacy_, "threshold_searches");
  return {*plan(), steps(), is_count(searches) ? searches.get<std::int64_t>() : 0};
}

std::string RunRecord::name() const {
  const auto normal = fs::absolute(folder_).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).filename().string();
}

bool RunRecord::is_generator() const { return text_in(config_, "kind") == "gan"; }

std::string RunRecord::dataset() const {
  const auto& data = member(config_, "data");
  return or_else(text_in(is_generator() && data.is_object() ? data : config_, "dataset"),
                 "unknown data");
}

bool RunRecord::was_stopped_early() const { return member(privacy_, "stopped_early").is_object(); }

std::string RunRecord::limits() const { return text_in(privacy_.at("statement"), "limits"); }

bool RunRecord::is_one_of_several() const {
  const auto found = config_.find("one_of_several");
  return found != config_.end() && found->is_boolean() && found->get<bool>();
}

std::string RunRecord::data_identity() const { return text_in(config_, "data_identity"); }

std::string RunRecord::day() const {
  const std::string day = ledger_created_.substr(0, ledger_created_.find('T'));
  const bool dated = day.size() == 10 && day.find_first_not_of("0123456789-") == std::string::npos;
  return dated && !is_one_of_several() ? day : "";
}

std::string RunRecord::model() const {
  if (is_generator()) return or_else(text_in(config_, "networks"), "default networks");
  return or_else(text_in(config_, "model"), "unknown model");
}

std::string RunRecord::method() const {
  if (member(config_, "disable_dp") == true) return "without privacy";
  return or_else(text_in(config_, "method"), "dp-sgd");
}

bool RunRecord::is_private() const { return privacy_.at("private").get<bool>(); }

double RunRecord::promised_epsilon() const {
  return number_from_json(member(privacy_, "epsilon")).value_or(kNoBound);
}

double RunRecord::promised_delta() const { return number_in(privacy_, "delta").value_or(1); }

double RunRecord::epsilon() const { return is_proved() ? promised_epsilon() : kNoBound; }

std::optional<double> RunRecord::delta() const {
  return is_proved() ? std::optional(promised_delta()) : std::nullopt;
}

std::int64_t RunRecord::steps() const {
  const auto& steps = member(privacy_, "steps");
  return is_count(steps) ? steps.get<std::int64_t>() : 0;
}

std::optional<Plan> RunRecord::plan() const {
  if (!is_private()) return std::nullopt;
  return plan_from_json(member(privacy_, "plan"), std::max<std::int64_t>(1, steps()));
}

bool RunRecord::is_uncovered(const std::string& metric) const {
  if (!is_private()) return true;
  if (is_generator()) return metric == "critic_loss";
  const auto& names = member(privacy_, "not_covered_by_epsilon");
  if (!names.is_array()) return metric == "train_loss";
  return std::find(names.begin(), names.end(), metric) != names.end();
}

// Of the last line that has it, which may say that it is not a number.
std::optional<double> RunRecord::last_metric(const char* key) const {
  const auto has_it = [&](const json& line) { return line.contains(key); };
  const auto line = std::find_if(metrics_.rbegin(), metrics_.rend(), has_it);
  return line == metrics_.rend() ? std::nullopt : number_in(*line, key);
}

std::optional<double> RunRecord::accuracy() const {
  if (evaluation_ && evaluation_->accuracy) return evaluation_->accuracy;
  return last_metric("test_accuracy");
}

std::optional<double> RunRecord::loss() const {
  return evaluation_ ? evaluation_->loss : last_metric("test_loss");
}

std::optional<double> RunRecord::seconds() const {
  if (evaluation_ && evaluation_->seconds) return evaluation_->seconds;
  return last_metric("seconds");
}

const std::vector<std::string>& RunRecord::altered() const {
  if (!altered_) altered_ = altered_files(folder_);
  return *altered_;
}

std::optional<std::int64_t> RunRecord::epochs() const {
  if (is_generator()) return std::nullopt;
  for (const auto& [object, key] :
       {std::pair{metrics_.empty() ? json::object() : metrics_.back(), "epoch"},
        std::pair{config_, "epochs"}}) {
    if (is_count(member(object, key))) return object.at(key).get<std::int64_t>();
  }
  return std::nullopt;
}

Series RunRecord::series(const std::string& x, const std::string& y) const {
  std::map<double, double> points;  // a resumed run may tell of an epoch twice
  const bool meaningless = !is_proved() && (x == "epsilon" || y == "epsilon");
  for (const auto& line : metrics_) {
    const auto at = number_in(line, x);
    const auto value = number_in(line, y);
    if (at && value && !meaningless) points[*at] = *value;
  }
  Series result;
  for (const auto& [at, value] : points) {
    result.xs.push_back(at);
    result.ys.push_back(value);
  }
  return result;
}

}  // namespace sotto::runs
