#include "weights/python_weights.h"

#include "sotto/core/error.h"
#include "weights/archive.h"
#include "weights/pickle.h"

namespace sotto::weights {
namespace {

// Modules within modules that a made-up pickle can name: a module may stand in itself.
constexpr int kDeepest = 64;
constexpr int kMostValues = 1'000'000;
// A text may stand under many names, and takes its room once for each.
constexpr std::size_t kMostTextBytes = std::size_t{8} << 20U;

class WeightReader {
 public:
  WeightReader(Archive& archive, const Pickle& pickle, WeightFile& file)
      : archive_(archive), pickle_(pickle), file_(file) {}

  // Every value must be a tensor.
  void read_dictionary(const Dictionary& dictionary) {
    for (const auto& [key, value] : dictionary.items) {
      const auto* name = std::get_if<std::string>(&pickle_.at(key));
      const auto* tensor = std::get_if<PickledTensor>(&pickle_.at(value));
      check_argument(name != nullptr && tensor != nullptr,
                     "its dictionary has something else than tensors by name (save "
                     "model.state_dict(), not the model or a whole checkpoint)");
      add(*name, *tensor);
    }
  }

  // Tensors of the module and its children.
  void read_module(const ModuleObject& module, const std::string& prefix, int depth) {
    check_argument(depth < kDeepest, "its modules are nested more than ", kDeepest, " deep");
    const auto* state = std::get_if<Dictionary>(&pickle_.at(module.state));
    check_argument(state != nullptr, "it has a module without parameters");
    for (const auto& [key, value] : state->items) {
      check_argument(++visited_ <= kMostValues, "it has more values than any network");
      const auto* name = std::get_if<std::string>(&pickle_.at(key));
      check_argument(name != nullptr && name->size() <= 1000, "it has a value without a name");
      read_value(pickle_.at(value), prefix, *name, depth);
    }
  }

 private:
  void read_value(const PickledValue& value, const std::string& prefix, const std::string& name,
                  int depth) {
    if (const auto* tensor = std::get_if<PickledTensor>(&value)) {
      add(prefix + name, *tensor);
    } else if (const auto* child = std::get_if<ModuleObject>(&value)) {
      read_module(*child, prefix + name + ".", depth + 1);
    } else if (const auto* text = std::get_if<std::string>(&value); text && depth == 0) {
      text_bytes_ += name.size() + text->size();
      check_argument(text_bytes_ <= kMostTextBytes, "its texts are longer than 8 MiB");
      file_.texts[name] = *text;
    }
  }
  void add(const std::string& name, const PickledTensor& tensor) {
    const auto record = archive_.record("data/" + tensor.storage.record);
    add_tensor(file_, name, StoredTensor(record, 0, record->size(), tensor.layout));
  }

  Archive& archive_;
  const Pickle& pickle_;
  WeightFile& file_;
  int visited_ = 0;
  std::size_t text_bytes_ = 0;
};

}  // namespace

WeightFile read_python_weights(std::shared_ptr<const std::string> bytes) {
  Archive archive(std::move(bytes));
  check_argument(!archive.has("byteorder") || *archive.record("byteorder") == "little",
                 "its numbers are not little-endian");
  const auto content = archive.record("data.pkl");
  const Pickle pickle(*content);
  WeightFile file;
  WeightReader reader(archive, pickle, file);
  if (const auto* dictionary = std::get_if<Dictionary>(&pickle.root())) {
    reader.read_dictionary(*dictionary);
  } else {
    const auto* module = std::get_if<ModuleObject>(&pickle.root());
    check_argument(module != nullptr, "it holds neither a dictionary nor a TorchScript module");
    reader.read_module(*module, "", 0);
  }
  return file;
}

}  // namespace sotto::weights
