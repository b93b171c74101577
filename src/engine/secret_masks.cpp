#include "engine/secret_masks.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cstdint>
#include <mutex>

namespace sotto {

// A seed has 32 bits there, which can be tried one by one; so all of the state is drawn.
void draw_masks_in_secret(RandomSource& random) {
  at::mt19937_data_pod state{};
  state.seeded_ = true;
  state.left_ = 1;  // the state is turned over before the first number
  for (auto& word : state.state_) word = static_cast<std::uint32_t>(random() >> 32U);
  at::mt19937 engine;
  engine.set_data(state);
  auto generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  auto* cpu = generator.get<at::CPUGeneratorImpl>();
  cpu->set_engine(engine);
  cpu->set_next_float_normal_sample({});
  cpu->set_next_double_normal_sample({});
}

}  // namespace sotto
