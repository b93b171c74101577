#include "bench/malloc_meter.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace sotto::bench {
namespace {

std::atomic<std::int64_t> live{0};
std::atomic<std::int64_t> peak{0};

void* counted(void* memory) {
  if (memory == nullptr) return nullptr;
  const auto now = live.fetch_add(static_cast<std::int64_t>(malloc_usable_size(memory))) +
                   static_cast<std::int64_t>(malloc_usable_size(memory));
  auto before = peak.load();
  while (now > before && !peak.compare_exchange_weak(before, now)) {
  }
  return memory;
}

void uncount(void* memory) {
  if (memory != nullptr) live.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)));
}

}  // namespace

std::int64_t live_bytes() { return live.load(); }
std::int64_t peak_bytes() { return peak.load(); }
void reset_peak() { peak.store(live.load()); }

}  // namespace sotto::bench

// A program may define these functions itself; glibc's own are then reached by these names.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) { return sotto::bench::counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) {
  return sotto::bench::counted(__libc_calloc(count, size));
}
void* realloc(void* memory, std::size_t size) {
  sotto::bench::uncount(memory);
  return sotto::bench::counted(__libc_realloc(memory, size));
}
void* memalign(std::size_t alignment, std::size_t size) {
  return sotto::bench::counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return sotto::bench::counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = sotto::bench::counted(__libc_memalign(alignment, size));
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  sotto::bench::uncount(memory);
  __libc_free(memory);
}
}
