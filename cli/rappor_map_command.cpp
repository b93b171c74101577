#include <iostream>

#include "cli/rappor_command.h"
#include "cli/rappor_flags.h"
#include "cli/shown_text.h"
#include "core/atomic_file.h"
#include "core/counted.h"

namespace sotto::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  sotto rappor map --params params.csv --candidates candidates.txt --output map.csv
  # basic RAPPOR: line i is bit i
  sotto rappor map --answers colours.txt -f 0 -p 0.25 -q 0.75 --output map.csv
)";

struct MapFlags {
  RapporFlags params;
  FlagText candidates, answers, output;
  bool json = false;
};

void declare(FlagSet& app, MapFlags& flags) {
  declare_params(app, flags.params);
  app.add_option("--candidates FILE", flags.candidates, "file with one string per line");
  declare_answers(app, flags.answers);
  app.add_option("-o,--output FILE", flags.output,
                 "the map, as google/rappor writes it (default: stdout)")
      .writes();
  app.add_flag("--json", flags.json, "print one JSON object; needs --output");
  app.footer(kExamples);
}

}  // namespace

int rappor_map_command(const Arguments& arguments) {
  FlagSet app("Server: the bits that candidate strings set in every cohort.", "sotto rappor map");
  MapFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return 0;
  if (flags.json && !flags.output)
    throw UsageError("--json needs --output: stdout has the map otherwise");
  const CandidatesAndParams known = read_candidates(flags.params, flags.candidates, flags.answers);
  const std::string text = rappor::format_map(known.map);
  if (!flags.output) {
    write_exactly(std::cout, text);
    return 0;
  }
  write_file_atomically(*flags.output, text);
  if (flags.json) {
    const nlohmann::ordered_json json{{"candidates", known.map.size()},
                                      {"output", *flags.output},
                                      {"params", params_json(known.params)}};
    std::cout << json.dump(2) << '\n';
  } else {
    std::cout << counted(known.map.size(), "candidate") << " in " << *flags.output << '\n';
  }
  return 0;
}

}  // namespace sotto::cli
