// What each fuzz target defines: clang's libFuzzer needs the first, replay_main.cpp both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

// Feeds one input to a parser. The parser may refuse it with InvalidArgument; anything else is a
// finding. Returns 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

// A refusal is one line.
inline void expect_one_line(const std::exception& refusal) {
  if (std::string(refusal.what()).find('\n') != std::string::npos) __builtin_trap();
}

// Valid inputs to start from.
std::vector<std::string> seed_inputs();
