// Reports as google/rappor writes them: CSV with the header client,cohort,bloom,prr,irr; bits with
// the highest first.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "rappor/report_file.h"

namespace sotto::rappor {

// "client,cohort,bloom,prr,irr\n".
std::string report_csv_header();

// A row. The columns bloom and prr stay empty: they are for simulations, and no server may see
// them.
std::string report_csv_row(std::string_view client, const Report& report);

struct ReportCsvSummary {
  std::uint64_t reports = 0;
  // Of the rows, whatever their order: the same reports, shuffled, have the same one.
  std::string fingerprint{};
  // Rows that occur word for word more than once, among those looked at: all of the first 65536
  // distinct ones, a sample of them later.
  std::size_t repeated = 0;
  std::size_t sampled = 0;
};

// Visits the report of every row; columns are found by the header's names, of which only cohort and
// irr must be there. Rows that are not reports go to `problems`, with their line. Memory does not
// depend on the number of rows. Throws InvalidArgument for a missing header, or for a second one
// further down (files put together: each row might be there twice).
ReportCsvSummary read_report_csv(std::istream& in, const std::string& name, const Params& params,
                                 const ReportVisitor& visit, RowProblems& problems);

}  // namespace sotto::rappor
