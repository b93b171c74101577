#include "cli/memory_request.h"

#include <algorithm>
#include <thread>

#include "cli/byte_count.h"
#include "cli/flags.h"
#include "cli/training_flags.h"
#include "sotto/models/models.h"
#include "train/benchmark_networks.h"

namespace sotto::cli {
namespace {

constexpr const char* kMemoryExamples = R"(
Examples:
  sotto memory --model cnn --batch-size 256 --measure
  sotto memory --model resnet20 --input-shape 3x32x32 --limit 2GiB
  sotto memory --model vgg-head --batch-size 16,32,64 --path plain,materialised,graph,fused \
    --measure --csv memory.csv --plot memory.svg

Predictions come from two steps on small batches of random numbers; --measure runs the whole step.
)";

struct MemoryFlags {
  std::string model = "cnn";
  FlagText shape, classes, hidden, batches, methods, optimizer, limit, csv, plot, threads;
  bool measure = false;
  bool json = false;
};

void declare_memory_flags(FlagSet& app, MemoryFlags& f) {
  app.add_option("--model NAME", f.model,
                 "as for sotto train (default cnn), or wide-mlp, vgg-head, lstm, transformer");
  app.add_option("--input-shape CxHxW", f.shape,
                 "shape of a sample (default 1x28x28; vgg16: 3x224x224)");
  app.add_option("--classes N", f.classes, "number of classes (default 10)");
  app.add_option("--hidden-units N", f.hidden, "vgg16: units in the new classifier (default 512)");
  app.add_option("-b,--batch-size N,N,...", f.batches,
                 "one or more, separated by commas (default 256)");
  app.add_option("--path|--method NAME,NAME,...", f.methods,
                 "auto (default: fused if it can be), plain, materialised, graph, fused, "
                 "fused-nonprivate; one or more");
  app.add_option("--optimizer sgd|momentum|adam|adamw|rmsprop", f.optimizer,
                 "optimizer; its state takes memory too (default momentum)");
  app.add_flag("--measure", f.measure, "run the step, and report the memory it needed");
  app.add_option("--limit SIZE", f.limit, "e.g. 2GiB: also print the largest batch that fits");
  app.add_option("--threads N", f.threads, "number of threads (default: all cores)");
  app.add_option("--csv FILE", f.csv, "write a table").writes();
  app.add_option("--plot FILE", f.plot, "write a picture (SVG)").writes();
  app.add_flag("--json", f.json, "print one JSON object");
  app.footer(kMemoryExamples);
}

bool is_benchmark(const std::string& model) {
  const auto& names = train::benchmark_network_names();
  return std::find(names.begin(), names.end(), model) != names.end();
}

std::function<train::Network()> network_maker(const MemoryFlags& f) {
  if (is_benchmark(f.model)) {
    if (f.shape || f.classes || f.hidden) {
      throw UsageError("--input-shape, --classes, --hidden-units: '" + f.model + "' has its own");
    }
    return [name = f.model] { return train::make_benchmark_network(name); };
  }
  models::ModelInput input;
  input.shape =
      f.shape ? shape_flag("--input-shape", *f.shape) : std::vector<std::int64_t>{1, 28, 28};
  if (!f.shape && f.model == "vgg16") input.shape = {3, 224, 224};
  input.classes = f.classes ? count_flag("--classes", *f.classes) : 10;
  if (f.hidden) input.hidden_units = count_flag("--hidden-units", *f.hidden);
  return [name = f.model, input] {
    try {
      return train::Network::of(models::make_model(name, input), input.shape, input.classes);
    } catch (const std::invalid_argument& error) {
      throw UsageError(std::string("--model: ") + error.what() +
                       "; or wide-mlp, vgg-head, lstm, transformer");
    }
  };
}

MemoryMethod memory_method_flag(const std::string& text) {
  if (text == "auto") return std::nullopt;
  return named_flag("--path", text, train::step_path_from_name,
                    "auto, plain, materialised, graph, fused or fused-nonprivate");
}

std::vector<MemoryMethod> methods_of(const MemoryFlags& f) {
  if (!f.methods) return {std::nullopt};
  std::vector<MemoryMethod> methods;
  for (const auto& text : list_flag("--path", *f.methods))
    methods.push_back(memory_method_flag(text));
  return methods;
}

std::vector<std::int64_t> batches_of(const MemoryFlags& f) {
  if (!f.batches) return {256};
  std::vector<std::int64_t> batches;
  for (const auto& text : list_flag("--batch-size", *f.batches)) {
    batches.push_back(count_flag("--batch-size", text));
  }
  return batches;
}

MemoryRequest request_of(const MemoryFlags& f) {
  MemoryRequest request;
  request.threads = f.threads ? static_cast<int>(count_flag("--threads", *f.threads))
                              : static_cast<int>(std::thread::hardware_concurrency());
  request.model = f.model;
  request.make_network = network_maker(f);
  request.batches = batches_of(f);
  request.methods = methods_of(f);
  if (f.optimizer) {
    request.config.optimizer =
        named_flag("--optimizer", *f.optimizer, settings::optimizer_from_name,
                   "sgd, momentum, adam, adamw or rmsprop");
  }
  if (f.limit)
    request.limit = static_cast<double>(flag_value("--limit", *f.limit, settings::bytes));
  request.csv = f.csv;
  request.plot = f.plot;
  request.measure = f.measure;
  request.json = f.json;
  return request;
}

}  // namespace

std::optional<MemoryRequest> parse_memory_request(const Arguments& arguments) {
  FlagSet app("How much memory a training step needs, phase by phase.", "sotto memory");
  MemoryFlags flags;
  declare_memory_flags(app, flags);
  if (!app.parse(arguments)) return std::nullopt;
  return request_of(flags);
}

}  // namespace sotto::cli
