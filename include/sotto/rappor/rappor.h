// RAPPOR for the programs that report: a client, its parameters and its secret.
#pragma once

#include "sotto/rappor/bit_string.h"
#include "sotto/rappor/client.h"
#include "sotto/rappor/params.h"
#include "sotto/rappor/profile.h"
#include "sotto/rappor/secret.h"
