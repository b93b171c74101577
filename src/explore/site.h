// Which address answers what. Knows nothing of HTTP beyond it.
#pragma once

#include <string>
#include <string_view>

#include "explore/reply.h"
#include "explore/runs_folder.h"
#include "explore/settings.h"

namespace sotto::explore {

// Safe to use from several threads at once.
//   /, /style.css ...                 the page
//   /api/budget?SETTINGS&precision=   budget_answer
//   /api/curve?SETTINGS&along=&precision=
//                                     curve
//   /api/noise?SETTINGS&precision=    noise_needed
//   /api/epochs?SETTINGS&precision=   epochs_affordable
//   /api/runs                         run_catalogue
//   /api/run?name=, /api/sweep?name=  run_details, sweep_details
//   /runs/PATH                        a file of a run
class Site {
 public:
  explicit Site(RunsFolder runs) : runs_(std::move(runs)) {}

  // `path` is decoded. Never throws: bad parameters are a 400, unknown addresses a 404, and
  // anything else that goes wrong a 500, each with an error_reply.
  Reply get(std::string_view path, const Parameters& parameters) const;

 private:
  Reply answer(std::string_view path, const Parameters& parameters) const;
  Reply run_file(std::string_view relative) const;

  RunsFolder runs_;
};

}  // namespace sotto::explore
