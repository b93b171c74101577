// One noised sum over all records: a private computation that is not training.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>

#include "sotto/accounting/privacy_cost.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/plan/plan.h"

namespace sotto {

class SumRelease {
 public:
  // The plan: no sampling, one step, flat clipping to C. Of the options, only ledger and
  // insecure_seed are used. Each record is of one of `kinds` kinds, with a sum for each. Throws
  // InvalidArgument for any other plan.
  SumRelease(const Plan& plan, std::int64_t kinds, const EngineOptions& options);
  ~SumRelease();
  SumRelease(SumRelease&&) noexcept;
  SumRelease& operator=(SumRelease&&) noexcept;

  // rows (n, d): what the next n records add, each scaled down to norm C where it is larger; one
  // that is not finite adds nothing. Record i's row goes to sum number kinds[i], of as many as the
  // class was made for. Every record comes once.
  void add(const at::Tensor& rows, const at::Tensor& kinds);
  // The sums (kinds, d) with their noise, double. The charge comes first. Throws std::logic_error
  // unless exactly the plan's records were added, std::runtime_error if the ledger has the charge
  // already: what was released is for the caller to keep.
  at::Tensor release();

  const Plan& plan() const;
  bool is_private() const;
  bool is_charged() const;
  accounting::PrivacyCost privacy_spent(double delta) const;
  void flush();
  std::string ledger_hash() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sotto
