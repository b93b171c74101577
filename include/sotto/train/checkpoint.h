// A checkpoint of your own loop in one line: engine, model and optimizer in one file.
//
//   auto engine = sotto::make_private(*model, optimizer, plan, {.ledger = "run/ledger.jsonl"});
//   if (std::filesystem::exists("run/checkpoint"))
//     sotto::train::load_checkpoint("run/checkpoint", engine, *model, optimizer);
//   while (auto batch = engine.next_batch()) {
//     ...
//     if (batch->last_part) sotto::train::save_checkpoint("run/checkpoint", engine, *model,
//     optimizer);
//   }
#pragma once

#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <filesystem>

#include "sotto/engine/privacy_engine.h"

namespace sotto::train {

// Parameters and buffers, what the optimizer remembers, threshold and spend. Whatever ends the
// program, there is a whole file: the one before, or this. The ledger is made durable first, so
// that it is never behind. Throws FileError, std::logic_error inside a logical batch or for an
// optimizer other than SGD, Adam, AdamW and RMSprop.
void save_checkpoint(const std::filesystem::path& path, PrivacyEngine& engine,
                     const torch::nn::Module& model, const torch::optim::Optimizer& optimizer);

// Goes back to it, into a model of the same shapes and an engine of the same plan, with the run's
// own ledger if it had one. The ledger's spend counts, even if it is larger than the checkpoint's:
// engine.lost_steps() says by how much. Throws FileError if it is not there, InvalidArgument if it
// is damaged or of another model, plan or ledger; the model may then be half loaded.
void load_checkpoint(const std::filesystem::path& path, PrivacyEngine& engine,
                     torch::nn::Module& model, torch::optim::Optimizer& optimizer);

}  // namespace sotto::train
