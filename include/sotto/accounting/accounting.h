// Everything about accounting in one include.
#pragma once

#include "sotto/accounting/budget.h"
#include "sotto/accounting/calibration.h"
#include "sotto/accounting/composition_theorems.h"
#include "sotto/accounting/epsilon_delta.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/gaussian_mechanism.h"
#include "sotto/accounting/meaning.h"
#include "sotto/accounting/neighbours.h"
#include "sotto/accounting/pld_accountant.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/rdp_accountant.h"
#include "sotto/accounting/sampling.h"
#include "sotto/accounting/statement.h"
#include "sotto/accounting/tradeoff_curve.h"
#include "sotto/accounting/training_run.h"
#include "sotto/accounting/tuning.h"
