// Speed of accounting: whole processes, single answers, and how they grow with the number of steps.
// Not Google Benchmark: half of what is measured here is a whole process, and the other half is
// reported beside the width of the interval it obtained.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sotto/accounting/accounting.h"

namespace {

using namespace sotto::accounting;
using Json = nlohmann::ordered_json;

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median_of(int repeats, const std::function<void()>& work) {
  std::vector<double> times(static_cast<std::size_t>(repeats));
  std::generate(times.begin(), times.end(), [&] { return milliseconds(work); });
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<std::size_t>(repeats / 2)];
}

// The whole process, from fork to exit, without a shell between.
void run_program(const std::string& arguments) {
  std::vector<std::string> words{SOTTO_PROGRAM};
  std::istringstream stream(arguments);
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    execv(SOTTO_PROGRAM, argv.data());
    _exit(127);
  }
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error("failed: sotto " + arguments);
}

Json row(const std::string& work, double time, double width) {
  std::printf("%-58s %10.2f", work.c_str(), time);
  if (width >= 0) std::printf("   %8.1e", width);
  std::printf("\n");
  return {{"work", work}, {"ms", time}, {"relative_width", width >= 0 ? Json(width) : Json()}};
}

Enclosure thesis_epsilon(std::int64_t steps, double width) {
  const Composition run(PoissonGaussianEvent(64.0 / 60000, 1), steps);
  return PldAccountant(run, Neighbours(), {.relative_width = width}).epsilon(1e-5);
}

// Sizes, noise and lengths as training uses them: 10 × 10 × 10.
std::vector<Composition> thousand_configurations() {
  std::vector<Composition> runs;
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 10; ++j) {
      for (int k = 0; k < 10; ++k) {
        runs.emplace_back(PoissonGaussianEvent(0.001 * std::pow(1.6, i), 0.6 * std::pow(1.25, j)),
                          static_cast<std::int64_t>(100 * std::pow(2, k)));
      }
    }
  }
  return runs;
}

Json whole_processes() {
  const std::string thesis = "budget -s 60000 -b 64 -n 1.0 -e 15 -d 1e-5 --json";
  Json rows;
  rows.push_back(
      row("process: sotto --version", median_of(31, [] { run_program("--version"); }), -1));
  rows.push_back(row("process: thesis run, default (pld)",
                     median_of(31, [&] { run_program(thesis); }),
                     thesis_epsilon(14070, 1e-4).relative_width()));
  rows.push_back(row("process: thesis run, rdp",
                     median_of(31, [&] { run_program(thesis + " --accountant rdp"); }), -1));
  return rows;
}

Json library_calls() {
  Json rows;
  for (const double width : {1e-3, 1e-4, 1e-5}) {
    Enclosure interval{};
    const double time = median_of(15, [&] { interval = thesis_epsilon(14070, width); });
    rows.push_back(row("library: thesis run, pld", time, interval.relative_width()));
  }
  const Composition run(PoissonGaussianEvent(64.0 / 60000, 1), 14070);
  rows.push_back(row("library: thesis run, rdp, 151 orders",
                     median_of(31, [&] { RdpAccountant(run, Neighbours()).epsilon(1e-5); }), -1));
  const auto runs = thousand_configurations();
  double worst_width = 0;
  const double pld = milliseconds([&] {
    for (const auto& each : runs) {
      worst_width =
          std::max(worst_width, PldAccountant(each, Neighbours()).epsilon(1e-5).relative_width());
    }
  });
  rows.push_back(row("library: 1000 configurations, pld (worst width)", pld, worst_width));
  const double rdp = milliseconds([&] {
    for (const auto& each : runs) RdpAccountant(each, Neighbours()).epsilon(1e-5);
  });
  rows.push_back(row("library: 1000 configurations, rdp", rdp, -1));
  return rows;
}

Json growth_with_steps() {
  Json rows;
  for (const std::int64_t steps : {10L, 1000L, 100'000L, 10'000'000L}) {
    Enclosure interval{};
    const double time = median_of(7, [&] { interval = thesis_epsilon(steps, 1e-3); });
    rows.push_back(
        row("growth: " + std::to_string(steps) + " steps, pld", time, interval.relative_width()));
  }
  return rows;
}

int measure(int argc, char** argv) {
  std::string json_file;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--json" && i + 1 < argc) {
      json_file = argv[++i];
    } else {
      std::cerr << "accounting_bench: '" << argument << "': expected --json FILE\n";
      return 2;
    }
  }
  std::printf("%-58s %10s   %8s\n", "work (one core, median)", "ms", "width");
  Json rows = Json::array();
  for (const auto& group : {whole_processes(), library_calls(), growth_with_steps()}) {
    for (const auto& each : group) rows.push_back(each);
  }
  if (!json_file.empty()) std::ofstream(json_file) << rows.dump(2) << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return measure(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "accounting_bench: " << error.what() << '\n';
    return 1;
  }
}
