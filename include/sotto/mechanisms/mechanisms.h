// Single releases with their price: noise, randomised response, counts and sums, queries of a
// table.
#pragma once

#include "sotto/mechanisms/budget_account.h"
#include "sotto/mechanisms/integer_noise.h"
#include "sotto/mechanisms/randomised_response.h"
#include "sotto/mechanisms/real_noise.h"
#include "sotto/mechanisms/record_filter.h"
#include "sotto/mechanisms/releases.h"
#include "sotto/mechanisms/table_query.h"
