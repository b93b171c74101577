// Silence for what LibTorch would warn of.
#pragma once

#include <c10/util/Exception.h>
#include <torch/version.h>

#include <string>

namespace sotto::grad {

#if TORCH_VERSION_MAJOR >= 2
namespace warnings = c10::WarningUtils;
#else
namespace warnings = c10::Warning;
#endif

// While an object of this class lives, in every thread.
class NoWarnings final : public c10::WarningHandler {
 public:
  NoWarnings() { warnings::set_warning_handler(this); }
  NoWarnings(const NoWarnings&) = delete;
  NoWarnings& operator=(const NoWarnings&) = delete;
  ~NoWarnings() override { warnings::set_warning_handler(before_); }

#if TORCH_VERSION_MAJOR >= 2
  void process(const c10::Warning& /*warning*/) override {}
#else
  void process(const c10::SourceLocation& /*place*/, const std::string& /*text*/,
               const bool /*verbatim*/) override {}
#endif

 private:
  c10::WarningHandler* before_ = warnings::get_warning_handler();
};

}  // namespace sotto::grad
