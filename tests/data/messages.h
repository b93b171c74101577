// The message of what an action throws.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "sotto/core/error.h"

namespace sotto::data {

// The message of the InvalidArgument that `action` throws. A failure of the test if it throws none,
// or if the message is longer than a line.
template <typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InvalidArgument& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "no InvalidArgument";
  return {};
}

}  // namespace sotto::data
