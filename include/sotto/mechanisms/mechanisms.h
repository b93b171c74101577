// Single releases with their price: noise, randomised response, counts and sums, queries of a
// table.
#pragma once

#include "sotto/mechanisms/bounded_values.h"
#include "sotto/mechanisms/budget_account.h"
#include "sotto/mechanisms/column_types.h"
#include "sotto/mechanisms/discrete_gaussian.h"
#include "sotto/mechanisms/discrete_laplace.h"
#include "sotto/mechanisms/integer_noise.h"
#include "sotto/mechanisms/partition.h"
#include "sotto/mechanisms/quantile_release.h"
#include "sotto/mechanisms/randomised_response.h"
#include "sotto/mechanisms/real_noise.h"
#include "sotto/mechanisms/record_filter.h"
#include "sotto/mechanisms/releases.h"
#include "sotto/mechanisms/table_query.h"
