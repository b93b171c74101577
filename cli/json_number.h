// Numbers in JSON, as the commands print them.
#pragma once

#include "report/json_number.h"

namespace sotto::cli {

using report::json_number;

}  // namespace sotto::cli
