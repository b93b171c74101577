// A run of `sotto train` or `sotto gan train`, as read from its folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plan/ledger.h"
#include "runs/ledger_queries.h"
#include "runs/run_evaluation.h"
#include "sotto/plan/plan.h"

namespace sotto::runs {

// How much of a run is to be shown.
enum class Told {
  kCovered,  // nothing that is computed from private records without noise
  kPrivate,  // that as well, where the run wrote it: metrics.private.jsonl, evaluation.private.json
};

// Equally many of both.
struct Series {
  std::vector<double> xs;
  std::vector<double> ys;
};

class RunRecord {
 public:
  // Reads privacy.json, and config.json, metrics.jsonl, evaluation.json and ledger.jsonl where they
  // are; without the last, nothing is proved. What older runs wrote into these files without noise
  // is left out, unless asked for. Throws InvalidArgument, naming the file and what is wrong with
  // it, if privacy.json is not there or lacks what a promise needs, or another is damaged;
  // FileError if one cannot be read.
  static RunRecord read(const std::filesystem::path& folder, Told told = Told::kCovered);
  // The same of a run that was interrupted, or is still running: privacy() is then what its ledger
  // has charged so far. Nothing if that is nothing, and there is no privacy.json.
  static std::optional<RunRecord> read_charged(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  // False for what read_charged() alone reads: nothing was published.
  bool is_finished() const { return finished_; }
  // A finished run that was ended before its last step.
  bool was_stopped_early() const;
  std::string name() const;  // the folder's own

  // As they lie in the folder; empty objects and lists where they do not.
  const nlohmann::json& config() const { return config_; }
  const nlohmann::json& privacy() const { return privacy_; }
  const std::vector<nlohmann::json>& metrics() const { return metrics_; }
  const std::optional<RunEvaluation>& evaluation() const { return evaluation_; }

  bool is_generator() const;    // of `sotto gan train`
  std::string dataset() const;  // "unknown data" if the settings do not say
  // Of the data's content (data::DataIdentity); empty if the settings do not say.
  std::string data_identity() const;
  std::string model() const;   // a generator's: its networks
  std::string method() const;  // "dp-sgd", "clipless", "merf" ...; "without privacy"

  // False if the run had no noise, or noise from a seed. Then no ε holds, whatever was computed on
  // the way: epsilon() is infinite, and there is neither δ nor plan.
  bool is_private() const;
  // Whether the run is private, and its own ledger and plan bear out what privacy.json promises.
  // The one place that decides whether an ε may be shown: if not, contradictions() says why.
  bool is_proved() const { return is_private() && contradictions_.empty(); }
  // Infinite, and without δ, unless it is proved, whatever privacy.json and the metrics say.
  double epsilon() const;
  // What its promise leaves out, in sentences; mostly empty.
  std::string limits() const;
  // One of several on the same data: its name among them must stay secret if their number must.
  bool is_one_of_several() const;
  std::optional<double> delta() const;
  std::optional<Plan> plan() const;
  std::int64_t steps() const;  // charged
  // What a private run was charged, as privacy.json has it.
  Spend spend() const;
  // True if privacy.json says that this member of a metrics line describes training records without
  // noise. Of a run that is not private every one does.
  bool is_uncovered(const std::string& metric) const;
  // The ε of what a private run releases, or may release, about held-out records.
  std::optional<double> held_out_epsilon() const;
  // Whether an earlier version tested on private records as they are, which is not told here.
  bool has_dropped_evaluation() const { return has_dropped_evaluation_; }

  std::optional<double> accuracy() const;  // on test data, a share
  // On the same; nothing where it is not a number, as after training that diverged.
  std::optional<double> loss() const;
  std::optional<double> seconds() const;
  std::optional<std::int64_t> epochs() const;
  // A member of the metrics against another, where both are numbers; the last of equal xs. ε may be
  // asked for, too; it is empty unless the run's ε is proved.
  Series series(const std::string& x, const std::string& y) const;

  // The day on which its ledger was made, "2026-11-15" in UTC; "" if there is none. Of one of
  // several runs it would tell how many ran before it: "" as well.
  std::string day() const;
  // How many steps the ledger has, if there is one.
  std::optional<std::int64_t> ledger_steps() const { return ledger_steps_; }
  // What queries that were answered from its ledger cost besides.
  const std::vector<AnsweredQuery>& queries() const { return queries_; }
  // There is one wherever there are queries.
  const std::optional<QueryBudget>& query_budget() const { return query_budget_; }
  // Why the promise of a private run is not proved, in sentences: its ledger is missing, or charged
  // other steps, privacy.json promises more than its own plan gives or names a charge for held-out
  // records that held_out.jsonl does not have, or an earlier version drew batches in a way that is
  // not proved. Empty for every honest run of this version.
  const std::vector<std::string>& contradictions() const { return contradictions_; }
  // Which of its settings and models are no longer the files that the run wrote, in sentences. They
  // are read and hashed when this is first asked, which large models make slow. Throws
  // InvalidArgument, naming files.json, if that is damaged.
  const std::vector<std::string>& altered() const;

 private:
  explicit RunRecord(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void check_privacy() const;
  double promised_epsilon() const;
  double promised_delta() const;
  std::optional<double> last_metric(const char* key) const;
  void read_metrics(Told told);
  void add_private_metrics(const std::vector<nlohmann::json>& lines);
  void read_evaluation(Told told);
  bool has_private_test_records() const;
  void read_ledger();
  void look_for_ledger();
  void compare_with_ledger(const LedgerContents& ledger);
  static RunRecord read(const std::filesystem::path& folder, nlohmann::json privacy, Told told,
                        bool finished);
  void read_queries(const LedgerContents& ledger);
  void compare_with_plan();
  void look_for_places();
  void look_for_held_out_ledger();

  std::filesystem::path folder_;
  bool finished_ = true;
  nlohmann::json config_ = nlohmann::json::object();
  nlohmann::json privacy_ = nlohmann::json::object();
  std::vector<nlohmann::json> metrics_;
  std::optional<RunEvaluation> evaluation_;
  std::optional<std::int64_t> ledger_steps_;
  std::string ledger_created_;
  std::vector<AnsweredQuery> queries_;
  std::optional<QueryBudget> query_budget_;
  std::vector<std::string> contradictions_;
  bool has_dropped_evaluation_ = false;
  mutable std::optional<std::vector<std::string>> altered_;  // nothing until it is asked for
};

}  // namespace sotto::runs
