// Preloaded into the program: lets one call that changes or opens a file fail, or ends the process
// there. Counts calls over all processes that a command becomes or starts.
//
//   SOTTO_FAULT_UNDER    only files below this folder count
//   SOTTO_FAULT_COUNTER  file of 8 zero bytes: the number of calls so far
//   SOTTO_FAULT_LOG      file that gets a line for each call: its number, name and file
//   SOTTO_FAULT          N:KIND, the N-th call (from 1): eio (it fails), full (from then on nothing
//                        can be made or written; the first write succeeds by half), before or
//                        after (the process is killed)
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

enum class Fault { kNone, kError, kFull, kBefore, kAfter };

struct Injection {
  std::string under;
  std::atomic<long>* calls = nullptr;
  int log = -1;
  long number = 0;  // of the call that fails; 0: none
  Fault fault = Fault::kNone;
  int error = 0;

  Injection();
};

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

// Without the wrappers below, which would count it.
int open_uncounted(const std::string& path, int flags) {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), flags | O_CLOEXEC, 0644));
}

Injection::Injection() : under(variable("SOTTO_FAULT_UNDER")) {
  const int file = open_uncounted(variable("SOTTO_FAULT_COUNTER"), O_RDWR);
  void* page = mmap(nullptr, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (under.empty() || file < 0 || page == MAP_FAILED) std::abort();
  syscall(SYS_close, file);
  calls = static_cast<std::atomic<long>*>(page);
  log = open_uncounted(variable("SOTTO_FAULT_LOG"), O_WRONLY | O_CREAT | O_APPEND);
  const std::string which = variable("SOTTO_FAULT");
  if (which.empty()) return;
  number = std::stol(which);
  const std::string kind = which.substr(which.find(':') + 1);
  fault = kind == "full"     ? Fault::kFull
          : kind == "before" ? Fault::kBefore
          : kind == "after"  ? Fault::kAfter
                             : Fault::kError;
  error = kind == "eio" ? EIO : ENOSPC;
}

const Injection& injection() {
  static const Injection one;
  return one;
}

std::string path_of(int file) {
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  char path[PATH_MAX];
  const auto length = syscall(SYS_readlink, link.c_str(), path, sizeof path);
  return length < 0 ? "" : std::string(path, static_cast<std::size_t>(length));
}

std::string absolute(int folder, const char* path) {
  if (path == nullptr || path[0] == '/') return path == nullptr ? "" : path;
  char here[PATH_MAX];
  const std::string base =
      folder == AT_FDCWD ? (getcwd(here, sizeof here) == nullptr ? "" : here) : path_of(folder);
  return base + "/" + path;
}

// What becomes of this call: kNone for all but one.
Fault counted(const char* call, const std::string& path) {
  const auto& at = injection();
  if (path.compare(0, at.under.size(), at.under) != 0) return Fault::kNone;
  const long number = ++*at.calls;
  const std::string line =
      std::to_string(number) + " " + call + " " + path.substr(at.under.size()) + "\n";
  if (at.log >= 0) syscall(SYS_write, at.log, line.data(), line.size());
  if (at.fault == Fault::kFull) return at.number <= number ? Fault::kFull : Fault::kNone;
  return number == at.number ? at.fault : Fault::kNone;
}

// On a full disk files can still be opened, removed and renamed.
bool needs_space(const char* call) {
  return std::strcmp(call, "open") != 0 && std::strcmp(call, "rename") != 0 &&
         std::strcmp(call, "remove") != 0 && std::strcmp(call, "ftruncate") != 0;
}

[[noreturn]] void die() {
  syscall(SYS_kill, getpid(), SIGKILL);
  std::abort();
}

// The call itself, or its failure.
template <typename Call>
auto faulty(const char* name, const std::string& path, Call call) -> decltype(call()) {
  const int before = errno;
  const auto fault = counted(name, path);
  errno = before;
  if (fault == Fault::kBefore) die();
  if (fault == Fault::kError || (fault == Fault::kFull && needs_space(name))) {
    errno = injection().error;
    return -1;
  }
  const auto result = call();
  if (fault == Fault::kAfter) die();
  return result;
}

template <typename Function>
Function next_function(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool takes_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

int open_counted(int folder, const char* path, int flags, mode_t mode) {
  return faulty("open", absolute(folder, path),
                [&] { return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode)); });
}

ssize_t write_counted(int file, const iovec* parts, int count) {
  const auto fault = counted("write", path_of(file));
  if (fault == Fault::kBefore) die();
  const bool first = *injection().calls == injection().number;
  if (fault == Fault::kFull && first && count > 0 && parts[0].iov_len > 1) {
    return syscall(SYS_write, file, parts[0].iov_base, parts[0].iov_len / 2);
  }
  if (fault == Fault::kError || fault == Fault::kFull) return errno = injection().error, -1;
  const auto result = syscall(SYS_writev, file, parts, count);
  if (fault == Fault::kAfter) die();
  return result;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_counted(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_counted(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_counted(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  const auto fault = counted("fopen", absolute(AT_FDCWD, path));
  if (fault == Fault::kBefore) die();
  const bool writes = mode[0] != 'r';
  if (fault == Fault::kError || (fault == Fault::kFull && writes)) {
    errno = injection().error;
    return nullptr;
  }
  FILE* file = next_function<FILE* (*)(const char*, const char*)>("fopen")(path, mode);
  if (fault == Fault::kAfter) die();
  return file;
}

FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

ssize_t write(int file, const void* bytes, size_t size) {
  const iovec part{const_cast<void*>(bytes), size};
  return write_counted(file, &part, 1);
}

ssize_t writev(int file, const iovec* parts, int count) {
  return write_counted(file, parts, count);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  return faulty("pwrite", path_of(file), [&] {
    return static_cast<ssize_t>(syscall(SYS_pwrite64, file, bytes, size, offset));
  });
}

int fsync(int file) {
  return faulty("fsync", path_of(file), [&] { return static_cast<int>(syscall(SYS_fsync, file)); });
}

int fdatasync(int file) {
  return faulty("fdatasync", path_of(file),
                [&] { return static_cast<int>(syscall(SYS_fdatasync, file)); });
}

int ftruncate(int file, off_t size) {
  return faulty("ftruncate", path_of(file),
                [&] { return static_cast<int>(syscall(SYS_ftruncate, file, size)); });
}

int rename(const char* from, const char* to) {
  return faulty("rename", absolute(AT_FDCWD, to), [&] {
    return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
  });
}

int link(const char* from, const char* to) {
  return faulty("link", absolute(AT_FDCWD, to), [&] {
    return static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
  });
}

int unlink(const char* path) {
  return faulty("remove", absolute(AT_FDCWD, path),
                [&] { return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0)); });
}

int remove(const char* path) {
  const auto name = absolute(AT_FDCWD, path);
  const auto next = next_function<int (*)(const char*)>("remove");
  return faulty("remove", name, [&] { return next(path); });
}

int truncate(const char* path, off_t size) {
  return faulty("ftruncate", absolute(AT_FDCWD, path),
                [&] { return static_cast<int>(syscall(SYS_truncate, path, size)); });
}

int mkdir(const char* path, mode_t mode) {
  return faulty("mkdir", absolute(AT_FDCWD, path),
                [&] { return static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode)); });
}

}  // extern "C"
