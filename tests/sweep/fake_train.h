// A program beside a copy of sotto that answers like sotto-torch, in a moment: a shell script.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "plan/ledger.h"
#include "plan/plan_json.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/plan/plan.h"
#include "tests/core/temporary_folder.h"
#include "tests/sweep/run_folders.h"

namespace sotto::sweep {

// ε of so many steps of a run at δ = 1e-5.
inline double fake_epsilon(double noise_multiplier, std::int64_t steps) {
  const Plan plan = swept_plan(noise_multiplier);
  return accounting::cost_at_delta(plan.composition(steps), plan.neighbours(), runs::kRunDelta)
      .epsilon;
}

// Leaves `path` with so many steps charged.
inline void make_ledger(const std::filesystem::path& path, double noise_multiplier, int steps) {
  Ledger ledger = Ledger::create(path, json_of(swept_plan(noise_multiplier)));
  if (steps > 0) ledger.charge_steps(steps);
}

// It understands --help, --learning-rate, --noise-multiplier (folders for 1 and 2), --disable-dp,
// --resume, --output and --threads; others, such as --dataset, it takes and ignores.
// Accuracy is 0.8 + learning rate / 100, at most 1. By learning rate it also does other things: 66
// is refused (status 2), 13 fails (status 1), 44 ends well and leaves no result, 77 charges half
// the steps, tells so, and waits until the file `go` is there, or ends when asked to.
class FakeTrain {
 public:
  FakeTrain() {
    std::filesystem::copy_file(SOTTO_PROGRAM, program());
    for (const int noise : {1, 2}) {
      write_swept_run(folder_ / ("full-" + std::to_string(noise)), noise);
      make_ledger(folder_ / ("half-" + std::to_string(noise)), noise, 50);
    }
    runs::write_plain_run(folder_ / "plain", "digits");
    std::ofstream(script()) << kScript;
    std::filesystem::permissions(script(), std::filesystem::perms::owner_all);
  }

  std::filesystem::path path() const { return folder_.path(); }
  std::filesystem::path program() const { return folder_ / "sotto"; }
  std::filesystem::path script() const { return folder_ / "sotto-torch"; }
  std::filesystem::path sweep() const { return folder_ / "sweep"; }
  // Lets runs with learning rate 77 go on.
  void release() const { std::ofstream(folder_ / "go") << "go"; }
  // One line for each start of training: its arguments.
  std::vector<std::string> starts() const { return lines_of("starts"); }
  // "begin" and "end", as training did.
  std::vector<std::string> events() const { return lines_of("events"); }
  // One line for each run with learning rate 77 that has got to where it waits.
  std::vector<std::string> waiting() const { return lines_of("waiting"); }

 private:
  std::vector<std::string> lines_of(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  static constexpr const char* kScript = R"(#!/bin/sh
here=$(dirname "$0")
shift
lr=1 noise=1 private=true resume=
given="$*"
while [ $# -gt 0 ]; do
  case $1 in
    --help) cat <<END
Options:
  -h,--help                   help
  --lr,--learning-rate TEXT   learning rate
  -n,--noise-multiplier TEXT  noise
  --model TEXT                which
  -o,--output TEXT            folder
  --resume                    go on
  --threads TEXT              cores
  --disable-dp                without privacy
  --json                      print one JSON object
END
      exit ;;
    --learning-rate) lr=$2; shift ;;
    --noise-multiplier) noise=$2; shift ;;
    --model | --dataset | --delta | --method | --loss | --clipping) shift ;;
    --temperature | --input-bound | --weight-decay | --average) shift ;;
    --max-grad-norm | --epochs | --insecure-seed) shift ;;
    --output) output=$2; shift ;;
    --threads) shift ;;
    --disable-dp) private=false ;;
    --resume) resume=yes ;;
    --json | --one-of-several) ;;
    *) echo "sotto train: $1: unexpected" >&2; exit 2 ;;
  esac
  shift
done
echo "$given" >>"$here/starts"
echo begin >>"$here/events"
trap 'echo end >>"$here/events"' EXIT
if [ -n "$resume" ]; then
  . "$output/settings"
else
  [ "$lr" = 66 ] && { echo "sotto train: it does not suit the data" >&2; exit 2; }
  mkdir "$output" || exit 2
  echo "lr=$lr noise=$noise private=$private" >"$output/settings"
  dp=false; [ $private = false ] && dp=true
  echo "{\"delta\": 1e-5, \"disable_dp\": $dp}" >"$output/config.json"
fi
[ $private = true ] && cp "$here/half-$noise" "$output/ledger.jsonl"
[ "$lr" = 13 ] && { echo "sotto train: unlucky" >&2; exit 1; }
[ "$lr" = 44 ] && exit
if [ "$lr" = 77 ]; then
  trap 'echo "sotto train: stopped" >&2; exit 1' TERM
  echo $$ >>"$here/waiting"
  until [ -e "$here/go" ]; do sleep 0.02; done
fi
whole="$here/plain"
[ $private = true ] && whole="$here/full-$noise"
cp -r "$whole/." "$output"
accuracy=$(awk "BEGIN { a = 0.8 + $lr / 100; print (a < 1 ? a : 1) }")
echo "{\"accuracy\": $accuracy, \"loss\": 0.5, \"seconds\": 0.5}" >"$output/evaluation.json"
)";

  TemporaryFolder folder_;
};

}  // namespace sotto::sweep
