#include "cli/anonymity_request.h"

#include <algorithm>
#include <fstream>
#include <map>

#include "cli/flags.h"
#include "core/atomic_file.h"
#include "data/csv.h"
#include "data/csv_records.h"

namespace sotto::cli {

namespace {

using anonymity::Ladder;
using Ladders = std::map<std::string, Ladder>;  // by column

constexpr const char* kExamples = R"(
Without --release: measures, lists the groups that fail, and ends with status 1 if one does.
With --release: generalises quasi-identifiers, least first, and leaves out rows of groups that still
fail, until --k, --l and --t hold; other columns are left out.

A hierarchy is a CSV file without header, a line for each value: value,less exact,still less, ...

Examples:
  sotto anonymity --data t.csv --quasi age,zip --sensitive illness
  sotto anonymity --data t.csv --quasi age,zip --sensitive illness --k 2 --l 2 --t 0.2
  sotto anonymity --data t.csv --quasi age,zip --sensitive illness --k 5 \
    --bins age=18,31,46,60 --hierarchy zip=zip.csv --release public.csv
)";

struct Texts {
  FlagText data, quasi, sensitive, k, l, l_kind, t, release, suppression;
  std::vector<std::string> bins, widths, hierarchies;
};

void add_flags(FlagSet& app, Texts& texts, bool& json) {
  app.add_option("--data FILE", texts.data, "CSV file with a line of column names");
  app.add_option("--quasi COLUMN,...", texts.quasi, "columns that could be looked up elsewhere");
  app.add_option("--sensitive COLUMN", texts.sensitive, "the column that must stay secret");
  app.add_option("--k N", texts.k, "rows that every group must have");
  app.add_option("--l X", texts.l, "sensitive values that every group must have");
  app.add_option("--l-kind distinct|entropy", texts.l_kind,
                 "distinct (default), or entropy: as varied as that many equally frequent values");
  app.add_option("--t X", texts.t,
                 "largest distance between the values of a group and those of the table");
  app.add_option("--release FILE", texts.release, "write a table that meets all of these").writes();
  // One text a time: CLI11 must not take more than one argument, nor split at commas.
  app.add_option("--bins COLUMN=A,B,C", texts.bins, "edges to generalise numbers with")
      .repeatable();
  app.add_option("--width COLUMN=W", texts.widths, "bins of that width, then 2, 4, 8, 16 times it")
      .repeatable();
  app.add_option("--hierarchy COLUMN=FILE", texts.hierarchies, "less exact values from a file")
      .repeatable();
  app.add_option("--max-suppressed X", texts.suppression,
                 "share of rows that may be left out (default 0.05)");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kExamples);
}

const std::string& required(const char* flag, const FlagText& text) {
  if (!text) throw UsageError(std::string(flag) + " is missing");
  return *text;
}

Ladder read_bins(const std::string& edges) {
  try {
    return Ladder::bins(number_list_flag("--bins", edges));
  } catch (const InvalidArgument& error) {
    throw UsageError("--bins '" + edges + "': " + error.what());
  }
}

Ladder read_width(const std::string& width) {
  return Ladder::widths(positive_flag("--width", width));
}

Ladder read_hierarchy(const std::string& path) {
  file_flag("--hierarchy", path);
  std::ifstream input(path, std::ios::binary);
  data::CsvReader reader(input, path, data::shown_separator(path));
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> fields;
  while (reader.next(fields)) rows.push_back(fields);
  return Ladder::hierarchy(rows, path);
}

// "COLUMN=REST", for one of the columns, once.
template <typename Make>
void add_ladder(const std::string& flag, const std::string& text,
                const std::vector<std::string>& quasi, Ladders& ladders, Make make) {
  const std::string place = flag + " '" + text + "': ";
  const auto equals = text.find('=');
  const std::string column = text.substr(0, equals);
  if (equals == std::string::npos || equals == 0) throw UsageError(place + "expected COLUMN=...");
  if (std::find(quasi.begin(), quasi.end(), column) == quasi.end()) {
    throw UsageError(place + "expected one of the columns of --quasi");
  }
  if (!ladders.emplace(column, make(text.substr(equals + 1))).second) {
    throw UsageError(place + "this column has bins, a width or a hierarchy already");
  }
}

std::vector<Ladder> read_ladders(const Texts& texts, const std::vector<std::string>& quasi) {
  Ladders ladders;
  for (const auto& text : texts.bins) add_ladder("--bins", text, quasi, ladders, read_bins);
  for (const auto& text : texts.widths) add_ladder("--width", text, quasi, ladders, read_width);
  for (const auto& text : texts.hierarchies) {
    add_ladder("--hierarchy", text, quasi, ladders, read_hierarchy);
  }
  std::vector<Ladder> in_order;
  for (const auto& column : quasi) {
    const auto found = ladders.find(column);
    in_order.push_back(found == ladders.end() ? Ladder::suppression() : found->second);
  }
  return in_order;
}

anonymity::Requirements read_requirements(const Texts& texts) {
  anonymity::Requirements requirements;
  if (texts.k) requirements.k = count_flag("--k", *texts.k);
  const bool entropy = texts.l_kind.value_or("distinct") == "entropy";
  if (texts.l_kind && !entropy && *texts.l_kind != "distinct") {
    throw UsageError("--l-kind '" + *texts.l_kind + "': expected distinct or entropy");
  }
  if (texts.l) {
    const double l = number_flag("--l", *texts.l, {1, true, 1e15, true, "a number, 1 or above"});
    (entropy ? requirements.entropy : requirements.distinct) = l;
  }
  if (texts.t) {
    requirements.closeness =
        number_flag("--t", *texts.t, {0, true, 1, true, "a number from 0 to 1"});
  }
  return requirements;
}

}  // namespace

std::optional<AnonymityRequest> parse_anonymity(const Arguments& arguments) {
  FlagSet app(
      "k-anonymity, ℓ-diversity and t-closeness of a table: measures them, or makes a table that "
      "has them.",
      "sotto anonymity");
  Texts texts;
  AnonymityRequest request;
  add_flags(app, texts, request.json);
  if (!app.parse(arguments)) return std::nullopt;
  request.data = file_flag("--data", required("--data", texts.data));
  request.quasi = list_flag("--quasi", required("--quasi", texts.quasi));
  request.sensitive = required("--sensitive", texts.sensitive);
  request.release = texts.release;
  request.options.requirements = read_requirements(texts);
  request.options.ladders = read_ladders(texts, request.quasi);
  if (texts.suppression) {
    request.options.largest_suppression =
        number_flag("--max-suppressed", *texts.suppression,
                    {0, true, 1, false, "a number, 0 or above, below 1"});
  }
  const bool shapes = !texts.bins.empty() || !texts.widths.empty() || !texts.hierarchies.empty() ||
                      texts.suppression.has_value();
  if (shapes && !request.release) {
    throw UsageError("--bins, --width, --hierarchy and --max-suppressed need --release FILE");
  }
  if (request.release && !request.options.requirements.any()) {
    throw UsageError("--release '" + *request.release + "': expected with --k, --l or --t");
  }
  return request;
}

}  // namespace sotto::cli
