// The files of a generator's run, and what every method needs of them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "gan/gan_data.h"
#include "sotto/gan/generator_file.h"
#include "train/new_folder.h"

namespace sotto::gan {

class GanRun {
 public:
  // Throws InvalidArgument, or FileError, as train::NewFolder does.
  static GanRun create(const std::filesystem::path& path, const GanConfig& config);
  static GanRun open(const std::filesystem::path& path);
  // For a run that could not begin.
  void remove_unused() const;

  const GanConfig& config() const { return config_; }
  std::filesystem::path ledger() const { return path_ / "ledger.jsonl"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.pt"; }
  std::filesystem::path embedding() const { return path_ / "embedding.pt"; }
  std::filesystem::path generator() const { return path_ / "generator.pt"; }
  std::filesystem::path critic() const { return path_ / "critic.pt"; }

  void write(const std::string& name, const std::string& text) const;
  // A line of metrics.jsonl, and losses.svg with all of them.
  void append_metrics(const nlohmann::json& line) const;
  // The same in metrics.private.jsonl and losses.private.svg, for what ε does not cover.
  void append_private_metrics(const nlohmann::json& line) const;
  // samples-STEP.png: some of every class. Nothing for tables.
  void show_samples(const Generator& generator, const GeneratorCard& card, std::int64_t step) const;

 private:
  GanRun(std::filesystem::path path, GanConfig config);

  std::filesystem::path path_;
  GanConfig config_;
  std::optional<train::NewFolder> made_;
};

// Classes in rows, on one picture, PNG. For images.
std::string sample_sheet(const Generator& generator, const GeneratorCard& card);

// The card of new networks for these data: every class as frequent as any other.
GeneratorCard new_card(const GanConfig& config, const GanData& data);

}  // namespace sotto::gan
