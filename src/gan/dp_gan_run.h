// A whole run of dp-GAN, basic or advanced.
#pragma once

#include "gan/gan_data.h"
#include "gan/gan_run.h"
#include "sotto/gan/gan.h"

namespace sotto::gan {

// Goes on from the run's checkpoint if there is one. Throws InvalidSetting if public data do not
// fit the private ones, runs::Interrupted if the observer asks to stop.
GanResult train_dp_gan(const GanRun& run, const GanData& data, runs::RunObserver& observer);

}  // namespace sotto::gan
