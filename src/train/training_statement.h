// What a finished training run says of its privacy.
#pragma once

#include "runs/declared_person.h"
#include "runs/privacy_report.h"
#include "runs/stopped_early.h"
#include "sotto/engine/privacy_engine.h"
#include "sotto/train/trainer.h"

namespace sotto::train {

// Whose records the settings say they are.
runs::DeclaredPerson declared_person(const TrainingConfig& config);

// `cost`: of training and held-out release, the larger of the two. `stopped`: if the run ended
// before its last step.
runs::PrivacyReport training_statement(const PrivacyEngine& engine,
                                       const accounting::PrivacyCost& cost,
                                       const TrainingConfig& config,
                                       const runs::HeldOutCharge& held_out,
                                       const std::optional<runs::StoppedEarly>& stopped = {});
// Of a run with --disable-dp.
runs::PrivacyReport statement_without_privacy();

}  // namespace sotto::train
