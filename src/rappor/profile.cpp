#include "sotto/rappor/params.h"

#include <array>

#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

struct NamedProfile {
  Profile profile;
  std::string_view name;
};

constexpr std::array kProfiles = {NamedProfile{Profile::kSotto, "sotto"},
                                  NamedProfile{Profile::kGoogleCpp, "google-cpp"},
                                  NamedProfile{Profile::kGooglePython, "google-python"}};

}  // namespace

std::string_view profile_name(Profile profile) {
  for (const auto& known : kProfiles) {
    if (known.profile == profile) return known.name;
  }
  return "";
}

Profile profile_from_name(const std::string& name) {
  for (const auto& known : kProfiles) {
    if (known.name == name) return known.profile;
  }
  throw InvalidArgument("profile '" + name + "': expected sotto, google-cpp or google-python");
}

}  // namespace sotto::rappor
