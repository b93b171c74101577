#include "gan/merf_training.h"

#include <torch/serialize.h>

#include <sstream>
#include <stdexcept>

#include "core/atomic_file.h"
#include "engine/sum_release.h"
#include "gan/gan_report.h"
#include "gan/merf.h"
#include "runs/file_hashes.h"
#include "runs/progress_meter.h"
#include "sotto/core/error.h"
#include "train/run_plan.h"
#include "train/weight_tensors.h"

namespace sotto::gan {
namespace {

constexpr std::uint64_t kFeatureSeed = 20180105;  // public: the directions are no secret
constexpr std::int64_t kRecordsAtOnce = 500;

Plan embedding_plan(const GanConfig& config, const train::PlannedRecords& records,
                    const std::filesystem::path& ledger) {
  PlanOptions plan;
  plan.dataset_size = records.training;
  plan.batch_size = records.training;
  plan.sampling = accounting::Sampling::kNone;
  plan.steps = 1;
  plan.adjacency = train::adjacency_of({}, ledger);
  plan.group_size = config.group_size;
  plan.noise_multiplier = train::noise_multiplier_of(
      config.noise_multiplier, {config.target_epsilon, config.delta}, plan, ledger);
  if (records.some_held_out) {
    plan.held_out_epsilon =
        train::held_out_epsilon_of(config.data.held_out_epsilon, config.delta, plan, ledger);
  }
  return Plan(plan);
}

void save_embedding(const std::filesystem::path& path, const MeanEmbedding& embedding) {
  torch::serialize::OutputArchive archive;
  archive.write("sums", embedding.sums);
  std::ostringstream stream;
  archive.save_to(stream);
  write_file_atomically(path, stream.str());
}

// Features of all records, summed by class.
template <typename Add>
void for_all_records(const Embedding& embedding, const train::TensorData& data, Add add) {
  c10::NoGradGuard no_gradients;
  for (std::int64_t begin = 0; begin < data.size(); begin += kRecordsAtOnce) {
    const auto n = std::min(kRecordsAtOnce, data.size() - begin);
    add(embedding.features_of_records(data.inputs.narrow(0, begin, n)),
        data.labels.narrow(0, begin, n));
  }
}

MeanEmbedding without_noise(const Embedding& embedding, const train::TensorData& data,
                            std::int64_t classes) {
  at::Tensor sums = at::zeros({classes, embedding.size()}, at::kDouble);
  for_all_records(embedding, data, [&](const at::Tensor& rows, const at::Tensor& labels) {
    sums.index_add_(0, labels, rows.to(at::kDouble));
  });
  return {sums.div(static_cast<double>(data.size())).to(at::kFloat)};
}

MeanEmbedding released(const GanRun& run, SumRelease& release, const Embedding& embedding,
                       const train::TensorData& data) {
  if (release.is_charged()) {
    if (!std::filesystem::exists(run.embedding())) {
      throw std::runtime_error(run.embedding().string() +
                               ": not there, though it is paid for; start a new run");
    }
    return read_embedding(run.embedding());
  }
  for_all_records(embedding, data, [&](const at::Tensor& rows, const at::Tensor& labels) {
    release.add(rows, labels);
  });
  MeanEmbedding mean{release.release().div(static_cast<double>(data.size())).to(at::kFloat)};
  release.flush();
  save_embedding(run.embedding(), mean);
  return mean;
}

}  // namespace

Embedding embedding_of(const std::vector<std::int64_t>& sample_shape) {
  return {sample_shape, kFeatureSeed};
}

MeanEmbedding read_embedding(const std::filesystem::path& path) {
  const auto file = weights::read_weight_file(path);
  const auto sums = file.tensors.find("sums");
  check_argument(sums != file.tensors.end() && file.tensors.size() == 1, path.string(),
                 ": is damaged, or not an embedding");
  return {train::tensor_of(sums->second)};
}

GanResult train_by_embedding(const GanRun& run, const GanData& data, runs::RunObserver& observer) {
  const auto& config = run.config();
  const bool has_target = !config.disable_dp && !config.insecure_seed && !config.noise_multiplier;
  runs::ProgressMeter meter(
      observer,
      {.steps = config.fit_steps,
       .samples_per_step = config.fit_batch,
       .epsilon_limit = has_target ? std::optional(config.target_epsilon) : std::nullopt});
  auto card = new_card(config, data);
  Generator generator(card.networks, card.shape);
  const Embedding embedding = embedding_of(card.shape.sample);
  std::optional<SumRelease> release;
  if (!config.disable_dp) {
    EngineOptions options;
    options.ledger = run.folder().ledger();
    options.insecure_seed = config.insecure_seed;
    release.emplace(
        embedding_plan(config, {data.tensors.train.size(), data.tensors.test_is_private()},
                       run.folder().ledger()),
        card.shape.classes, options);
  }
  const MeanEmbedding target =
      release ? released(run, *release, embedding, data.tensors.train)
              : without_noise(embedding, data.tensors.train, card.shape.classes);
  if (!release) save_embedding(run.embedding(), target);
  card.shares = target.class_shares();

  std::optional<GanSpending> spending;
  if (release) {
    spending = {{release->plan(), 1},
                !release->is_private(),
                release->privacy_spent(config.delta),
                release->ledger_hash()};
    reserve_held_out(config, data, *spending);
  }
  const auto report = report_on(config, spending, run.folder().path());
  card.privacy = report.statement;
  std::optional<double> epsilon;
  if (spending) epsilon = spending->cost.epsilon;
  const auto every = std::max<std::int64_t>(1, config.fit_steps / 10);
  const auto often = std::max<std::int64_t>(1, config.fit_steps / 100);
  fit_generator(generator, card, embedding, target,
                {config.fit_steps, config.fit_batch, config.fit_rate},
                [&](std::int64_t step, double distance) {
                  if (meter.due()) meter.tell(step, distance, epsilon);
                  if (step % every == 0 || step == config.fit_steps) {
                    run.show_samples(generator, card, step);
                  }
                  if (step % often == 0) {
                    run.append_metrics({{"step", step}, {"distance", distance}});
                  }
                  meter.stop_if_asked("fitting starts again");
                  return true;
                });
  run.folder().write(report);
  save_generator(run.generator(), generator, card);
  runs::record_files(run.folder().path());
  GanResult result;
  if (spending) result.spent = spending->cost;
  result.is_private = release && release->is_private();
  result.noise_multiplier = release ? release->plan().options().noise_multiplier : 0;
  result.steps = result.rounds = config.fit_steps;
  result.seconds = meter.seconds_here();
  result.statement = report.statement;
  return result;
}

}  // namespace sotto::gan
