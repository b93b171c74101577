#include "tests/runs/run_files.h"

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/base64.h"
#include "data/image.h"
#include "data/png_image.h"
#include "plan/ledger.h"
#include "plan/plan_json.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/accounting/statement.h"

namespace sotto::runs {
namespace {

using nlohmann::json;

accounting::PrivacyCost cost_of(const Plan& plan, std::int64_t steps) {
  return accounting::cost_at_delta(plan.composition(steps), plan.neighbours(), kRunDelta);
}

json privacy_of(const Plan& plan, std::int64_t steps, const std::string& ledger_hash) {
  const auto cost = cost_of(plan, steps);
  const auto statement = accounting::privacy_statement(plan.run_of(steps), plan.neighbours(), cost);
  return {{"private", true},
          {"plan", json_of(plan)},
          {"steps", steps},
          {"epsilon", cost.epsilon},
          {"epsilon_lower", *cost.epsilon_lower},
          {"delta", kRunDelta},
          {"accountant", "pld"},
          {"ledger_hash", ledger_hash},
          {"statement",
           {{"promise", statement.promise},
            {"protects", statement.protects},
            {"sampling", statement.sampling_assumption},
            {"noise", statement.noise_assumption}}},
          {"shown_during_training", "Training losses are not covered by ε."},
          {"not_covered_by_epsilon", {"train_loss", "discarded_samples"}},
          {"warnings", json::array()}};
}

std::string charged_ledger(const std::filesystem::path& path, const json& plan,
                           std::int64_t steps) {
  std::filesystem::remove(path);
  auto ledger = Ledger::create(path, plan);
  ledger.charge_steps(steps);
  return ledger.head_hash();
}

void write_metrics(const std::filesystem::path& folder, bool with_epsilon) {
  std::string lines;
  for (int epoch = 1; epoch <= 4; ++epoch) {
    json line = {{"epoch", epoch},
                 {"step", 10 * epoch},
                 {"train_loss", 2.0 / epoch},
                 {"test_loss", 2.1 / epoch},
                 {"test_accuracy", 0.8 + 0.01 * epoch},
                 {"seconds", 1.5 * epoch}};
    if (with_epsilon) line["epsilon"] = 0.3 * epoch;
    lines += line.dump() + "\n";
  }
  write_file_atomically(folder / "metrics.jsonl", lines);
}

json config_of(const std::string& dataset, std::int64_t batch_size) {
  return {{"dataset", dataset},   {"model", "cnn"},           {"method", "dp-sgd"},
          {"epochs", 4},          {"batch_size", batch_size}, {"disable_dp", false},
          {"learning_rate", 0.5}, {"seed", nullptr},          {"clipless", {{"margin", 1.0}}}};
}

}  // namespace

Plan plan_of(const RunFiles& files) {
  PlanOptions options;
  options.dataset_size = 1000;
  options.batch_size = files.batch_size;
  options.steps = files.steps;
  options.noise_multiplier = files.noise_multiplier;
  options.sampling = files.sampling;
  options.group_size = files.group_size;
  options.fill_batches = false;
  return Plan(options);
}

double epsilon_of(const RunFiles& files) { return cost_of(plan_of(files), files.steps).epsilon; }

void write_run(const std::filesystem::path& folder, const RunFiles& files) {
  std::filesystem::create_directories(folder);
  const Plan plan = plan_of(files);
  const auto hash = charged_ledger(folder / "ledger.jsonl", json_of(plan), files.steps);
  write_json(folder / "privacy.json", privacy_of(plan, files.steps, hash));
  auto config = config_of(files.dataset, files.batch_size);
  if (!files.data_identity.empty()) config["data_identity"] = files.data_identity;
  write_json(folder / "config.json", config);
  write_metrics(folder, /*with_epsilon=*/true);
  if (files.with_evaluation) write_json(folder / "evaluation.json", evaluation_json());
}

void write_held_out_release(const std::filesystem::path& run, double epsilon) {
  const auto path = run / "held_out.jsonl";
  std::filesystem::remove(path);
  auto ledger = Ledger::create(path, {{"release", "answers"}, {"epsilon", epsilon}});
  ledger.charge_event("held-out answers", {{"epsilon", epsilon}, {"delta", 0}});
  edit_json(run / "privacy.json", [&](json& privacy) {
    privacy["held_out"] = {{"epsilon", epsilon}, {"delta", 0}, {"ledger_hash", ledger.head_hash()}};
  });
}

void write_plain_run(const std::filesystem::path& folder, const std::string& dataset) {
  std::filesystem::create_directories(folder);
  write_json(
      folder / "privacy.json",
      {{"private", false},
       {"epsilon", "Infinity"},
       {"statement", {{"promise", "THIS RUN IS NOT PRIVATE: without clipping and noise."}}}});
  auto config = config_of(dataset, 100);
  config["disable_dp"] = true;
  write_json(folder / "config.json", config);
  write_metrics(folder, /*with_epsilon=*/false);
}

void write_seeded_run(const std::filesystem::path& folder) {
  write_run(folder);
  auto recorded = json_of(plan_of({}));
  recorded["not_private"] = "noise came from a seed";
  charged_ledger(folder / "ledger.jsonl", recorded, RunFiles{}.steps);
  edit_json(folder / "privacy.json", [](json& privacy) {
    privacy["private"] = false;
    privacy["statement"] = {{"promise", "THIS RUN IS NOT PRIVATE: noise came from a seed."}};
  });
}

void write_generator_run(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  PlanOptions options = plan_of({}).options();
  options.releases = {{"label counts", 10}};
  const Plan plan(options);
  const auto hash = charged_ledger(folder / "ledger.jsonl", json_of(plan), *options.steps);
  auto privacy = privacy_of(plan, *options.steps, hash);
  privacy.erase("not_covered_by_epsilon");
  write_json(folder / "privacy.json", privacy);
  write_json(folder / "config.json", {{"kind", "gan"},
                                      {"method", "basic"},
                                      {"networks", nullptr},
                                      {"data", {{"dataset", "digits"}}}});
  write_file_atomically(folder / "metrics.jsonl",
                        R"({"critic_loss":7.8,"epsilon":0.5,"generator_loss":-0.36,"step":5})"
                        "\n"
                        R"({"critic_loss":2.2,"epsilon":0.7,"generator_loss":-1.9,"step":10})"
                        "\n");
  write_file_atomically(folder / "samples-000010.png",
                        data::encode_png({2, 2, 1, std::string("\x00\x40\x80\xFF", 4)}));
}

json evaluation_json() {
  return {{"accuracy", 0.8408},
          {"loss", 0.52},
          {"samples", 300},
          {"class_names", {"Shirt", "Dress", "Bag"}},
          {"confusion", {{80, 20, 0}, {7, 90, 3}, {1, 0, 99}}},
          {"predictions",
           {{{"label", 0},
             {"prediction", 1},
             {"probability", 0.71},
             {"width", 2},
             {"height", 1},
             {"channels", 1},
             {"pixels", base64(std::string("\x00\xFF", 2))}},
            {{"label", 2}, {"prediction", 2}, {"probability", 0.9}, {"values", {1.5, 2, -3}}}}},
          {"profile",
           {{{"part", "gradients"}, {"seconds", 12.3}}, {{"part", "noise"}, {"seconds", 2}}}},
          {"seconds", 25.1}};
}

json read_json(const std::filesystem::path& path) { return json::parse(read_file(path)); }

void write_json(const std::filesystem::path& path, const json& json) {
  write_file_atomically(path, json.dump(2) + "\n");
}

}  // namespace sotto::runs
