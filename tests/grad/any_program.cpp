#include "tests/grad/any_program.h"

namespace sotto::grad {

namespace {

using torch::Tensor;
using Sizes = std::vector<std::int64_t>;
namespace F = torch::nn::functional;

// An operation that needs nothing but its input.
template <Tensor (*Function)(const Tensor&)>
ProgramStep plain(Program& /*program*/, const Sizes& /*shape*/) {
  return Function;
}

// For each sample the next one's number.
Tensor next_samples(const Tensor& x) { return (torch::arange(x.size(0)) + 1).remainder(x.size(0)); }
// (N, elements), and back.
Tensor rows(const Tensor& x) { return x.flatten(1); }
Tensor like(const Tensor& values, const Tensor& x) { return values.reshape(x.sizes()); }
// (1, elements, N): samples where other models have time.
Tensor as_sequence(const Tensor& x) { return rows(x).t().unsqueeze(0); }
Tensor from_sequence(const Tensor& values, const Tensor& x) {
  return like(values.squeeze(0).t(), x);
}

// ---- samples stay apart

Tensor tanh_of(const Tensor& x) { return torch::tanh(x); }
Tensor relu_of(const Tensor& x) { return torch::relu(x); }
Tensor squares(const Tensor& x) { return x * x; }
Tensor softmax_last(const Tensor& x) { return torch::softmax(x, -1); }
Tensor less_own_mean(const Tensor& x) { return x - x.mean(-1, true); }
Tensor over_own_norm(const Tensor& x) {
  return like(rows(x) / (1 + rows(x).square().sum(1, true)), x);
}
Tensor there_and_back(const Tensor& x) { return torch::sigmoid(x.transpose(0, 1)).transpose(0, 1); }
Tensor flattened(const Tensor& x) { return rows(x); }
Tensor flipped_last(const Tensor& x) { return x.flip(-1); }
Tensor rolled_last(const Tensor& x) { return x + x.roll(1, -1); }
Tensor cumulated_last(const Tensor& x) { return x.cumsum(-1); }
Tensor doubled_last(const Tensor& x) { return torch::cat({x, x.exp().clamp_max(3)}, -1); }
Tensor normalised_rows(const Tensor& x) {
  return F::layer_norm(x, F::LayerNormFuncOptions({x.size(-1)}));
}
Tensor own_products(const Tensor& x) {
  return torch::bmm(rows(x).unsqueeze(2), rows(x).unsqueeze(1)).mean(2);
}
Tensor in_two_halves(const Tensor& x) {
  const auto half = x.size(0) / 2;
  return torch::cat({x.narrow(0, 0, half) * 2, x.narrow(0, half, x.size(0) - half) * 2});
}
Tensor sample_after_sample(const Tensor& x) {
  std::vector<Tensor> all;
  for (std::int64_t i = 0; i < x.size(0); ++i) all.push_back(torch::tanh(x[i]));
  return torch::stack(all);
}

ProgramStep scaled(Program& program, const Sizes& shape) {
  const Tensor scale = program.parameter({shape.back()});
  return [=](const Tensor& x) { return x * scale; };
}
ProgramStep shifted_by_one_number(Program& program, const Sizes&) {
  const Tensor shift = program.parameter({});
  return [=](const Tensor& x) { return x + shift; };
}
ProgramStep linear_layer(Program& program, const Sizes& shape) {
  const Tensor weight = program.parameter({3, shape.back()});
  return [=](const Tensor& x) { return F::linear(x, weight); };
}
ProgramStep shared_weights(Program& program, const Sizes& shape) {
  const Tensor weight = program.parameter({shape.back(), shape.back()});
  return [=](const Tensor& x) { return x.matmul(torch::softmax(weight, 0) + weight.t()); };
}

// ---- samples are mixed

Tensor less_mean(const Tensor& x) { return x - x.mean(0, true); }
Tensor less_mean_of_all(const Tensor& x) { return x - x.mean(); }
Tensor plus_sum(const Tensor& x) { return x + x.sum(0); }
Tensor over_norm_of_all(const Tensor& x) { return x / (1 + x.square().sum()); }
Tensor over_variance(const Tensor& x) {
  return x / (1 + x.var(at::IntArrayRef({0}), /*unbiased=*/false));
}
Tensor softmax_first(const Tensor& x) { return torch::softmax(x, 0); }
Tensor log_softmax_of_all(const Tensor& x) { return like(torch::log_softmax(x.flatten(), 0), x); }
Tensor less_logsumexp(const Tensor& x) { return x - torch::logsumexp(x, 0, true); }
Tensor cumulated_first(const Tensor& x) { return x.cumsum(0); }
Tensor cumulated_flat(const Tensor& x) { return like(x.flatten().cumsum(0), x); }
Tensor rolled_first(const Tensor& x) { return x + x.roll(1, 0); }
Tensor rolled_flat(const Tensor& x) { return x + like(x.flatten().roll(1), x); }
Tensor flipped_first(const Tensor& x) { return x * x.flip(0); }
Tensor with_next_selected(const Tensor& x) { return x + x.index_select(0, next_samples(x)); }
Tensor with_next_indexed(const Tensor& x) { return x * x.index({next_samples(x)}); }
Tensor with_next_gathered(const Tensor& x) {
  Sizes ones(static_cast<std::size_t>(x.dim()), 1);
  ones[0] = x.size(0);
  return x - x.gather(0, next_samples(x).reshape(ones).expand(x.sizes()));
}
Tensor with_next_by_cat(const Tensor& x) {
  return x + torch::cat({x.narrow(0, 1, x.size(0) - 1), x.narrow(0, 0, 1)});
}
Tensor with_next_by_repeat(const Tensor& x) {
  return x + torch::cat({x, x}).narrow(0, 1, x.size(0));
}
Tensor added_to_next(const Tensor& x) { return x.index_add(0, next_samples(x), x); }
Tensor scattered_to_next(const Tensor& x) {
  return x + torch::zeros_like(x).index_copy(0, next_samples(x), x);
}
Tensor strided_over(const Tensor& x) {
  const Tensor flat = torch::cat({x.flatten(), x.flatten()});
  return x + flat.as_strided(rows(x).sizes(), {rows(x).size(1), 1}, 1).reshape(x.sizes());
}
Tensor with_padded(const Tensor& x) {
  const Tensor flat = rows(x);
  const Tensor padded = F::pad(flat, F::PadFuncOptions({0, 0, 1, 0}));  // a row of zeros above
  return like(flat + padded.narrow(0, 0, flat.size(0)), x);
}
Tensor largest_of_all(const Tensor& x) { return x + std::get<0>(x.max(0, true)); }
Tensor sorted_first(const Tensor& x) { return std::get<0>(x.sort(0)); }
Tensor attention_between(const Tensor& x) {
  const Tensor flat = rows(x);
  return like(torch::softmax(flat.mm(flat.t()), 1).mm(flat), x);
}
Tensor similarities(const Tensor& x) {
  const Tensor flat = rows(x);
  return flat.mm(flat.t()).sum(1, true) * flat;
}
Tensor einsum_between(const Tensor& x) {
  const Tensor flat = rows(x);
  return like(torch::einsum("nf,mf,mg->ng", {flat, flat, flat}) / 9, x);
}
Tensor batch_normalised(const Tensor& x) {
  return like(torch::batch_norm(rows(x), {}, {}, {}, {}, /*training=*/true, 0.1, 1, false), x);
}
Tensor normalised_with_batch(const Tensor& x) {
  return F::layer_norm(x, F::LayerNormFuncOptions(x.sizes().vec()).eps(1));
}
Tensor averaged_neighbours(const Tensor& x) {
  return from_sequence(torch::avg_pool1d(as_sequence(x), 3, 1, 1), x);
}
Tensor largest_neighbour(const Tensor& x) {
  return from_sequence(torch::max_pool1d(as_sequence(x), 3, 1, 1), x);
}
Tensor chosen_from_flipped(const Tensor& x) { return torch::where(x > 0, x, x.flip(0)); }
Tensor from_the_first(const Tensor& x) { return x + x.narrow(0, 0, 1); }
Tensor spread_over_samples(const Tensor& x) { return x * x.select(0, 0).sum().expand(x.sizes()); }

ProgramStep convolved_neighbours(Program& program, const Sizes&) {
  const Tensor kernel = program.parameter({1, 1, 3});
  return [=](const Tensor& x) {
    const Tensor channels = as_sequence(x).transpose(0, 1);  // (elements, 1, N)
    const Tensor out = torch::conv1d(channels, kernel, {}, 1, 1);
    return from_sequence(out.transpose(0, 1), x);
  };
}
// What a recurrent layer does that takes samples for time.
ProgramStep recurrent_over_samples(Program& program, const Sizes&) {
  const Tensor weight = program.parameter({});
  return [=](const Tensor& x) {
    Tensor state = torch::zeros_like(x[0]);
    std::vector<Tensor> all;
    for (std::int64_t i = 0; i < x.size(0); ++i) {
      state = torch::tanh(weight * state + x[i]);
      all.push_back(state);
    }
    return torch::stack(all);
  };
}
ProgramStep scaled_by_statistic(Program& program, const Sizes& shape) {
  const Tensor scale = program.parameter({shape.back()});
  return [=](const Tensor& x) { return x * (scale * x).mean(); };
}
// Gradients stay apart, but a buffer learns from the data.
ProgramStep running_mean(Program& program, const Sizes& shape) {
  const Tensor mean = program.buffer(shape);
  return [=](const Tensor& x) {
    const torch::NoGradGuard no_gradients;
    mean.lerp_(x.detach().mean(0), 0.1);
    return x;
  };
}
ProgramStep codebook(Program& program, const Sizes& shape) {
  const Tensor codes = program.buffer({2, shape.back()});
  return [=](const Tensor& x) {
    const torch::NoGradGuard no_gradients;
    codes[0].copy_(x.detach().reshape({-1, x.size(-1)})[0]);
    return x;
  };
}

}  // namespace

const std::vector<OperationKind>& operation_kinds() {
  static const std::vector<OperationKind> kinds{
      {"tanh", false, plain<tanh_of>},
      {"relu", false, plain<relu_of>},
      {"squares", false, plain<squares>},
      {"softmax over the last axis", false, plain<softmax_last>},
      {"less its own mean", false, plain<less_own_mean>},
      {"over its own norm", false, plain<over_own_norm>},
      {"transposed and back", false, plain<there_and_back>},
      {"flattened", false, plain<flattened>},
      {"flip of the last axis", false, plain<flipped_last>},
      {"roll of the last axis", false, plain<rolled_last>},
      {"cumsum of the last axis", false, plain<cumulated_last>},
      {"cat along the last axis", false, plain<doubled_last>},
      {"layer norm", false, plain<normalised_rows>},
      {"products of its own elements", false, plain<own_products>},
      {"in two halves", false, plain<in_two_halves>},
      {"sample after sample", false, plain<sample_after_sample>},
      {"scale", false, scaled},
      {"shift by one number", false, shifted_by_one_number},
      {"linear", false, linear_layer},
      {"computed weights", false, shared_weights},
      {"less the mean of samples", true, plain<less_mean>},
      {"less the mean of all", true, plain<less_mean_of_all>},
      {"plus the sum of samples", true, plain<plus_sum>},
      {"over the norm of all", true, plain<over_norm_of_all>},
      {"over the variance of samples", true, plain<over_variance>},
      {"softmax over samples", true, plain<softmax_first>},
      {"log_softmax over all", true, plain<log_softmax_of_all>},
      {"less logsumexp over samples", true, plain<less_logsumexp>},
      {"cumsum over samples", true, plain<cumulated_first>},
      {"cumsum of all", true, plain<cumulated_flat>},
      {"roll of samples", true, plain<rolled_first>},
      {"roll of all", true, plain<rolled_flat>},
      {"flip of samples", true, plain<flipped_first>},
      {"next sample by index_select", true, plain<with_next_selected>},
      {"next sample by index", true, plain<with_next_indexed>},
      {"next sample by gather", true, plain<with_next_gathered>},
      {"next sample by cat", true, plain<with_next_by_cat>},
      {"next sample by repetition", true, plain<with_next_by_repeat>},
      {"index_add to the next", true, plain<added_to_next>},
      {"index_copy to the next", true, plain<scattered_to_next>},
      {"as_strided over samples", true, plain<strided_over>},
      {"padding among samples", true, plain<with_padded>},
      {"largest of samples", true, plain<largest_of_all>},
      {"sort of samples", true, plain<sorted_first>},
      {"attention between samples", true, plain<attention_between>},
      {"similarities between samples", true, plain<similarities>},
      {"einsum between samples", true, plain<einsum_between>},
      {"batch norm", true, plain<batch_normalised>},
      {"layer norm with the batch", true, plain<normalised_with_batch>},
      {"average pooling over samples", true, plain<averaged_neighbours>},
      {"max pooling over samples", true, plain<largest_neighbour>},
      {"where with flipped samples", true, plain<chosen_from_flipped>},
      {"plus the first sample", true, plain<from_the_first>},
      {"times a sum of the first sample", true, plain<spread_over_samples>},
      {"convolution over samples", true, convolved_neighbours},
      {"recurrent over samples", true, recurrent_over_samples},
      {"scaled by a statistic", true, scaled_by_statistic},
      {"running mean", true, running_mean},
      {"codebook", true, codebook},
  };
  return kinds;
}

Program::Program(const AnyLayer& any) : first(any.layer), description(any.description) {
  register_module("first", first.module);
  first.module->to(torch::kFloat);
  const torch::NoGradGuard no_gradients;
  probe = first.forward(first.input(3));
}

void Program::add(const OperationKind& kind) {
  const torch::NoGradGuard no_gradients;
  const Sizes shape(probe.sizes().begin() + 1, probe.sizes().end());
  operations.push_back(kind.make(*this, shape));
  probe = operations.back()(probe);
  description += "; " + std::string(kind.name);
}

Tensor Program::forward(const Tensor& x) const {
  Tensor y = first.forward(x);
  for (const auto& operation : operations) y = operation(y);
  return y;
}

Tensor Program::parameter(const Sizes& shape) {
  return register_parameter("p" + std::to_string(operations.size()), torch::rand(shape) - 0.3);
}

Tensor Program::buffer(const Sizes& shape) {
  return register_buffer("b" + std::to_string(operations.size()), torch::zeros(shape));
}

AnyLayer program_of(const AnyLayer& first, const std::vector<OperationKind>& kinds) {
  const auto program = std::make_shared<Program>(first);
  for (const auto& kind : kinds) program->add(kind);
  return {{program, [program](const Tensor& x) { return program->forward(x); }, first.layer.input},
          program->description};
}

AnyLayer any_program() {
  // Not by any_of_range, which begins with what is small: all kinds are as likely from the start.
  const auto one_of = [](const auto& list) {
    const auto places = rc::gen::inRange<std::size_t>(0, std::size(list));
    return list[*rc::gen::resize(rc::kNominalSize, places)];
  };
  AnyLayer (*const layers[])() = {
      any_linear,    any_linear,        any_conv1d,          any_conv2d,     any_layer_norm,
      any_prelu,     any_group_norm,    any_embedding,       any_arithmetic, any_gru,
      any_attention, any_instance_norm, any_conv_transpose1d};
  const AnyLayer first = one_of(layers)();
  std::vector<OperationKind> apart;
  std::vector<OperationKind> mixing;
  for (const auto& kind : operation_kinds()) (kind.mixes ? mixing : apart).push_back(kind);
  std::vector<OperationKind> chosen;
  for (auto left = any_of_range(1, 4); left > 0; --left) {
    chosen.push_back(one_of(any_of_range(0, 3) == 3 ? mixing : apart));
  }
  return program_of(first, chosen);
}

}  // namespace sotto::grad
