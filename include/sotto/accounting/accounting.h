// Everything about accounting in one include.
#pragma once

#include "sotto/accounting/accountants.h"
#include "sotto/accounting/budget.h"
#include "sotto/accounting/event.h"
#include "sotto/accounting/guarantee.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/statement.h"
#include "sotto/accounting/theorems.h"
#include "sotto/accounting/tradeoff_curve.h"
#include "sotto/accounting/training_run.h"
#include "sotto/accounting/tuning.h"
