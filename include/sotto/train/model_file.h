// Trained models on disk: written as TorchScript, so that C++ and Python run them without this
// library, or as safetensors; weights also read from safetensors and from a Python state_dict.
// LibTorch's own readers trust what a file says, so none of them sees one: the files are read by
// strict parsers that run no code.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sotto::train {

// What the file says about the model besides its weights.
struct ModelCard {
  std::string model;                 // a name that network_of() takes
  std::vector<std::int64_t> shape;   // of one sample
  std::vector<std::string> classes;  // names, in the order of the scores
  std::string privacy;               // one sentence
  double input_bound = 0;            // of a Lipschitz network; 0: by the shape
  std::int64_t hidden_units = 512;   // of vgg16's classifier
  std::string schema = {};           // of a table's columns, as JSON; empty for pictures
};

// The network that the card describes, with new weights: one of models::make_model() or
// lipschitz::make_network(). Throws InvalidArgument, naming what is accepted, for any other name.
torch::nn::Sequential network_of(const ModelCard& card);
// True for the names of lipschitz::make_network().
bool is_lipschitz(const std::string& model);

// Writes atomically. Throws FileError, or std::runtime_error for a layer that it cannot write.
// In Python, m = torch.jit.load("model.pt"): m(x) gives the scores of prepared inputs, m.card() the
// card as JSON. Probabilities of what has not been prepared, (n, classes): of pictures by
// m.predict_pixels(x), x (n, channels, height, width) with pixels from 0 to 255; of rows of a table
// by m.predict_rows(rows), a list of dictionaries from column names to fields, as csv.DictReader
// gives them.
void save_model(const std::filesystem::path& path, const torch::nn::Sequential& model,
                const ModelCard& card);

// The weights alone in the safetensors format, with the card and its sentence on privacy as the
// file's metadata ("card", "privacy"). Writes atomically. Throws FileError.
void save_safetensors(const std::filesystem::path& path, const torch::nn::Sequential& model,
                      const ModelCard& card);

struct LoadedModel {
  torch::nn::Sequential model;
  ModelCard card;
};

// Throws InvalidArgument, naming the file and what is wrong with it.
LoadedModel load_model(const std::filesystem::path& path);

// Copies weights by name into the model: from a file that save_model() or save_safetensors() wrote,
// or from a Python state_dict (torch.save). Throws InvalidArgument unless every parameter of the
// model is there with its shape, in floating point, and nothing is left over.
void load_weights(const std::filesystem::path& path, torch::nn::Module& model);

// The same for a network that is to get a new last part: parameters named `part`.… are taken from
// the file if all of them fit, and else left as they are, whatever the file has under that name.
// Returns whether they were taken. Throws InvalidArgument for the other parameters, as above.
bool load_weights_except(const std::string& part, const std::filesystem::path& path,
                         torch::nn::Module& model);

}  // namespace sotto::train
