// Whole training runs: settings, training, models and how good they are.
#pragma once

#include "sotto/train/checkpoint.h"
#include "sotto/train/evaluation.h"
#include "sotto/train/model_file.h"
#include "sotto/train/trainer.h"
