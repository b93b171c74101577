#include "gan/gan_run.h"

#include <torch/utils.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <sstream>

#include "core/atomic_file.h"
#include "data/contact_sheet.h"
#include "data/png_image.h"
#include "gan/networks.h"
#include "report/line_chart.h"
#include "runs/recorded_identity.h"
#include "settings/config_json.h"
#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

constexpr std::int64_t kColumns = 12;
constexpr std::int64_t kLargestShown = 256;  // side of a sample on a sheet

// From metrics.jsonl: what the run wrote of these. Lines that are not JSON were interrupted.
std::string loss_picture(const std::string& metrics, Method method) {
  std::vector<std::pair<const char*, report::Line>> lines = {
      {"critic_loss", {"critic (not covered by ε)", {}, {}}},
      {"generator_loss", {"generator", {}, {}}},
      {"distance", {"distance of the embeddings", {}, {}}}};
  std::istringstream input(metrics);
  for (std::string text; std::getline(input, text);) {
    const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("step")) continue;
    for (auto& [key, line] : lines) {
      if (!json.contains(key) || !json.at(key).is_number()) continue;
      line.xs.push_back(json.at("step").get<double>());
      line.ys.push_back(json.at(key).get<double>());
    }
  }
  report::LineChart chart{
      "Training of a private generator", std::string(to_string(method)), "step", "loss", {}};
  for (auto& [key, line] : lines) {
    if (!line.xs.empty()) chart.lines.push_back(std::move(line));
  }
  if (chart.lines.empty()) chart.lines.emplace_back();
  return report::svg(chart);
}

}  // namespace

GanRun::GanRun(runs::RunFolder folder, GanConfig config)
    : folder_(std::move(folder)), config_(std::move(config)) {}

GanRun GanRun::create(const std::filesystem::path& path, const GanConfig& config) {
  auto identified = config;
  identified.data_identity = runs::recorded_identity(config.data.dataset);
  if (!config.data.csv_schema.empty()) {
    identified.data.schema_text = read_file(config.data.csv_schema);
  }
  return {runs::RunFolder::create(path, json_of(identified)), identified};
}

GanRun GanRun::open(const std::filesystem::path& path, Goal goal) {
  auto folder = runs::RunFolder::open(path);
  const auto& json = folder.settings();
  check_argument(json.is_object() && json.value("kind", nlohmann::json()) == "gan", path.string(),
                 ": holds no run of sotto gan train");
  auto config = settings::gan_config_from_json(json);
  GanRun run(std::move(folder), std::move(config));
  run.goal_ = goal;
  return run;
}

void GanRun::append_metrics(const nlohmann::json& line) const {
  folder_.append_metrics(line);
  folder_.write("losses.svg", loss_picture(read_file(folder_.metrics()), config_.method));
}

void GanRun::append_private_metrics(const nlohmann::json& line) const {
  folder_.append_private_metrics(line);
  folder_.write("losses.private.svg",
                loss_picture(read_file(folder_.private_metrics()), config_.method));
}

std::string sample_sheet(const Generator& generator, const GeneratorCard& card) {
  torch::NoGradGuard no_gradients;
  Generator drawing = generator;
  const bool was_training = drawing->is_training();
  drawing->eval();
  const auto rows = std::min<std::int64_t>(card.shape.classes, 20);
  const at::Tensor labels = at::arange(rows, at::kLong).repeat_interleave(kColumns);
  const at::Tensor pixels =
      drawing->forward(draw_latent(card, labels.size(0)), label_columns(labels, card.shape.classes))
          .mul(0.5)
          .add(0.5)
          .contiguous();
  drawing->train(was_training);
  data::LabelledData samples;
  samples.shape = card.shape.sample;
  samples.class_names = card.classes;
  const auto* values = pixels.data_ptr<float>();
  samples.features.assign(values, values + pixels.numel());
  const auto* kinds = labels.data_ptr<std::int64_t>();
  samples.labels.assign(kinds, kinds + labels.numel());
  return data::encode_png(
      data::contact_sheet(samples, {.rows = rows, .columns = kColumns, .margin = 2, .zoom = 2}));
}

void GanRun::show_samples(const Generator& generator, const GeneratorCard& card,
                          std::int64_t step) const {
  if (card.shape.sample.size() != 3) return;
  if (card.shape.sample[1] > kLargestShown || card.shape.sample[2] > kLargestShown) return;
  char name[48];
  std::snprintf(name, sizeof name, "samples-%06lld.png", static_cast<long long>(step));
  folder_.write(name, sample_sheet(generator, card));
}

GeneratorCard new_card(const GanConfig& config, const GanData& data) {
  GeneratorCard card;
  const auto& sample = data.tensors.shape;
  card.networks = config.networks.value_or(default_networks(sample));
  card.latent = config.latent;
  card.classes = data.tensors.classes;
  card.shape = {sample, static_cast<std::int64_t>(card.classes.size()),
                latent_size(card.networks, sample, config.latent_size), config.width, data.columns};
  card.shares.assign(card.classes.size(), 1.0 / static_cast<double>(card.classes.size()));
  card.schema = data.schema;
  card.header = data.header;
  check_argument(sample.size() != 3 || sample[0] == 1 || sample[0] == 3,
                 "images must have 1 or 3 channels, got ", sample[0]);
  try {
    static_cast<void>(nlohmann::json(card.classes).dump());
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("the name of a class is not valid UTF-8");
  }
  require_fits(card.networks, card.shape);
  return card;
}

}  // namespace sotto::gan
