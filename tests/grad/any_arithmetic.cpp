#include "tests/grad/any_layer.h"

namespace sotto::grad {
namespace {

using torch::Tensor;
using Sizes = std::vector<std::int64_t>;

enum class Operation { kScale, kShift, kTakeFrom, kDivide, kGate, kExpand, kRepeat, kCount };

// Parameters in plain arithmetic on x (N, a, b), one operation after another.
struct ArithmeticChain : torch::nn::Module {
  void add(Operation operation, const Sizes& shape) {
    operations.push_back(operation);
    operands.push_back(
        register_parameter("operand" + std::to_string(operands.size()), torch::rand(shape) + 0.5));
  }

  Tensor forward(Tensor x) const {
    for (std::size_t i = 0; i < operations.size(); ++i) x = apply(operations[i], operands[i], x);
    return x;
  }

  static Tensor apply(Operation operation, const Tensor& p, const Tensor& x) {
    switch (operation) {
      case Operation::kScale:
        return x * p;
      case Operation::kShift:
        return torch::add(x, p, 3);
      case Operation::kTakeFrom:
        return torch::sub(p, x, 2);
      case Operation::kDivide:
        return x / p;
      case Operation::kGate:
        return torch::sigmoid(p) * x + x;
      case Operation::kExpand:
        return p.expand(x.sizes()) * x;
      default:
        break;
    }
    Sizes repeats = x.sizes().vec();  // as often as it takes to be as large as x
    for (std::int64_t i = 0; i < p.dim(); ++i) repeats[repeats.size() - 1 - i] /= p.size(-1 - i);
    return p.repeat(repeats) - x;
  }

  std::vector<Operation> operations;
  std::vector<Tensor> operands;
};

// One that is broadcast to (N, a, b).
Sizes any_operand_shape(std::int64_t a, std::int64_t b) {
  Sizes shape{1, any_bool() ? a : 1, any_bool() ? b : 1};
  const auto missing = any_of_range(0, 2);
  shape.erase(shape.begin(), shape.begin() + missing);
  return shape;
}

}  // namespace

AnyLayer any_arithmetic() {
  const auto a = any_of_range(1, 4);
  const auto b = any_of_range(1, 4);
  const auto chain = std::make_shared<ArithmeticChain>();
  std::string text = describe("shape", a, b);
  for (auto left = any_of_range(1, 4); left > 0; --left) {
    const auto operation = any_of_range(0, static_cast<std::int64_t>(Operation::kCount) - 1);
    const Sizes shape = any_operand_shape(a, b);
    chain->add(static_cast<Operation>(operation), shape);
    text += describe("operation", operation, shape);
  }
  return {{chain, [chain](const Tensor& x) { return chain->forward(x); }, normal({a, b})}, text};
}

}  // namespace sotto::grad
