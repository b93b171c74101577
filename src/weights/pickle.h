// A reader of Python's pickles that knows numbers, texts, lists, dictionaries, tensors and the
// modules of TorchScript, and nothing else. It runs no code: a name that it does not know is
// refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "weights/stored_tensor.h"

namespace sotto::weights {

// Values refer to others by number (Pickle::at). A made-up pickle can hold a list in itself, so
// whoever follows the numbers bounds how far.
using ValueNumber = std::uint32_t;

struct NoValue {};
struct GlobalName {  // "module name"
  std::string name;
};
struct Sequence {  // a list or a tuple
  std::vector<ValueNumber> items;
};
struct Dictionary {
  std::vector<std::pair<ValueNumber, ValueNumber>> items;
};
struct ModuleObject {     // of TorchScript
  ValueNumber state = 0;  // the number of its own value until it is built
};
struct StorageName {
  ElementType type = ElementType::kF32;
  std::string record;
  std::int64_t elements = 0;
};
struct PickledTensor {
  StorageName storage;
  TensorLayout layout;  // not checked against anything
};

using PickledValue = std::variant<NoValue, bool, std::int64_t, double, std::string, GlobalName,
                                  Sequence, Dictionary, ModuleObject, StorageName, PickledTensor>;

class Pickle {
 public:
  // Throws InvalidArgument, saying what is wrong, for anything but one whole pickle of protocol 2
  // of at most 4 MiB (a file of weights has about 200 bytes per tensor there).
  explicit Pickle(std::string_view bytes);

  const PickledValue& root() const { return values_[root_]; }
  const PickledValue& at(ValueNumber number) const { return values_[number]; }

 private:
  friend class PickleMachine;
  std::vector<PickledValue> values_;
  ValueNumber root_ = 0;
};

}  // namespace sotto::weights
