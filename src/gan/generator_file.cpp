#include "sotto/gan/generator_file.h"

#include <torch/serialize.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.h"
#include "gan/gan_data.h"
#include "gan/table_columns.h"
#include "sotto/core/error.h"
#include "train/weight_tensors.h"

namespace sotto::gan {
namespace {

using at::Tensor;

constexpr std::int64_t kDrawnAtOnce = 1000;
constexpr const char* kMark = "sotto generator 1";

nlohmann::json to_json(const GeneratorCard& card) {
  return {{"mark", kMark},
          {"networks", to_string(card.networks)},
          {"sample_shape", card.shape.sample},
          {"latent_size", card.shape.latent},
          {"width", card.shape.width},
          {"latent", to_string(card.latent)},
          {"classes", card.classes},
          {"shares", card.shares},
          {"schema", card.schema},
          {"header", card.header},
          {"privacy", card.privacy}};
}

// No network of ours is larger, and none that a made-up card asks for is made.
constexpr std::int64_t kLargestSize = 1 << 14;

bool is_size(std::int64_t size) { return size >= 1 && size <= kLargestSize; }

void require_plausible(const GeneratorCard& card) {
  const auto& shape = card.shape;
  check_argument(is_size(shape.latent) && is_size(shape.width) && is_size(shape.classes) &&
                     !shape.sample.empty() && shape.sample.size() <= 3 &&
                     std::all_of(shape.sample.begin(), shape.sample.end(), is_size),
                 "sizes of no generator");
  double sum = 0;
  for (const double share : card.shares) {
    check_argument(std::isfinite(share) && share >= 0, "shares of no classes");
    sum += share;
  }
  check_argument(sum > 0, "shares of no classes");
}

GeneratorCard card_from(const nlohmann::json& json) {
  check_argument(json.at("mark") == kMark, "another kind of file");
  GeneratorCard card;
  card.networks = settings::networks_from_name(json.at("networks").get<std::string>());
  json.at("sample_shape").get_to(card.shape.sample);
  json.at("latent_size").get_to(card.shape.latent);
  json.at("width").get_to(card.shape.width);
  card.latent = settings::latent_from_name(json.at("latent").get<std::string>());
  json.at("classes").get_to(card.classes);
  json.at("shares").get_to(card.shares);
  json.at("schema").get_to(card.schema);
  if (json.contains("header")) json.at("header").get_to(card.header);
  json.at("privacy").get_to(card.privacy);
  card.shape.classes = static_cast<std::int64_t>(card.classes.size());
  check_argument(card.shares.size() == card.classes.size() && !card.classes.empty(),
                 "as many shares as classes");
  require_plausible(card);
  if (!card.schema.empty()) card.shape.columns = columns_of(card.schema);
  return card;
}

// A category for each of a table's categorical columns, drawn by its shares.
Tensor decided(const Tensor& rows, const std::vector<ColumnSpan>& columns) {
  Tensor result = rows.clone();
  for (const auto& column : columns) {
    if (!column.categorical) continue;
    const Tensor part = rows.narrow(1, column.begin, column.size);
    const Tensor rest = (1 - part.sum(1, /*keepdim=*/true)).clamp_min(0);
    const Tensor shares = column.other ? at::cat({part, rest}, 1) : part;
    const Tensor chosen = at::multinomial(shares, 1).squeeze(1);
    const Tensor one = at::one_hot(chosen, shares.size(1)).narrow(1, 0, column.size);
    result.narrow(1, column.begin, column.size).copy_(one);
  }
  return result;
}

}  // namespace

Tensor draw_latent(const GeneratorCard& card, std::int64_t n) {
  return card.latent == Latent::kNormal ? torch::randn({n, card.shape.latent})
                                        : torch::rand({n, card.shape.latent}) * 2 - 1;
}

Tensor draw_labels(const GeneratorCard& card, std::int64_t n) {
  return at::multinomial(at::tensor(card.shares, at::kDouble), n, /*replacement=*/true);
}

SyntheticData draw_samples(Generator generator, const GeneratorCard& card, std::int64_t n) {
  torch::NoGradGuard no_gradients;
  const bool was_training = generator->is_training();
  generator->eval();
  SyntheticData result;
  std::vector<Tensor> parts;
  result.labels = draw_labels(card, n);
  for (std::int64_t begin = 0; begin < n; begin += kDrawnAtOnce) {
    const Tensor labels = result.labels.narrow(0, begin, std::min(kDrawnAtOnce, n - begin));
    const Tensor samples = generator->forward(draw_latent(card, labels.size(0)),
                                              label_columns(labels, card.shape.classes));
    parts.push_back(card.shape.sample.size() == 3 ? samples * 0.5 + 0.5
                                                  : decided(samples, card.shape.columns));
  }
  result.samples = at::cat(parts);
  generator->train(was_training);
  return result;
}

void save_generator(const std::filesystem::path& path, const Generator& generator,
                    const GeneratorCard& card) {
  torch::serialize::OutputArchive archive;
  torch::serialize::OutputArchive weights;
  generator->save(weights);
  archive.write("generator", weights);
  archive.write("card", c10::IValue(to_json(card).dump()));
  std::ostringstream stream;
  archive.save_to(stream);
  write_file_atomically(path, stream.str());
}

LoadedGenerator load_generator(const std::filesystem::path& path) {
  try {
    const auto file = weights::read_weight_file(path);
    auto card = card_from(nlohmann::json::parse(file.texts.at("card")));
    LoadedGenerator loaded{Generator(card.networks, card.shape), std::move(card)};
    train::copy_weights(file, *loaded.generator, path, "generator.");
    loaded.generator->eval();
    return loaded;
  } catch (const FileError&) {
    throw;
  } catch (const std::exception&) {
    throw InvalidArgument(path.string() + ": not a generator that sotto wrote, or damaged");
  }
}

}  // namespace sotto::gan
