// Speed of RAPPOR on one core: clients, sums from both formats, decoding, and the memory of a sum.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "core/gaussian_noise.h"
#include "rappor/aggregator.h"
#include "rappor/decoder.h"
#include "rappor/report_csv.h"
#include "rappor/report_file.h"

namespace {

using namespace sotto;
using namespace sotto::rappor;
using Json = nlohmann::ordered_json;

const Params kParams({.bits = 128, .hashes = 2, .cohorts = 16, .f = .5, .p = .5, .q = .75});

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median_of(int repeats, const std::function<void()>& work) {
  std::vector<double> times(static_cast<std::size_t>(repeats));
  std::generate(times.begin(), times.end(), [&] { return seconds(work); });
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<std::size_t>(repeats / 2)];
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Json rate_row(const std::string& work, double reports, double time, double bar) {
  std::printf("%-62s %8.2f million/s   bar %.0f\n", work.c_str(), reports / time / 1e6, bar);
  return {{"work", work}, {"reports_per_second", reports / time}, {"bar", bar * 1e6}};
}

std::vector<std::string> values() {
  std::vector<std::string> result;
  result.reserve(1000);
  for (int i = 0; i < 1000; ++i) result.push_back("https://example.org/page-" + std::to_string(i));
  return result;
}

Json clients() {
  constexpr int kReports = 500'000;
  const auto strings = values();
  SecureRandom random;
  std::uint64_t kept = 0;
  const Client client(kParams, {.secret = std::string(32, 's'), .metric = "bench"});
  const double one = median_of(5, [&] {
    for (int i = 0; i < kReports; ++i) {
      kept ^= client.encode(strings[static_cast<std::size_t>(i) % 1000], random).bits.words()[0];
    }
  });
  const double many = median_of(5, [&] {
    std::string secret(32, 's');
    for (int i = 0; i < kReports; ++i) {
      secret.replace(0, sizeof i, reinterpret_cast<const char*>(&i), sizeof i);
      const Client fresh(kParams, {.secret = secret, .metric = "bench"});
      kept ^= fresh.encode(strings[static_cast<std::size_t>(i) % 1000], random).bits.words()[0];
    }
  });
  if (kept == 1) std::printf(" ");  // nobody may leave the work out
  return {rate_row("encode: one client, a new value each", kReports, one, 1),
          rate_row("encode: a new client each (key, cohort, value)", kReports, many, 0)};
}

// A part of the sum's input.
std::vector<Report> drawn_reports(int count, std::uint64_t seed) {
  SeededRandomNotPrivate random(seed);
  const auto strings = values();
  std::vector<Report> reports;
  for (int i = 0; i < count; ++i) {
    const Client client(kParams, {.secret = std::to_string(random()), .metric = "bench"});
    reports.push_back(client.encode(strings[static_cast<std::size_t>(i) % 1000], random));
  }
  return reports;
}

void write_binary(const std::filesystem::path& path, const std::vector<Report>& reports,
                  int times) {
  std::ofstream out(path, std::ios::binary);
  ReportFileWriter writer(out, kParams, Profile::kSotto);
  for (int i = 0; i < times; ++i) {
    for (const auto& report : reports) writer.add(report);
  }
  writer.finish();
}

void write_csv(const std::filesystem::path& path, const std::vector<Report>& reports, int times) {
  std::ofstream out(path, std::ios::binary);
  out << report_csv_header();
  for (int i = 0; i < times; ++i) {
    for (std::size_t j = 0; j < reports.size(); ++j) {
      out << report_csv_row(std::to_string(i) + "-" + std::to_string(j), reports[j]);
    }
  }
}

double sum_seconds(const std::filesystem::path& path) {
  return median_of(3, [&] {
    std::ifstream in(path, std::ios::binary);
    Aggregator aggregator({.params = kParams});
    aggregator.add(in, path.string());
    if (aggregator.sum().counts().total() == 0) throw std::runtime_error("nothing was summed");
  });
}

Json sums(const std::filesystem::path& folder) {
  const auto reports = drawn_reports(100'000, 1);
  Json rows;
  for (const int times : {10, 100}) {
    const double count = 1e5 * times;
    write_binary(folder / "reports.bin", reports, times);
    rows.push_back(rate_row("sum: binary, " + std::to_string(times / 10) + " million reports",
                            count, sum_seconds(folder / "reports.bin"), 5));
    rows.back()["peak_megabytes"] = peak_megabytes();
  }
  for (const int times : {10, 40}) {
    const double count = 1e5 * times;
    write_csv(folder / "reports.csv", reports, times);
    rows.push_back(rate_row("sum: CSV, " + std::to_string(times / 10) + " million reports", count,
                            sum_seconds(folder / "reports.csv"), 1));
    rows.back()["peak_megabytes"] = peak_megabytes();
  }
  std::printf("%-62s %8.1f MB, and %.1f MB after ten times the reports\n", "sum: peak memory",
              rows[0]["peak_megabytes"].get<double>(), rows[1]["peak_megabytes"].get<double>());
  return rows;
}

// Counts of 10^7 reports whose cells have the means and the spread of real ones.
Counts drawn_counts(const CandidateMap& map, double reports) {
  SeededRandomNotPrivate random(2);
  const auto [p_star, q_star] = reported_rates(kParams);
  const auto in_cohort = static_cast<std::uint64_t>(reports / kParams.cohorts());
  std::vector<double> shares(kParams.cells());
  for (std::size_t candidate = 0; candidate < 200; ++candidate) {
    const double frequency = 0.02 * std::exp(-static_cast<double>(candidate) / 50);
    for (const auto cell : map.cells(candidate)) shares[cell] += frequency;
  }
  Counts counts(kParams);
  for (std::uint32_t cohort = 0; cohort < kParams.cohorts(); ++cohort) {
    std::vector<std::uint64_t> ones;
    for (std::uint32_t bit = 0; bit < kParams.bits(); ++bit) {
      const double rate =
          p_star + (q_star - p_star) * std::min(1.0, shares[cohort * kParams.bits() + bit]);
      const double spread = std::sqrt(static_cast<double>(in_cohort) * rate * (1 - rate));
      ones.push_back(static_cast<std::uint64_t>(
          add_gaussian(static_cast<double>(in_cohort) * rate, spread, random)));
    }
    counts.add(cohort, in_cohort, ones);
  }
  return counts;
}

Json decoding() {
  std::vector<std::string> candidates;
  candidates.reserve(10'000);
  for (int i = 0; i < 10'000; ++i) candidates.push_back("candidate " + std::to_string(i));
  const auto map = CandidateMap::of_strings(kParams, Profile::kSotto, candidates);
  const Counts counts = drawn_counts(map, 1e7);
  std::size_t found = 0;
  const double time = median_of(3, [&] { found = decode(counts, kParams, map).found; });
  std::printf("%-62s %8.2f s, %zu found   bar 10 s\n",
              "decode: 10 million reports, 10000 candidates", time, found);
  return {{"work", "decode"}, {"seconds", time}, {"found", found}, {"bar", 10}};
}

int measure(int argc, char** argv) {
  std::string json_file;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--json" && i + 1 < argc) {
      json_file = argv[++i];
    } else {
      std::cerr << "rappor_bench: '" << argument << "': expected --json FILE\n";
      return 2;
    }
  }
  std::printf("k = 128, h = 2, m = 16, f = 1/2, p = 1/2, q = 3/4; one core, median\n");
  const auto folder = std::filesystem::temp_directory_path() /
                      ("sotto-rappor-bench-" + std::to_string(SecureRandom()()));
  std::filesystem::create_directory(folder);
  Json rows{{"encode", clients()}, {"sum", sums(folder)}, {"decode", decoding()}};
  std::filesystem::remove_all(folder);
  if (!json_file.empty()) std::ofstream(json_file) << rows.dump(2) << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return measure(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "rappor_bench: " << error.what() << '\n';
    return 1;
  }
}
