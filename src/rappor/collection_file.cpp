#include "rappor/collection_file.h"

#include "core/byte_order_mark.h"
#include "core/shallow_json.h"
#include "rappor/candidate_map.h"
#include "rappor/params_file.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

constexpr const char* kCollectionFormat = "sotto-rappor-collection-1";

std::vector<std::string> answers_from(const Json& json) {
  if (json.is_null()) return {};
  auto answers = json.get<std::vector<std::string>>();
  check_argument(!answers.empty(), "'answers' must be null or have an answer");
  return answers;
}

// A JSON library would take 4.7 for a count.
std::int64_t size_from(const Json& json) {
  check_argument(json.is_number_integer(), "k, h and m must be whole numbers");
  return json.get<std::int64_t>();
}

Collection collection_from(const Json& json) {
  check_argument(json.at("format") == kCollectionFormat, "expected the format ", kCollectionFormat);
  const Params params({.bits = size_from(json.at("k")),
                       .hashes = size_from(json.at("h")),
                       .cohorts = size_from(json.at("m")),
                       .f = json.at("f").get<double>(),
                       .p = json.at("p").get<double>(),
                       .q = json.at("q").get<double>()});
  Collection collection{params, answers_from(json.at("answers"))};
  if (collection.answers.empty()) return collection;
  check_argument(
      params.hashes() == 1 && params.cohorts() == 1 && params.bits() == collection.answers.size(),
      collection.answers.size(),
      " answers need h = 1, m = 1 and as many bits, got h = ", params.hashes(),
      ", m = ", params.cohorts(), ", k = ", params.bits());
  static_cast<void>(CandidateMap::of_categories(params, collection.answers));
  return collection;
}

}  // namespace

Collection parse_collection(std::string_view text, const std::string& name) {
  text = without_byte_order_mark(text);
  if (!text.starts_with('{')) return {parse_params(text, name)};
  const Json json = parse_shallow_json(text, name, 3);
  try {
    return collection_from(json);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(name + ": " + error.what());
  } catch (const Json::exception&) {
    throw InvalidArgument(name + ": is not a collection as sotto rappor params writes it");
  }
}

std::string format_collection(const Collection& collection) {
  const Params& params = collection.params;
  const Json json{{"format", kCollectionFormat},
                  {"k", params.bits()},
                  {"h", params.hashes()},
                  {"m", params.cohorts()},
                  {"f", params.f()},
                  {"p", params.p()},
                  {"q", params.q()},
                  {"answers", collection.answers.empty() ? Json() : Json(collection.answers)}};
  try {
    return json.dump(2) + '\n';
  } catch (const Json::exception&) {
    throw InvalidArgument("an answer is not UTF-8");
  }
}

}  // namespace sotto::rappor
