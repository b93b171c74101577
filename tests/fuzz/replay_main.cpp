// Runs a fuzz target without libFuzzer: on the files given, or else on `--mutations N` (20000)
// mutations of its seeds, the same ones every time. A finding ends the program by a signal or an
// uncaught exception; --seed S draws other mutations.
#include <cstdlib>
#include <iostream>
#include <random>

#include "core/atomic_file.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using Engine = std::mt19937_64;

// Inputs on the heap with nothing behind them, so that AddressSanitizer sees every byte too far.
void run(const std::string& input) {
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::size_t below(std::size_t limit, Engine& engine) {
  return limit == 0 ? 0 : static_cast<std::size_t>(engine() % limit);
}

// Values that parsers are known to stumble over.
char interesting_byte(Engine& engine) {
  static const std::string values("\x00\xff\x7f\x80\x01\x20\x22\x2c\x0a\x0d\x2d\x39", 12);
  return engine() % 2 == 0 ? values[below(values.size(), engine)] : static_cast<char>(engine());
}

void mutate_once(std::string& input, const std::string& other, Engine& engine) {
  const std::size_t at = below(input.size() + 1, engine);
  const std::size_t length = 1 + below(8, engine);
  switch (engine() % 6) {
    case 0:
      if (at < input.size()) input[at] = interesting_byte(engine);
      break;
    case 1:
      if (at < input.size()) input[at] ^= static_cast<char>(1U << (engine() % 8));
      break;
    case 2:
      input.insert(at, length, interesting_byte(engine));
      break;
    case 3:
      input.erase(at, length);
      break;
    case 4:
      input.insert(at, other, below(other.size(), engine), 4 * length);
      break;
    default:
      if (engine() % 4 == 0) input.resize(at);
  }
}

void run_mutations(std::size_t count, std::uint64_t seed) {
  const auto seeds = seed_inputs();
  Engine engine(seed);
  for (const auto& input : seeds) run(input);
  for (std::size_t i = 0; i < count; ++i) {
    std::string input = seeds[below(seeds.size(), engine)];
    const std::size_t steps = 1 + below(6, engine);
    for (std::size_t step = 0; step < steps; ++step) {
      mutate_once(input, seeds[below(seeds.size(), engine)], engine);
    }
    run(input);
  }
  std::cout << seeds.size() + count << " inputs\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::size_t mutations = 20'000;
  std::uint64_t seed = 1;
  bool has_files = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--mutations" && i + 1 < arguments.size()) {
      mutations = std::stoull(arguments[++i]);
    } else if (arguments[i] == "--seed" && i + 1 < arguments.size()) {
      seed = std::stoull(arguments[++i]);
    } else {
      run(sotto::read_file(arguments[i]));
      has_files = true;
    }
  }
  if (!has_files) run_mutations(mutations, seed);
  return EXIT_SUCCESS;
}
