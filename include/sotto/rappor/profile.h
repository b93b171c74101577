// Which client's bits.
#pragma once

#include <string>
#include <string_view>

namespace sotto::rappor {

enum class Profile {
  kSotto,         // any k and m, exact probabilities, unbiased hashing; the default
  kGoogleCpp,     // bit for bit google/rappor's C++ client
  kGooglePython,  // bit for bit google/rappor's Python client
};

// "sotto", "google-cpp", "google-python".
std::string_view profile_name(Profile profile);

// Throws InvalidArgument for other names.
Profile profile_from_name(const std::string& name);

}  // namespace sotto::rappor
