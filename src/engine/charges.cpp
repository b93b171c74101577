#include "engine/charges.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "plan/training_ledger.h"
#include "sotto/core/error.h"

namespace sotto {

Charges::Charges(const Plan& plan, const std::filesystem::path& ledger, bool is_private)
    : plan_(plan) {
  if (!ledger.empty()) open(ledger, is_private);
}

void Charges::open(const std::filesystem::path& path, bool is_private) {
  TrainingHeader header{plan_};
  if (!is_private) header.not_private = "sampling and noise came from a seed";
  ledger_ = Ledger::open(path, header.to_json());
  count_events(path);
  steps_ = ledger_->steps_charged();
  lost_ = steps_;
}

void Charges::count_events(const std::filesystem::path& path) {
  for (const auto& event : ledger_->events()) {
    if (plan_.searches_thresholds() && event.name == kThresholdSearch) {
      ++searches_;
      continue;
    }
    check_argument(is_planned(event.name) && released_.insert(event.name).second, path.string(),
                   ": holds releases other than steps, whose cost this engine cannot add");
  }
}

bool Charges::is_planned(const std::string& release) const {
  const auto& planned = plan_.options().releases;
  return std::any_of(planned.begin(), planned.end(),
                     [&](const auto& one) { return one.name == release; });
}

void Charges::charge_step() {
  if (ledger_) ledger_->charge_step();
  ++steps_;
}

void Charges::charge_lost_step() {
  charge_step();
  ++lost_;
}

void Charges::charge_search() {
  const auto& searched = std::get<SearchedClipping>(plan_.options().clipping);
  if (ledger_) ledger_->charge_event(kThresholdSearch, {{"epsilon", searched.epsilon}});
  ++searches_;
}

void Charges::claim_release(const std::string& name) {
  if (released_.insert(name).second) return;
  throw std::runtime_error("release '" + name + "' was made before, and is paid for once");
}

void Charges::charge_release(const OneTimeRelease& release) {
  if (!ledger_) return;
  ledger_->charge_event(release.name, {{"noise_multiplier", release.noise_multiplier}});
}

bool Charges::is_inside_pass() const {
  return plan_.options().sampling == accounting::Sampling::kShuffled &&
         steps_ % plan_.steps_per_epoch() != 0;
}

void Charges::flush() {
  if (ledger_) ledger_->flush();
}

std::string Charges::ledger_hash() const { return ledger_ ? ledger_->head_hash() : std::string(); }

void Charges::add_to(nlohmann::json& checkpoint) const {
  checkpoint["steps"] = steps_;
  checkpoint["ledger_hash"] = ledger_hash();
  checkpoint["released"] = released_;
  if (plan_.searches_thresholds()) checkpoint["searches"] = searches_;
}

void Charges::catch_up_steps(std::int64_t steps, const std::string& ledger_hash) {
  if (ledger_ && !ledger_hash.empty()) ledger_->contents().require_at_least(steps, ledger_hash);
  check_argument(ledger_.has_value() || ledger_hash.empty(),
                 "the checkpoint's run has a ledger; it cannot continue without it");
  if (ledger_ && ledger_->steps_charged() < steps) {
    ledger_->charge_steps(steps - ledger_->steps_charged());
  }
  steps_ = std::max(steps_, steps);
  lost_ = steps_ - steps;
}

void Charges::catch_up_searches(std::int64_t searches) {
  while (searches_ < searches) charge_search();
}

void Charges::catch_up_releases(const std::vector<std::string>& names) {
  released_.insert(names.begin(), names.end());
}

}  // namespace sotto
