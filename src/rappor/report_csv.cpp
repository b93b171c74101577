#include "rappor/report_csv.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "core/byte_order_mark.h"
#include "core/csv_field.h"
#include "rappor/csv_fields.h"
#include "rappor/line_reader.h"
#include "rappor/repeated_rows.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

constexpr std::string_view kHeader = "client,cohort,bloom,prr,irr";

struct Columns {
  std::size_t cohort;
  std::size_t irr;
  std::size_t count;
};

Columns columns_in(std::string_view header, const std::string& name) {
  const auto fields = split_fields(header);
  check_argument(fields.has_value(), name, ", line 1: ", shown(header),
                 ": expected a header with the columns cohort and irr");
  const auto position = [&](const char* column) {
    const auto found = std::find(fields->begin(), fields->end(), column);
    check_argument(found != fields->end(), name, ", line 1: ", shown(header),
                   ": expected a header with the columns cohort and irr");
    return static_cast<std::size_t>(found - fields->begin());
  };
  return {position("cohort"), position("irr"), fields->size()};
}

struct RowFields {
  std::string_view cohort;
  std::string_view irr;
};

// Without quotes, which is the usual case, nothing is copied. Nothing if the number of fields is
// wrong.
std::optional<RowFields> plain_fields(std::string_view line, const Columns& columns) {
  RowFields fields;
  std::size_t column = 0;
  for (std::size_t at = 0;; ++column) {
    const void* comma = std::memchr(line.data() + at, ',', line.size() - at);
    const std::size_t end =
        comma == nullptr ? line.size()
                         : static_cast<std::size_t>(static_cast<const char*>(comma) - line.data());
    const std::string_view field = line.substr(at, end - at);
    if (column == columns.cohort) fields.cohort = field;
    if (column == columns.irr) fields.irr = field;
    if (end == line.size()) break;
    at = end + 1;
  }
  if (column + 1 != columns.count) return std::nullopt;
  return fields;
}

// Eight digits, the highest bit first; false unless all are 0 or 1.
bool eight_bits(const char* digits, std::uint64_t& bits) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(digits[i])} << (8 * i);
  }
  constexpr std::uint64_t kLowBits = 0x0101010101010101U;
  if ((word & ~kLowBits) != 0x30 * kLowBits) return false;
  bits = (word & kLowBits) * 0x8040201008040201U >> 56U;  // gathers the eight low bits
  return true;
}

// False unless the text consists of exactly k digits 0 and 1.
bool parse_bits(std::string_view text, std::uint32_t size, std::vector<std::uint64_t>& words) {
  if (text.size() != size) return false;
  std::fill(words.begin(), words.end(), 0);
  std::uint32_t bit = 0;
  for (; bit + 8 <= size; bit += 8) {
    std::uint64_t bits = 0;
    if (!eight_bits(text.data() + size - bit - 8, bits)) return false;
    words[bit / 64] |= bits << (bit % 64);
  }
  for (; bit < size; ++bit) {
    const char digit = text[size - 1 - bit];
    if (digit != '0' && digit != '1') return false;
    words[bit / 64] |= std::uint64_t{digit == '1'} << (bit % 64);
  }
  return true;
}

class Rows {
 public:
  Rows(const Params& params, const Columns& columns)
      : params_(params), columns_(columns), words_((params.bits() + 63) / 64) {}

  // What is wrong with the row, or null.
  const char* parse(std::string_view line) {
    if (line.find('"') != std::string_view::npos) return parse_quoted(line);
    const auto fields = plain_fields(line, columns_);
    return fields ? parse_fields(*fields) : "the number of fields differs from the header's";
  }

  std::uint32_t cohort() const { return cohort_; }
  const std::uint64_t* words() const { return words_.data(); }

 private:
  const char* parse_quoted(std::string_view line) {
    const auto fields = split_fields(line);
    if (!fields || fields->size() != columns_.count) {
      return "the number of fields differs from the header's";
    }
    return parse_fields({(*fields)[columns_.cohort], (*fields)[columns_.irr]});
  }

  const char* parse_fields(const RowFields& fields) {
    const auto cohort = whole_number(fields.cohort);
    if (!cohort || *cohort >= params_.cohorts()) return "cohort is not a number below m";
    if (!parse_bits(fields.irr, params_.bits(), words_)) return "irr is not k digits 0 or 1";
    cohort_ = static_cast<std::uint32_t>(*cohort);
    return nullptr;
  }

  Params params_;
  Columns columns_;
  std::uint32_t cohort_ = 0;
  std::vector<std::uint64_t> words_;
};

std::string hexadecimal(std::uint64_t value) {
  std::string text;
  for (unsigned shift = 64; shift > 0; shift -= 4) {
    text += "0123456789abcdef"[value >> (shift - 4) & 15U];
  }
  return text;
}

// Sums of hashes do not depend on the order of the rows.
class Fingerprint {
 public:
  void add(std::uint64_t hash) {
    first_ += hash;
    second_ += row_hash(&hash, sizeof hash, 1);
  }
  std::string text() const { return hexadecimal(first_) + hexadecimal(second_); }

 private:
  std::uint64_t first_ = 0;
  std::uint64_t second_ = 0;
};

}  // namespace

std::string report_csv_header() { return std::string(kHeader) + '\n'; }

std::string report_csv_row(std::string_view client, const Report& report) {
  return csv_field(client) + ',' + std::to_string(report.cohort) + ",,," + report.bits.text() +
         '\n';
}

ReportCsvSummary read_report_csv(std::istream& in, const std::string& name, const Params& params,
                                 const ReportVisitor& visit, RowProblems& problems) {
  LineReader lines(in);
  const auto first = lines.next();
  check_argument(first.has_value(), name, ": is empty; expected the header ", kHeader);
  const std::string header(*first);
  Rows rows(params, columns_in(header, name));
  ReportCsvSummary summary;
  Fingerprint fingerprint;
  RepeatedRows repeated;
  while (const auto line = lines.next()) {
    check_argument(without_byte_order_mark(*line) != header, name, ", line ", lines.number(),
                   ": the header again: files were put together; sum them one by one");
    if (const char* problem = rows.parse(*line)) {
      problems.add(name + ", line " + std::to_string(lines.number()) + ": " + problem);
      continue;
    }
    visit(rows.cohort(), rows.words());
    const std::uint64_t hash = row_hash(line->data(), line->size(), 0);
    fingerprint.add(hash);
    repeated.add(hash);
    ++summary.reports;
  }
  summary.fingerprint = fingerprint.text();
  summary.repeated = repeated.repeated();
  summary.sampled = repeated.sampled();
  return summary;
}

}  // namespace sotto::rappor
