#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/schema_inputs.h"
#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "core/atomic_file.h"
#include "core/counted.h"
#include "data/checksum.h"
#include "data/contact_sheet.h"
#include "data/download.h"
#include "data/png_image.h"
#include "data/registry.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;
using data::DataSource;

constexpr const char* kExamples = R"(
Examples:
  sotto data list
  sotto data get mnist
  sotto data check fashion-mnist
  sotto data show digits --output digits.png
  sotto data show csv:patients.csv --schema schema.json
)";

struct Known {
  const char* name;
  const char* description;
};

constexpr std::array kKnown = {
    Known{"fashion-mnist", "70000 clothes, 28x28 grey, 10 classes (Debian: dataset-fashion-mnist)"},
    Known{"mnist", "70000 handwritten digits, 28x28 grey, 10 classes (sotto data get mnist)"},
    Known{"cifar10", "60000 photographs, 32x32 colour, 10 classes (sotto data get cifar10)"},
    Known{"digits", "12000 synthetic digits, 28x28 grey, 10 classes (built in)"},
};

bool is_here(const DataSource& source) {
  return source.kind == data::DataKind::kDigits || data::all_ok(data::check(source));
}

int list(bool json) {
  Json sets = Json::array();
  TextTable table;
  for (const auto& known : kKnown) {
    const auto source = DataSource::parse(known.name);
    const bool here = is_here(source);
    sets.push_back({{"name", known.name},
                    {"description", known.description},
                    {"available", here},
                    {"location", source.location().string()}});
    table.add({known.name, here ? "here" : "missing", known.description});
  }
  std::cout << (json ? Json{{"data_sets", sets}}.dump(2) + "\n" : table.text());
  return 0;
}

int get(const DataSource& source, bool json) {
  data::DownloadOptions options;
  options.on_progress = [](const std::string& line) { std::cerr << line << '\n'; };
  const auto folder = data::get(source, options);
  if (json) {
    std::cout << Json{{"name", source.spec()}, {"location", folder.string()}}.dump(2) << '\n';
  } else {
    std::cout << source.spec() << ": " << folder.string() << '\n';
  }
  return 0;
}

const char* state_text(data::FileState state) {
  switch (state) {
    case data::FileState::kOk:
      return "ok";
    case data::FileState::kMissing:
      return "missing";
    case data::FileState::kDiffers:
      return "differs";
  }
  return "";
}

int check(const DataSource& source, bool json) {
  const auto checks = data::check(source);
  Json files = Json::array();
  for (const auto& file : checks) {
    files.push_back({{"file", file.name}, {"state", state_text(file.state)}});
    if (!json) std::cout << padded(state_text(file.state), 9) << file.name << '\n';
  }
  if (json) {
    Json object{{"name", source.spec()}, {"ok", data::all_ok(checks)}, {"files", files}};
    std::cout << object.dump(2) << '\n';
  }
  return data::all_ok(checks) ? 0 : 1;
}

int show(const DataSource& source, const data::LoadOptions& options, const std::string& output,
         bool json) {
  const auto loaded = data::load(source, options);
  data::SheetOptions sheet;
  sheet.zoom = 2;
  write_file_atomically(output, data::encode_png(data::contact_sheet(loaded.train, sheet)));
  Json object{{"name", loaded.name},
              {"train", loaded.train.size()},
              {"test", loaded.test.size()},
              {"shape", loaded.train.shape},
              {"classes", loaded.train.class_names},
              {"sheet", output}};
  if (json) {
    std::cout << object.dump(2) << '\n';
  } else {
    std::cout << loaded.name << ": " << loaded.train.size() << " training and "
              << counted(loaded.test.size(), "test sample") << ", "
              << counted(loaded.train.class_names.size(), "class", "classes")
              << "; pictures of some in " << output << '\n';
  }
  return 0;
}

}  // namespace

int data_command(const Arguments& arguments) {
  FlagSet app("Data sets: what is here, how to get it, what it looks like.", "sotto data");
  std::string action;
  FlagText name;
  FlagText output;
  FlagText class_names;
  FlagText schema;
  bool json = false;
  app.add_option("ACTION", action, "list, get, check or show").required();
  app.add_option("NAME", name,
                 "fashion-mnist, mnist, cifar10, digits; show: also idx:, images:, csv:")
      .reads();
  app.add_option("-o,--output FILE", output, "show: the PNG file (default NAME.png)").writes();
  app.add_option("--class-names A,B,...|@FILE", class_names,
                 "show images: the classes' folders, a,b,c or @FILE with one per line");
  app.add_option("--schema FILE", schema,
                 "show csv: the schema, whose columns and inputs are shown");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kExamples);
  if (!app.parse(arguments)) return 0;
  if (action == "list") return list(json);
  if (action != "get" && action != "check" && action != "show") {
    throw UsageError(unknown_word("ACTION", action, {"list", "get", "check", "show"}));
  }
  if (!name) throw UsageError("NAME is missing: fashion-mnist, mnist, cifar10 or digits");
  const auto source = DataSource::parse(flag_value("NAME", *name, settings::dataset));
  if (action == "get") return get(source, json);
  if (action == "check") return check(source, json);
  if (source.kind == data::DataKind::kCsv) {
    if (!schema) throw UsageError("--schema is missing: show csv needs one");
    show_table(file_flag("NAME", source.path.string()), file_flag("--schema", *schema), json);
    return 0;
  }
  const auto kind = name->substr(0, name->find(':'));
  data::LoadOptions options;
  if (class_names)
    options.images.class_names = flag_value("--class-names", *class_names, settings::class_names);
  const auto sheet = output.value_or(kind + ".png");
  app.check_output("--output", sheet);
  return show(source, options, sheet, json);
}

}  // namespace sotto::cli
