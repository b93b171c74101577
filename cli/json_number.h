// Numbers in JSON, as the commands print them.
#pragma once

#include "sotto/report/json_number.h"

namespace sotto::cli {

using report::json_number;

}  // namespace sotto::cli
