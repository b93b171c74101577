// Where reports are written, in either format.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "rappor/report_csv.h"
#include "rappor/report_file.h"

namespace sotto::rappor {

enum class ReportFormat { kCsv, kBinary };

class ReportSink {
 public:
  // Writes the header. `out` must outlive it, and be checked by the caller.
  ReportSink(std::ostream& out, ReportFormat format, const Params& params, Profile profile)
      : out_(out) {
    if (format == ReportFormat::kCsv) {
      out << report_csv_header();
    } else {
      binary_.emplace(out, params, profile);
    }
  }

  void add(const std::string& client, const Report& report) {
    if (binary_) {
      binary_->add(report);
    } else {
      out_ << report_csv_row(client, report);
    }
  }

  // Nothing may be added afterwards.
  void finish() {
    if (binary_) binary_->finish();
  }

 private:
  std::ostream& out_;
  std::optional<ReportFileWriter> binary_;
};

}  // namespace sotto::rappor
