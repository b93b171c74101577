// Reports in a compact binary file (docs/rappor.md has the layout): the parameters, blocks of
// reports, and an end that says how many there were. Every part carries the file's random identity
// and a CRC-32, blocks are numbered: a file that is cut, damaged, reordered, repeated in part or
// mixed with another is refused. (Nobody who can write the file is kept from forging it.)
#pragma once

#include <array>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "rappor/row_problems.h"
#include "sotto/rappor/rappor.h"

namespace sotto::rappor {

using FileIdentity = std::array<std::uint8_t, 16>;

// 16 unpredictable bytes.
FileIdentity fresh_identity();
// As 32 hexadecimal digits.
std::string identity_text(const FileIdentity& identity);

// A report: its cohort and its ⌈k/64⌉ words.
using ReportVisitor = std::function<void(std::uint32_t cohort, const std::uint64_t* words)>;

class ReportFileWriter {
 public:
  // Writes the header. `out` must outlive the writer, and be checked by the caller: a stream that
  // fails stays failed.
  ReportFileWriter(std::ostream& out, const Params& params, Profile profile,
                   const FileIdentity& identity = fresh_identity());

  // Throws InvalidArgument unless the report fits the parameters.
  void add(const Report& report);
  // Writes what is left and the end. Nothing may be added afterwards. A file without it is refused
  // by readers.
  void finish();

 private:
  void write_block();
  void write_sealed(std::string part);

  std::ostream& out_;
  Params params_;
  FileIdentity identity_;
  std::string records_;
  std::uint32_t in_block_ = 0;
  std::uint32_t blocks_ = 0;
  std::uint64_t reports_ = 0;
};

class ReportFileReader {
 public:
  // Reads the header. Errors call the stream `name`. Throws InvalidArgument.
  ReportFileReader(std::istream& in, std::string name);

  const Params& params() const { return params_; }
  Profile profile() const { return profile_; }
  const FileIdentity& identity() const { return identity_; }

  // Visits every report, then checks the end: reports visited before an exception count for
  // nothing. A report whose cohort or bits are out of range goes to `problems`. Throws
  // InvalidArgument.
  void read(const ReportVisitor& visit, RowProblems& problems);

 private:
  std::string read_block(std::uint32_t block);
  void read_records(std::string_view records, std::uint32_t count, const ReportVisitor& visit,
                    RowProblems& problems);

  std::istream& in_;
  std::string name_;
  Params params_;
  Profile profile_ = Profile::kSotto;
  FileIdentity identity_{};
  std::uint64_t reports_ = 0;
};

// True if a file that starts with these bytes is meant to be one.
bool is_report_file(std::string_view first_bytes);

}  // namespace sotto::rappor
