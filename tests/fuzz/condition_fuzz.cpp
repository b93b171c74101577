#include "sotto/core/error.h"
#include "sotto/mechanisms/record_filter.h"
#include "tests/fuzz/fuzz_target.h"

using namespace sotto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const std::vector<std::string> columns = {"age", "first name", "city"};
  const mechanisms::ColumnTypes declared = {{"age", mechanisms::NumberType{}},
                                            {"first name", mechanisms::DateType{}}};
  for (const auto& types : {mechanisms::ColumnTypes{}, declared}) {
    try {
      const mechanisms::RecordFilter filter(text, columns, types);
      filter.matches(std::vector<std::string>{"40", text, "Lyon"});
      filter.matches(std::vector<std::string>{text, "", ""});
    } catch (const InvalidArgument& refusal) {
      expect_one_line(refusal);
    }
  }
  return 0;
}

std::vector<std::string> seed_inputs() {
  return {"age>40 and not (city='Lyon' or city != \"Paris\")",
          "\"first name\"='Anna' OR age<=-4.5e1 AND NOT NOT `city` == x",
          "age>=40 or `first name`<2024-01-31"};
}
