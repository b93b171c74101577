// An object of a schema's JSON, and complaints about what stands in it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/shallow_json.h"
#include "data/schema_reading.h"
#include "sotto/core/error.h"

namespace sotto::data {

// Nothing throws: what is wrong is added to the problems, and reading goes on with a value that
// means nothing.
class SchemaEntry {
 public:
  // The root. `json` and `problems` must outlive it.
  SchemaEntry(const Json& json, std::vector<SchemaProblem>& problems)
      : json_(json), problems_(problems) {}
  // The entry of a column.
  SchemaEntry column(const std::string& name, const Json& json) const;

  const Json& json() const { return json_; }
  bool has(const char* key) const { return json_.contains(key); }

  void check_keys(const std::vector<std::string_view>& known) const;
  // A finite number; NaN if there is none.
  double number(const char* key) const;
  // The days of a date; NaN if there is none.
  double date(const char* key) const;
  std::string text(const char* key) const;
  // At least so many strings, all different.
  std::vector<std::string> texts(const char* key, std::size_t least) const;
  // False if it is not there.
  bool flag(const char* key) const;
  // One of the signs; `standard` if it is not there. `accepted` is how to say which.
  char sign(const char* key, std::string_view signs, char standard, const char* accepted) const;

  template <typename... Parts>
  void complain(const std::string& key, const Parts&... parts) const {
    add(key, detail::join_message(parts...), /*to_declare=*/false);
  }
  void still_to_declare(const std::string& key, const std::string& text) const {
    add(key, text, /*to_declare=*/true);
  }

 private:
  void add(const std::string& key, const std::string& text, bool to_declare) const;

  const Json& json_;
  std::vector<SchemaProblem>& problems_;
  std::string column_ = {};  // empty: the root
};

}  // namespace sotto::data
