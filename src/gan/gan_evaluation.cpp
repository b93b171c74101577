#include "sotto/gan/gan_evaluation.h"

#include <torch/serialize.h>
#include <torch/utils.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gan/classifier.h"
#include "gan/gan_run.h"
#include "gan/merf_training.h"
#include "sotto/core/atomic_file.h"
#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

using at::Tensor;
using train::TensorData;

// As models are given them.
TensorData as_inputs(const SyntheticData& data) {
  return {train::model_input(data.samples).contiguous(), data.labels};
}

TensorData first(const TensorData& data, std::int64_t n) {
  const auto count = std::min(n, data.size());
  return {data.inputs.narrow(0, 0, count), data.labels.narrow(0, 0, count)};
}

TensorData chosen(const TensorData& data, std::int64_t n) {
  const Tensor records =
      torch::randperm(data.size(), torch::kLong).narrow(0, 0, std::min(n, data.size()));
  return {data.inputs.index_select(0, records), data.labels.index_select(0, records)};
}

double inception_score(torch::nn::Sequential classifier, const Tensor& samples) {
  constexpr std::int64_t kParts = 10;
  const Tensor p = probabilities(std::move(classifier), samples).to(at::kDouble).clamp_min(1e-12);
  double total = 0;
  const auto parts = p.chunk(kParts);
  for (const auto& part : parts) {
    const Tensor mean = part.mean(0, /*keepdim=*/true);
    total += std::exp((part * (part.log() - mean.log())).sum(1).mean().item<double>());
  }
  return total / static_cast<double>(parts.size());
}

// Base 2, between (p, 1 - p) and (1/2, 1/2); p (n).
double mean_js_divergence(const Tensor& p) {
  const auto entropy = [](const Tensor& q) {
    const Tensor inside = q.clamp(1e-12, 1 - 1e-12);
    return -(inside * inside.log2() + (1 - inside) * (1 - inside).log2());
  };
  return (entropy((p + 0.5) / 2) - (entropy(p) + 1) / 2).mean().item<double>();
}

double js_score(const TensorData& real, const TensorData& synthetic,
                const std::vector<std::int64_t>& shape, std::int64_t epochs) {
  const auto n = std::min({real.size(), synthetic.size() / 2, std::int64_t{10'000}});
  const Tensor inputs = at::cat({first(real, n).inputs, first(synthetic, n).inputs}).contiguous();
  const Tensor kinds = at::cat({at::ones({n}, at::kLong), at::zeros({n}, at::kLong)});
  const auto judge = train_classifier({inputs, kinds}, shape, 2, epochs);
  const Tensor unseen = synthetic.inputs.narrow(0, n, synthetic.size() - n);
  return mean_js_divergence(probabilities(judge, unseen).select(1, 1).to(at::kDouble));
}

// Median over a's samples of the distance to the nearest of b.
double median_nearest(const TensorData& a, const TensorData& b) {
  torch::NoGradGuard no_gradients;
  const Tensor rows = a.inputs.flatten(1);
  Tensor nearest = at::full({rows.size(0)}, std::numeric_limits<float>::infinity());
  for (const auto& part : b.inputs.flatten(1).split(5000)) {
    nearest = at::minimum(nearest, std::get<0>(at::cdist(rows, part).min(1)));
  }
  return nearest.median().item<double>();
}

// Scores of samples with labels as shares in (0, 1).
using ScoreShares = std::function<Tensor(const TensorData&)>;

ScoreShares critic_shares(const GanRun& run, const GeneratorCard& card) {
  Critic critic(card.networks, card.shape);
  std::istringstream stream(read_file(run.critic()));
  try {
    torch::serialize::InputArchive archive;
    archive.load_from(stream);
    critic->load(archive);
  } catch (const std::exception&) {
    throw InvalidArgument(run.critic().string() + ": is damaged, or of other networks");
  }
  return [critic, classes = card.shape.classes](const TensorData& data) mutable {
    torch::NoGradGuard no_gradients;
    return critic->forward(data.inputs, label_columns(data.labels, classes)).sigmoid();
  };
}

// The witness of the released embedding against the generated one, in units of its spread.
ScoreShares witness_shares(const GanRun& run, const GeneratorCard& card,
                           const TensorData& generated) {
  torch::NoGradGuard no_gradients;
  const auto embedding = embedding_of(card.shape.sample);
  Tensor sums = at::zeros({card.shape.classes, embedding.size()});
  for (std::int64_t begin = 0; begin < generated.size(); begin += 500) {
    const auto n = std::min<std::int64_t>(500, generated.size() - begin);
    sums.index_add_(0, generated.labels.narrow(0, begin, n),
                    embedding.features(generated.inputs.narrow(0, begin, n)));
  }
  const Tensor released = read_embedding(run.embedding()).sums;
  const Tensor reached = sums / static_cast<double>(generated.size());
  const Tensor witness = released - reached;
  // Half way between what real and generated samples score on average.
  const double middle = 0.5 * (witness * (released + reached)).sum().item<double>();
  const auto score = [embedding, witness, middle](const TensorData& data) {
    return (embedding.features(data.inputs) * witness.index_select(0, data.labels)).sum(1) - middle;
  };
  const double spread = std::max(1e-12, score(first(generated, 1000)).std().item<double>());
  return [score, spread](const TensorData& data) {
    torch::NoGradGuard nothing;
    return (score(data) / spread).sigmoid();
  };
}

double mean_share(const ScoreShares& shares, const TensorData& data) {
  double total = 0;
  for (std::int64_t begin = 0; begin < data.size(); begin += 500) {
    const auto n = std::min<std::int64_t>(500, data.size() - begin);
    total += shares({data.inputs.narrow(0, begin, n), data.labels.narrow(0, begin, n)})
                 .sum()
                 .item<double>();
  }
  return total / static_cast<double>(data.size());
}

TensorData uniform_noise(const TensorData& like, std::int64_t n) {
  auto sizes = like.inputs.sizes().vec();
  sizes[0] = n;
  return {torch::rand(sizes) * 2 - 1, like.labels.narrow(0, 0, n)};
}

void read_privacy(const std::filesystem::path& folder, GanEvaluation& result) {
  const auto json = nlohmann::json::parse(read_file(folder / "privacy.json"), nullptr, false);
  check_argument(json.is_object() && json.contains("private"), (folder / "privacy.json").string(),
                 ": is damaged");
  const bool finite = json.at("private") == true && json.contains("epsilon") &&
                      json.at("epsilon").is_number() && json.contains("delta") &&
                      json.at("delta").is_number();
  result.epsilon =
      finite ? json.at("epsilon").get<double>() : std::numeric_limits<double>::infinity();
  result.delta = finite ? json.at("delta").get<double>() : 0;
}

}  // namespace

GanEvaluation evaluate_generator(const std::filesystem::path& folder,
                                 const EvaluationOptions& options) {
  constexpr std::int64_t kLeastSamples = 20;
  check_argument(options.samples == 0 || options.samples >= kLeastSamples,
                 "samples: at least 20 are needed, got ", options.samples);
  const auto run = GanRun::open(folder);
  check_argument(std::filesystem::exists(run.generator()), run.generator().string(),
                 ": not there; the run is not finished");
  const auto loaded = load_generator(run.generator());
  const auto& card = loaded.card;
  const GanData data = load_gan_data(run.config().data, run.config().disable_dp);
  const auto& real = data.tensors;
  check_argument(real.shape == card.shape.sample, run.generator().string(),
                 ": makes samples of another shape than the data have");
  const auto count = options.samples > 0 ? options.samples : real.train.size();
  const TensorData synthetic = as_inputs(draw_samples(loaded.generator, card, count));
  GanEvaluation result;
  result.classifier = classifier_name(real.shape);
  const auto by_real = train_classifier(real.train, real.shape, card.shape.classes, options.epochs);
  const auto by_synthetic =
      train_classifier(synthetic, real.shape, card.shape.classes, options.epochs);
  result.real_accuracy = accuracy(by_real, real.test);
  result.synthetic_accuracy = accuracy(by_synthetic, real.test);
  result.inception_score = inception_score(by_real, first(synthetic, 10'000).inputs);
  result.js_score =
      js_score(real.train, synthetic, real.shape, std::min<std::int64_t>(options.epochs, 3));
  const auto shares = run.config().method == Method::kMerf ? witness_shares(run, card, synthetic)
                                                           : critic_shares(run, card);
  constexpr std::int64_t kScored = 2000;
  const auto scored = std::min({kScored, real.test.size(), synthetic.size()});
  result.s_plus_test = mean_share(shares, chosen(real.test, scored)) - 1;
  result.s_plus_noise = mean_share(shares, uniform_noise(synthetic, scored));
  result.s_plus_generated = mean_share(shares, first(synthetic, scored));
  constexpr std::int64_t kCompared = 500;
  result.nearest_train = median_nearest(first(synthetic, kCompared), real.train);
  result.nearest_test = median_nearest(first(synthetic, kCompared), real.test);
  result.nearest_test_to_train = median_nearest(chosen(real.test, kCompared), real.train);
  read_privacy(folder, result);
  return result;
}

}  // namespace sotto::gan
