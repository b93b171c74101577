#include <fstream>
#include <iostream>
#include <optional>
#include <unordered_map>

#include "cli/rappor_command.h"
#include "cli/rappor_flags.h"
#include "cli/rappor_input.h"
#include "core/atomic_file.h"
#include "core/counted.h"
#include "core/folder_lock.h"
#include "core/json_number.h"
#include "core/private_file.h"
#include "rappor/report_csv.h"
#include "rappor/report_file.h"
#include "rappor/value_csv.h"
#include "sotto/rappor/rappor.h"

namespace sotto::cli {
namespace {

constexpr const char* kExamples = R"(
The input is a CSV with the columns client and value. Each client's secret is derived from the one in
--secret, which is made if the file is not there: keep it, and keep it from the server. With another
secret, the same values are released anew.

Examples:
  # the answers are known: params.json holds them
  sotto rappor encode --params params.json --secret secret.txt --metric smoking \
        --input values.csv --output reports.bin
  # they are not
  sotto rappor encode --params params.csv --secret secret.txt --metric homepage \
        --input values.csv --output reports.bin
  # basic RAPPOR, one-time: a bit for each line of answers.txt
  sotto rappor encode --answers answers.txt -f 0 -p 0.25 -q 0.75 \
        --secret secret.txt --metric colour --input values.csv --output reports.csv
)";

struct EncodeFlags {
  RapporFlags params;
  FlagText input, output, secret, metric, answers, format;
  bool json = false;
};

void declare(FlagSet& app, EncodeFlags& flags) {
  declare_params(app, flags.params);
  app.add_option("-i,--input FILE", flags.input,
                 "CSV with the columns client and value; - is stdin");
  app.add_option("-o,--output FILE", flags.output, "file of reports").writes();
  app.add_option("--secret FILE", flags.secret, "file with the secret; made if it is not there")
      .makes();
  app.add_option("--metric NAME", flags.metric,
                 "name of what is reported: metrics are randomised independently");
  declare_answers(app, flags.answers);
  app.add_option("--format csv|binary", flags.format,
                 "csv or binary (default: by the name of --output)");
  app.add_flag("--json", flags.json, "print one JSON object");
  app.footer(kExamples);
}

std::string required(const FlagText& text, const char* flag) {
  if (!text) throw UsageError(std::string(flag) + " is missing");
  return *text;
}

bool wants_csv(const EncodeFlags& flags, const std::string& output) {
  if (!flags.format) return output.ends_with(".csv");
  if (*flags.format != "csv" && *flags.format != "binary") {
    throw UsageError("--format '" + *flags.format + "': expected csv or binary");
  }
  return *flags.format == "csv";
}

// Whoever encodes first makes it; all others of the same file read that one. One that was made here
// is gone again if nothing was reported by it: until then others wait for it.
class MasterSecret {
 public:
  explicit MasterSecret(const std::string& path) : path_(path) {
    wait_for_turn();
    made_ =
        !std::filesystem::exists(path) && create_private_file(path, rappor::fresh_secret_text());
    if (!made_) turn_.reset();
  }
  ~MasterSecret() {
    std::error_code ignored;
    if (made_) std::filesystem::remove(path_, ignored);
  }
  MasterSecret(const MasterSecret&) = delete;
  MasterSecret& operator=(const MasterSecret&) = delete;

  std::string read() const { return rappor::parse_secret_text(read_private_file(path_), path_); }

  // Before reports are there for others to see.
  void keep() {
    if (made_) std::cerr << path_ << ": a new secret; keep it\n";
    made_ = false;
    turn_.reset();
  }

 private:
  // A folder that cannot be locked may hold a secret, but get none.
  void wait_for_turn() {
    const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path_));
    try {
      turn_.emplace(place.parent_path());
    } catch (const FileError&) {
      if (!std::filesystem::exists(path_)) throw;
    }
  }

  std::string path_;
  std::optional<FolderLock> turn_;  // outlives the removal
  bool made_ = false;
};

// Where reports go, in either format.
class ReportSink {
 public:
  ReportSink(std::ostream& out, bool csv, const rappor::Params& params, rappor::Profile profile)
      : out_(out) {
    if (csv) {
      out << rappor::report_csv_header();
    } else {
      binary_.emplace(out, params, profile);
    }
  }

  void add(const std::string& client, const rappor::Report& report) {
    if (binary_) {
      binary_->add(report);
    } else {
      out_ << rappor::report_csv_row(client, report);
    }
  }

  void finish() {
    if (binary_) binary_->finish();
  }

 private:
  std::ostream& out_;
  std::optional<rappor::ReportFileWriter> binary_;
};

class Encoder {
 public:
  Encoder(const EncodeFlags& flags)
      : answers_(read_answers(flags.params, flags.answers)),
        params_(params_for(flags, answers_)),
        options_{.metric = required(flags.metric, "--metric"),
                 .profile = read_profile(flags.params)} {
    for (std::uint32_t i = 0; i < answers_.size(); ++i) bit_of_[answers_[i]] = i;
    check_argument(bit_of_.size() == answers_.size(), "an answer is listed twice");
  }

  const rappor::Params& params() const { return params_; }
  rappor::Profile profile() const { return options_.profile; }

  rappor::Report encode(const rappor::ClientSecrets& secrets, const std::string& client,
                        const std::string& value) {
    options_.secret = secrets(client);
    const rappor::Client encoder(params_, options_);
    if (answers_.empty()) return encoder.encode(value, random_);
    const auto bit = bit_of_.find(value);
    // The value itself belongs into no log.
    check_argument(bit != bit_of_.end(), "the value is not one of the ", answers_.size(),
                   " possible answers");
    return encoder.encode_category(bit->second, random_);
  }

 private:
  static rappor::Params params_for(const EncodeFlags& flags,
                                   const std::vector<std::string>& answers) {
    return answers.empty() ? required_params(flags.params)
                           : basic_params(flags.params, answers.size());
  }

  std::vector<std::string> answers_;
  std::unordered_map<std::string, std::uint32_t> bit_of_;
  rappor::Params params_;
  rappor::ClientOptions options_;
  SecureRandom random_;
};

std::uint64_t encode_all(const Input& input, const MasterSecret& secret, Encoder& encoder,
                         std::ostream& out, bool csv) {
  const rappor::ClientSecrets secrets(secret.read());
  ReportSink sink(out, csv, encoder.params(), encoder.profile());
  std::uint64_t reports = 0;
  rappor::read_value_csv(input.stream(), input.name(),
                         [&](const std::string& client, const std::string& value) {
                           sink.add(client, encoder.encode(secrets, client, value));
                           ++reports;
                         });
  input.check();
  sink.finish();
  return reports;
}

// Returns how many there are.
std::uint64_t write_reports(const EncodeFlags& flags, Encoder& encoder, const std::string& output,
                            bool csv) {
  const std::string secret_file = required(flags.secret, "--secret");
  const Input input(required(flags.input, "--input"), "--input");
  AtomicFile file(output);
  MasterSecret secret(kept_file_flag("--secret", secret_file));
  std::ofstream out(file.path(), std::ios::binary);
  const std::uint64_t reports = encode_all(input, secret, encoder, out, csv);
  out.close();
  if (!out) throw FileError(output, "cannot write");
  secret.keep();
  file.commit();
  return reports;
}

}  // namespace

int rappor_encode_command(const Arguments& arguments) {
  FlagSet app("Clients: randomises values into reports.", "sotto rappor encode");
  EncodeFlags flags;
  declare(app, flags);
  if (!app.parse(arguments)) return 0;
  const std::string output = required(flags.output, "--output");
  const bool csv = wants_csv(flags, output);
  Encoder encoder(flags);
  const std::uint64_t reports = write_reports(flags, encoder, output, csv);
  const auto executed = executed_params(encoder.params(), encoder.profile());
  if (flags.json) {
    nlohmann::ordered_json json{{"reports", reports},
                                {"output", output},
                                {"format", csv ? "csv" : "binary"},
                                {"params", params_json(encoder.params())},
                                {"profile", rappor::profile_name(encoder.profile())}};
    json["epsilon_one"] = json_number(epsilon_one(executed));
    json["epsilon_infinity"] = json_number(epsilon_infinity(executed));
    std::cout << json.dump(2) << '\n';
  } else {
    std::cout << counted(reports, "report") << " in " << output << "; "
              << params_text(encoder.params()) << ", ε₁ = " << epsilon_text(epsilon_one(executed))
              << ", ε∞ = " << epsilon_text(epsilon_infinity(executed)) << '\n';
  }
  return 0;
}

}  // namespace sotto::cli
