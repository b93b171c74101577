#include "engine/sum_release.h"

#include <ATen/ATen.h>

#include <optional>
#include <stdexcept>

#include "engine/clipped_rows.h"
#include "engine/noise.h"
#include "plan/plan_json.h"
#include "plan/training_ledger.h"
#include "sotto/core/error.h"

namespace sotto {

struct SumRelease::State {
  Plan plan;
  std::int64_t kinds;
  Noise noise;
  std::optional<Ledger> ledger;
  bool charged = false;
  std::int64_t records = 0;
  ClippedRowSums sums;
};

SumRelease::SumRelease(const Plan& plan, std::int64_t kinds, const EngineOptions& options) {
  check_argument(kinds >= 1, "kinds of records: at least 1, got ", kinds);
  check_argument(plan.options().sampling == accounting::Sampling::kNone && plan.steps() == 1 &&
                     is<FlatClipping>(plan.options().clipping) && !plan.options().bounded,
                 "a sum is released once, without sampling and with flat clipping; the plan says "
                 "otherwise: ",
                 json_of(plan).dump());
  state_ =
      std::make_unique<State>(State{plan,
                                    kinds,
                                    options.insecure_seed ? Noise(*options.insecure_seed) : Noise(),
                                    {},
                                    false,
                                    0,
                                    {kinds, plan.options().max_grad_norm}});
  if (options.ledger.empty()) return;
  TrainingHeader header{plan};
  if (!is_private()) header.not_private = "noise came from a seed";
  state_->ledger = Ledger::open(options.ledger, header.to_json());
  check_argument(state_->ledger->events().empty() && state_->ledger->steps_charged() <= 1,
                 options.ledger.string(), ": holds more than one release of a sum");
  state_->charged = state_->ledger->steps_charged() == 1;
}

SumRelease::~SumRelease() = default;
SumRelease::SumRelease(SumRelease&&) noexcept = default;
SumRelease& SumRelease::operator=(SumRelease&&) noexcept = default;

void SumRelease::add(const at::Tensor& rows, const at::Tensor& kinds) {
  auto& s = *state_;
  s.sums.add(rows, kinds);
  s.records += rows.size(0);
}

at::Tensor SumRelease::release() {
  auto& s = *state_;
  if (s.charged) throw std::runtime_error("the sum was released before, and is paid for once");
  if (s.records != s.plan.dataset_size()) {
    throw std::logic_error("a sum over " + std::to_string(s.records) + " records, planned for " +
                           std::to_string(s.plan.dataset_size()));
  }
  if (s.ledger) s.ledger->charge_step();
  s.charged = true;
  const auto& o = s.plan.options();
  return s.noise.release(s.sums.sums(), s.sums.unit(), o.noise_multiplier * o.max_grad_norm, 1,
                         at::kDouble);
}

const Plan& SumRelease::plan() const { return state_->plan; }
bool SumRelease::is_private() const { return state_->noise.is_private(); }
bool SumRelease::is_charged() const { return state_->charged; }

accounting::PrivacyCost SumRelease::privacy_spent(double delta) const {
  if (!is_private()) {
    accounting::PrivacyCost cost;
    cost.delta = delta;
    return cost;  // ε = ∞
  }
  return Spend{plan(), is_charged() ? 1 : 0}.cost_at_delta(delta);
}

void SumRelease::flush() {
  if (state_->ledger) state_->ledger->flush();
}

std::string SumRelease::ledger_hash() const {
  return state_->ledger ? state_->ledger->head_hash() : std::string();
}

}  // namespace sotto
