#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/counted.h"
#include "rappor/params_text.h"
#include "rappor/partial_sum.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "sotto-rappor-sum-1";

Params params_from(const Json& json) {
  return Params({.bits = json.at("k").get<std::int64_t>(),
                 .hashes = json.at("h").get<std::int64_t>(),
                 .cohorts = json.at("m").get<std::int64_t>(),
                 .f = json.at("f").get<double>(),
                 .p = json.at("p").get<double>(),
                 .q = json.at("q").get<double>()});
}

Json cohort_json(const Counts& counts, std::uint32_t cohort) {
  Json ones = Json::array();
  for (std::uint32_t bit = 0; bit < counts.bits(); ++bit) ones.push_back(counts.ones(cohort, bit));
  return {{"reports", counts.reports(cohort)}, {"ones", ones}};
}

// A JSON library would take -1 or 1.5 for a count.
std::uint64_t count_from(const Json& json) {
  check_argument(json.is_number_unsigned(), "a count is not a whole number");
  return json.get<std::uint64_t>();
}

Counts counts_from(const Json& json, const Params& params) {
  check_argument(json.is_array() && json.size() == params.cohorts(), "expected ",
                 counted(params.cohorts(), "cohort"));
  Counts counts(params);
  for (std::uint32_t cohort = 0; cohort < params.cohorts(); ++cohort) {
    std::vector<std::uint64_t> ones;
    for (const auto& count : json[cohort].at("ones")) ones.push_back(count_from(count));
    counts.add(cohort, count_from(json[cohort].at("reports")), ones);
  }
  return counts;
}

Source source_from(const Json& json) {
  Source source{json.at("id").get<std::string>(), count_from(json.at("reports"))};
  const bool hexadecimal = source.id.size() == 32 &&
                           source.id.find_first_not_of("0123456789abcdef") == std::string::npos;
  check_argument(hexadecimal, "a source's id is not 32 hexadecimal digits");
  return source;
}

PartialSum sum_from(const Json& json) {
  check_argument(json.at("format") == kFormat, "expected the format ", kFormat);
  const Params params = params_from(json.at("params"));
  const Counts counts = counts_from(json.at("counts"), params);
  std::vector<Source> sources;
  std::uint64_t reports = 0;
  for (const auto& source : json.at("sources")) {
    sources.push_back(source_from(source));
    check_argument(sources.back().reports <= counts.total(),
                   "a source has more reports than the sum");
    reports += sources.back().reports;
  }
  check_argument(reports == counts.total(), "the sources have ", counted(reports, "report"),
                 ", the counts ", counts.total());
  check_argument(count_from(json.at("reports")) == counts.total(),
                 "the number of reports is not that of the counts");
  return PartialSum(params, profile_from_name(json.at("profile").get<std::string>()), counts,
                    std::move(sources), count_from(json.at("malformed")));
}

}  // namespace

std::string format_partial_sum(const PartialSum& sum) {
  Json json{{"format", kFormat},
            {"params", params_json(sum.params())},
            {"profile", profile_name(sum.profile())},
            {"reports", sum.counts().total()},
            {"malformed", sum.malformed()},
            {"sources", Json::array()},
            {"counts", Json::array()}};
  for (const auto& source : sum.sources()) {
    json["sources"].push_back({{"id", source.id}, {"reports", source.reports}});
  }
  for (std::uint32_t cohort = 0; cohort < sum.params().cohorts(); ++cohort) {
    json["counts"].push_back(cohort_json(sum.counts(), cohort));
  }
  return json.dump() + '\n';
}

PartialSum parse_partial_sum(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  check_argument(json.is_object(), name, ": is not one JSON object: cut off or damaged");
  try {
    return sum_from(json);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(name + ": " + error.what());
  } catch (const Json::exception&) {
    throw InvalidArgument(name + ": is not a sum of reports as sotto writes it");
  }
}

bool is_partial_sum(std::string_view first_bytes) { return first_bytes.starts_with('{'); }

}  // namespace sotto::rappor
