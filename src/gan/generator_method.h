// What the ways to make a generator differ in.
#pragma once

#include <string>
#include <vector>

#include "gan/gan_data.h"
#include "gan/gan_run.h"
#include "gan/score_shares.h"
#include "sotto/gan/gan.h"
#include "sotto/plan/plan.h"

namespace sotto::gan {

class GeneratorMethod {
 public:
  virtual ~GeneratorMethod() = default;

  // Throws InvalidSetting for settings that do not go with the method.
  virtual void require_usable(const GanConfig& config) const = 0;

  // Trains a generator, or goes on with the one in the run's folder, and leaves it there with its
  // statement.
  virtual GanResult fit(const GanRun& run, const GanData& data,
                        runs::RunObserver& observer) const = 0;

  // How real a sample looks to what the run has learned.
  virtual ScoreShares score_shares(const GanRun& run, const GeneratorCard& card,
                                   const train::TensorData& generated) const = 0;

  // For the statement: what is noised and how, and what is proved of floating point.
  virtual std::string noise_text(const GanConfig& config, const Plan& plan) const = 0;
  virtual const char* arithmetic() const = 0;
  // Whether show_private shows anything that is computed from records without noise.
  virtual bool has_private_losses() const = 0;
};

const GeneratorMethod& generator_method(Method method);

}  // namespace sotto::gan
