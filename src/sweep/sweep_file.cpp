#include "sweep/sweep_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "core/atomic_file.h"
#include "core/csv_field.h"
#include "core/memory_size.h"
#include "sotto/core/error.h"

namespace sotto::sweep {
namespace {

// As the file has it, on one line.
std::string shown(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  std::string line = text.str();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line.substr(0, 80);
}

// One key of the file, with its place for messages.
struct Entry {
  std::string place;  // "sweep.toml: [sweep] repeats"
  const toml::node& node;

  [[noreturn]] void refuse(const std::string& accepted) const {
    throw InvalidArgument(place + " = " + shown(node) + ": expected " + accepted);
  }
};

std::string text_of(const Entry& entry, const std::string& accepted) {
  const auto value = entry.node.value_exact<std::string>();
  if (!value || value->empty()) entry.refuse(accepted);
  return *value;
}

std::int64_t whole_of(const Entry& entry, std::int64_t least, std::int64_t most) {
  const auto value = entry.node.value_exact<std::int64_t>();
  if (value && *value >= least && *value <= most) return *value;
  entry.refuse("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

double number_of(const Entry& entry) {
  const auto value = entry.node.value<double>();
  if (!value || !entry.node.is_number()) entry.refuse("a number");
  return *value;
}

// What `from_name` makes of a word.
template <typename FromName>
auto word_of(const Entry& entry, FromName from_name, const std::string& accepted) {
  try {
    return from_name(text_of(entry, accepted));
  } catch (const InvalidArgument&) {
    entry.refuse(accepted);
  }
}

// A value as it stands behind a flag.
std::string flag_text(const Entry& entry, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* real = node.as_floating_point()) return exact_number(real->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  entry.refuse("a value, a list of values, or a range { from = , to = , log = true }");
}

ValueRange range_of(const Entry& entry, const toml::table& table) {
  ValueRange range;
  const toml::node* from = table.get("from");
  const toml::node* to = table.get("to");
  if (from == nullptr || to == nullptr) entry.refuse("a range with from and to");
  range.from = number_of({entry.place + ".from", *from});
  range.to = number_of({entry.place + ".to", *to});
  range.whole = from->is_integer() && to->is_integer();
  for (const auto& [key, node] : table) {
    if (key == "from" || key == "to") continue;
    if (key != "log") entry.refuse("a range with from, to and log only");
    const auto truth = node.value_exact<bool>();
    if (!truth) Entry{entry.place + ".log", node}.refuse("true or false");
    range.logarithmic = *truth;
  }
  return range;
}

SweptFlag flag_of(const Entry& entry, const std::string& name) {
  SweptFlag flag{name, {}};
  if (const auto* table = entry.node.as_table()) {
    flag.range = range_of(entry, *table);
  } else if (const auto* list = entry.node.as_array()) {
    if (list->empty()) entry.refuse("at least one value");
    for (const auto& value : *list) flag.values.push_back(flag_text(entry, value));
  } else {
    flag.values.push_back(flag_text(entry, entry.node));
  }
  return flag;
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, const toml::table& table)
      : name_(path.string()), table_(table) {}

  SweepFile read() {
    for (const auto& [key, node] : table_) {
      const bool known = key == "train" || key == "sweep";
      if (!known || !node.is_table()) {
        throw InvalidArgument(name_ + ": " + std::string(key.str()) +
                              ": expected the tables [train] and [sweep] only");
      }
    }
    if (const auto* train = table_["train"].as_table()) read_train(*train);
    if (const auto* sweep = table_["sweep"].as_table()) read_sweep(*sweep);
    return std::move(file_);
  }

 private:
  // In the order of the file, which the parser does not keep.
  void read_train(const toml::table& train) {
    std::vector<std::pair<toml::source_position, SweptFlag>> flags;
    for (const auto& [key, node] : train) {
      const std::string name(key.str());
      flags.emplace_back(key.source().begin, flag_of({name_ + ": [train] " + name, node}, name));
    }
    std::sort(flags.begin(), flags.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [place, flag] : flags) file_.settings.flags.push_back(std::move(flag));
  }

  void read_sweep(const toml::table& sweep) {
    for (const auto& [key, node] : sweep) {
      read_setting(std::string(key.str()), {name_ + ": [sweep] " + std::string(key.str()), node});
    }
    read_draw(sweep);
  }

  void read_setting(const std::string& key, const Entry& entry) {
    SweepSettings& settings = file_.settings;
    if (key == "mode") {
      settings.mode = word_of(entry, mode_from_name, R"("grid" or "random")");
    } else if (key == "samples") {
      settings.samples = whole_of(entry, 1, 100'000);
    } else if (key == "repeats") {
      settings.repeats = whole_of(entry, 1, 1000);
    } else if (key == "seed") {
      settings.seed = static_cast<std::uint64_t>(whole_of(entry, 0, std::int64_t{1} << 53U));
    } else if (key == "jobs") {
      file_.jobs = whole_of(entry, 1, 1024);
    } else if (key == "memory") {
      file_.memory = word_of(entry, memory_size, "an amount such as \"4GiB\"");
    } else if (key == "output") {
      file_.output = text_of(entry, "the name of a folder");
    } else if (key != "draw" && key != "mean") {
      throw InvalidArgument(entry.place +
                            ": unknown; accepted are mode, samples, repeats, jobs, memory, seed, "
                            "output, draw and mean");
    }
  }

  void read_draw(const toml::table& sweep) {
    const toml::node* draw = sweep.get("draw");
    const toml::node* mean = sweep.get("mean");
    if (draw == nullptr && mean == nullptr) return;
    if (draw == nullptr || mean == nullptr) {
      throw InvalidArgument(name_ + ": [sweep] draw and mean: give both or neither");
    }
    const auto distribution =
        word_of({name_ + ": [sweep] draw", *draw}, runs_distribution_from_name,
                R"("geometric", "logarithmic" or "poisson")");
    const Entry entry{name_ + ": [sweep] mean", *mean};
    const double runs = number_of(entry);
    if (!(runs >= 1.1 && runs <= 1000)) entry.refuse("a number from 1.1 to 1000");
    file_.settings.draw = RandomCount(distribution, runs);
  }

  std::string name_;
  const toml::table& table_;
  SweepFile file_;
};

}  // namespace

SweepFile read_sweep_file(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  try {
    const toml::table table = toml::parse(text, path.string());
    return Reader(path, table).read();
  } catch (const toml::parse_error& error) {
    const auto place = error.source().begin;
    throw InvalidArgument(path.string() + ":" + std::to_string(place.line) + ":" +
                          std::to_string(place.column) +
                          ": not valid TOML: " + std::string(error.description()));
  }
}

}  // namespace sotto::sweep
