// Runs one function on several threads, and waits for all.
#pragma once

#include <exception>
#include <functional>
#include <mutex>

#if defined(__SANITIZE_THREAD__)
#include <thread>
#include <vector>
#endif

namespace sotto::fused {

// Calls work(0), ..., work(threads - 1), each on a thread of its own; the first exception is thrown
// again here. OpenMP's threads are LibTorch's too, so that the two do not compete. The thread
// sanitizer does not know OpenMP: under it these are threads of the standard library.
template <typename Work>
void on_threads(int threads, const Work& work) {
  std::exception_ptr failure;
  std::mutex guard;
  const auto guarded = [&](int thread) {
    try {
      work(thread);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
#if defined(__SANITIZE_THREAD__)
  std::vector<std::thread> team;
  for (int thread = 1; thread < threads; ++thread) team.emplace_back(guarded, thread);
  guarded(0);
  for (auto& member : team) member.join();
#else
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
  for (int thread = 0; thread < threads; ++thread) guarded(thread);
#endif
  if (failure) std::rethrow_exception(failure);
}

}  // namespace sotto::fused
