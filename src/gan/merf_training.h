// Training by one private mean embedding.
#pragma once

#include "gan/gan_run.h"
#include "gan/merf.h"
#include "sotto/gan/gan.h"

namespace sotto::gan {

GanResult train_by_embedding(const GanRun& run, const GanData& data, runs::RunObserver& observer);

// The features of a run's embedding: the same for whoever knows its files.
Embedding embedding_of(const std::vector<std::int64_t>& sample_shape);

// Throws InvalidArgument if it is damaged.
MeanEmbedding read_embedding(const std::filesystem::path& path);

}  // namespace sotto::gan
