// What a run was charged so far. A charge comes before what it pays for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "plan/ledger.h"
#include "sotto/plan/plan.h"

namespace sotto {

// Counts steps, searches for thresholds and one-time releases, and writes each to the ledger if
// there is one.
class Charges {
 public:
  // The plan must outlive it. Continues the ledger at this path or makes one; none if the path is
  // empty. Throws as Ledger::open does, and InvalidArgument for a ledger that holds a release that
  // is not in the plan.
  Charges(const Plan& plan, const std::filesystem::path& ledger, bool is_private);

  std::int64_t steps() const { return steps_; }
  std::int64_t searches() const { return searches_; }
  // Steps that the ledger charged, and the model that training goes on from has not made: all of
  // them until catch_up_steps() says what a checkpoint has.
  std::int64_t lost_steps() const { return lost_; }
  // Nothing counts as lost any more. What was charged stays charged.
  void accept_lost_steps() { lost_ = 0; }
  bool was_released(const std::string& name) const { return released_.contains(name); }
  Spend spend() const { return {plan_, steps_, searches_}; }

  void charge_step();
  // One that nobody makes.
  void charge_lost_step();
  void charge_search();
  // The right to make a one-time release, which there is once: throws std::runtime_error the second
  // time. To be charged before it is used.
  void claim_release(const std::string& name);
  void charge_release(const OneTimeRelease& release);

  // Whether a shuffled pass is charged in part.
  bool is_inside_pass() const;

  // Makes the charges durable.
  void flush();
  // Of the ledger's present state; empty without a ledger.
  std::string ledger_hash() const;

  // Its part of a checkpoint.
  void add_to(nlohmann::json& checkpoint) const;
  // What a checkpoint knows of: where the ledger has more, that stands. Steps were charged when the
  // ledger had this hash; throws InvalidArgument if it never had it.
  void catch_up_steps(std::int64_t steps, const std::string& ledger_hash);
  void catch_up_searches(std::int64_t searches);
  void catch_up_releases(const std::vector<std::string>& names);

 private:
  void open(const std::filesystem::path& path, bool is_private);
  void count_events(const std::filesystem::path& path);
  bool is_planned(const std::string& release) const;

  const Plan& plan_;
  std::optional<Ledger> ledger_;
  std::int64_t steps_ = 0;
  std::int64_t searches_ = 0;
  std::int64_t lost_ = 0;
  std::unordered_set<std::string> released_;
};

}  // namespace sotto
