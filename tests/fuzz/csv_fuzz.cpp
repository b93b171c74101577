#include <cstdlib>
#include <sstream>

#include "data/csv_table.h"
#include "data/schema_check.h"
#include "sotto/core/error.h"
#include "tests/fuzz/fuzz_target.h"

using namespace sotto;

namespace {

// An input is a schema, a NUL byte, and a table.
void parse(const std::string& input) {
  const auto middle = input.find('\0');
  if (middle == std::string::npos) return;
  const auto schema = data::parse_csv_schema(input.substr(0, middle), "schema");
  std::istringstream rows(input.substr(middle + 1));
  data::parse_csv_table(rows, "table", schema).validate("table");
  std::istringstream again(input.substr(middle + 1));
  const auto check =
      data::check_table(again, data::check_schema(input.substr(0, middle), "schema").reading);
  if (check.rows > 0 && !check.problems.empty()) std::abort();  // it was read
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    parse(std::string(reinterpret_cast<const char*>(bytes), size));
  } catch (const InvalidArgument& refusal) {
    expect_one_line(refusal);
  }
  return 0;
}

std::vector<std::string> seed_inputs() {
  const std::string schema = R"({"label":"y","classes":["a","b"],"drop":["id"],"columns":{)"
                             R"("x":{"low":0,"high":9,"missing":1},"z":{"mean":1,"std":2},)"
                             R"("c":{"categories":["p","q"],"other":true,"missing":"p"}}})";
  const std::string rows = "id,x,z,c,y\r\n1,2,-3.5e1,p,a\r\n2,,+1,\"q\",\"b\"\r\n\r\n3,4,5,,a";
  const std::string dates = R"({"label":"y","classes":["a","b"],"ids":["id"],"separator":";",)"
                            R"("decimal":",","missing_values":["-"],"columns":{"d":{"type":"date",)"
                            R"("low":"2020-01-01","high":"2021-01-01","missing":true}}})";
  return {dates + '\0' + "id;d;y\n1;2020-02-29;a\n2;-;b\n", schema + '\0' + rows,
          schema + '\0' + "\xEF\xBB\xBF" + rows + "\n"};
}
