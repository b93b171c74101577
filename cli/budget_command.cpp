#include <iostream>

#include "cli/budget_output.h"
#include "cli/budget_request.h"

namespace sotto::cli {

int budget_command(const Arguments& arguments) {
  const auto request = parse_budget_request(arguments);
  if (!request) return 0;
  const auto answer = accounting::answer(request->question);
  std::cout << (request->json ? json_text(request->question, answer)
                              : human_text(request->question, answer));
  return 0;
}

}  // namespace sotto::cli
