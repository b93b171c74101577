#include "cli/model_promise.h"

#include "core/json_number.h"
#include "runs/json_file.h"
#include "runs/run_record.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;

ModelPromise not_proved(std::vector<std::string> contradictions) {
  std::string text = "NOT PROVED:";
  for (const auto& contradiction : contradictions) text += " " + contradiction;
  return {text + " Do not rely on its promise.", std::move(contradictions)};
}

}  // namespace

ModelPromise promise_of(const fs::path& model, const std::string& card) {
  const auto folder = model.parent_path();
  if (!fs::exists(folder / "privacy.json")) {
    if (!fs::exists(folder / "config.json")) return {card};
    return not_proved(
        {"The run's privacy.json is missing: nobody can tell what it promised, so "
         "no ε is proved."});
  }
  const auto run = runs::RunRecord::read(folder);
  if (!run.is_private()) return {runs::text_in(run.privacy().at("statement"), "promise")};
  return run.is_proved() ? ModelPromise{card} : not_proved(run.contradictions());
}

void add_contradictions(const ModelPromise& promise, nlohmann::ordered_json& object) {
  if (promise.is_proved()) return;
  object["epsilon"] = kInfinityText;
  object["contradictions"] = promise.contradictions;
}

}  // namespace sotto::cli
