// The files of a generator's run, and what every method needs of them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "gan/gan_data.h"
#include "runs/run_folder.h"
#include "sotto/gan/generator_file.h"

namespace sotto::gan {

class GanRun {
 public:
  enum class Goal {
    kTrain,
    kPublish,  // the generator of the checkpoint, as it is
  };

  // Both throw InvalidArgument, or FileError, as runs::RunFolder does.
  static GanRun create(const std::filesystem::path& path, const GanConfig& config);
  static GanRun open(const std::filesystem::path& path, Goal goal = Goal::kTrain);

  const runs::RunFolder& folder() const { return folder_; }
  const GanConfig& config() const { return config_; }
  Goal goal() const { return goal_; }
  std::filesystem::path embedding() const { return folder_.path() / "embedding.pt"; }
  std::filesystem::path generator() const { return folder_.path() / "generator.pt"; }
  std::filesystem::path critic() const { return folder_.path() / "critic.pt"; }

  // A line of metrics.jsonl, and losses.svg with all of them.
  void append_metrics(const nlohmann::json& line) const;
  // The same in metrics.private.jsonl and losses.private.svg, for what ε does not cover.
  void append_private_metrics(const nlohmann::json& line) const;
  // samples-STEP.png: some of every class. Nothing for tables.
  void show_samples(const Generator& generator, const GeneratorCard& card, std::int64_t step) const;

 private:
  GanRun(runs::RunFolder folder, GanConfig config);

  runs::RunFolder folder_;
  GanConfig config_;
  Goal goal_ = Goal::kTrain;
};

// Classes in rows, on one picture, PNG. For images.
std::string sample_sheet(const Generator& generator, const GeneratorCard& card);

// The card of new networks for these data: every class as frequent as any other.
GeneratorCard new_card(const GanConfig& config, const GanData& data);

}  // namespace sotto::gan
