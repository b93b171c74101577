#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/rappor_command.h"
#include "cli/rappor_flags.h"
#include "cli/rappor_input.h"
#include "core/atomic_file.h"
#include "core/counted.h"
#include "core/json_number.h"
#include "core/output_file.h"
#include "rappor/master_secret.h"
#include "rappor/report_sink.h"
#include "rappor/value_csv.h"
#include "rappor/value_encoder.h"

namespace sotto::cli {
namespace {

using rappor::ReportFormat;

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

ReportFormat read_format(const EncodeFlags& flags, const std::string& output) {
  if (!flags.format) return output.ends_with(".csv") ? ReportFormat::kCsv : ReportFormat::kBinary;
  if (*flags.format != "csv" && *flags.format != "binary") {
    throw UsageError("--format '" + *flags.format + "': expected csv or binary");
  }
  return *flags.format == "csv" ? ReportFormat::kCsv : ReportFormat::kBinary;
}

rappor::ValueEncoder encoder_for(const EncodeFlags& flags) {
  const auto answers = read_answers(flags.params, flags.answers);
  const auto params =
      answers.empty() ? required_params(flags.params) : basic_params(flags.params, answers.size());
  return {params,
          {.metric = required(flags.metric, "--metric"), .profile = read_profile(flags.params)},
          answers};
}

std::uint64_t encode_all(const Input& input, const rappor::MasterSecret& secret,
                         rappor::ValueEncoder& encoder, std::ostream& out, ReportFormat format) {
  const rappor::ClientSecrets secrets(secret.read());
  rappor::ReportSink sink(out, format, encoder.params(), encoder.profile());
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
std::uint64_t write_reports(const EncodeFlags& flags, rappor::ValueEncoder& encoder,
                            const std::string& output, ReportFormat format) {
  const std::string secret_file = required(flags.secret, "--secret");
  const Input input(required(flags.input, "--input"), "--input");
  AtomicFile file(output);
  rappor::MasterSecret secret(kept_file_flag("--secret", secret_file));
  OutputFile out(file.path(), output);
  const std::uint64_t reports = encode_all(input, secret, encoder, out.stream(), format);
  out.finish();
  if (secret.keep()) std::cerr << secret_file << ": a new secret; keep it\n";
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
  const auto format = read_format(flags, output);
  auto encoder = encoder_for(flags);
  const std::uint64_t reports = write_reports(flags, encoder, output, format);
  const auto executed = executed_params(encoder.params(), encoder.profile());
  if (flags.json) {
    nlohmann::ordered_json json{{"reports", reports},
                                {"output", output},
                                {"format", format == ReportFormat::kCsv ? "csv" : "binary"},
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
