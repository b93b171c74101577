// k-anonymity of a table: measure it, and make it hold.
#pragma once

#include "sotto/anonymity/anonymise.h"
#include "sotto/anonymity/ladder.h"
#include "sotto/anonymity/measures.h"
