#include "data/data_source.h"

#include <gtest/gtest.h>

#include "tests/data/messages.h"
#include "tests/data/scoped_variable.h"

namespace sotto::data {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(DataSource, EverySpecIsReadAndWritten) {
  for (const std::string spec : {"fashion-mnist", "mnist", "cifar10", "digits", "csv:a/b.csv",
                                 "idx:/data", "images:some folder:with a colon"}) {
    EXPECT_EQ(DataSource::parse(spec).spec(), spec);
  }
  EXPECT_EQ(DataSource::parse("csv:a.csv").kind, DataKind::kCsv);
  EXPECT_EQ(DataSource::parse("csv:a.csv").location(), "a.csv");
  EXPECT_EQ(DataSource::parse("fashion-mnist").location(), "/usr/share/datasets/fashion-mnist");
  EXPECT_TRUE(DataSource::parse("digits").location().empty());
}

TEST(DataSource, AnythingElseIsRefusedWithTheList) {
  for (const std::string spec : {"", "MNIST", "mnist:", "mnist:/x", "csv", "csv:", "idx", ":x"}) {
    EXPECT_THAT(message_of([&] { DataSource::parse(spec); }),
                AllOf(HasSubstr("data '" + spec + "' is not one of "),
                      HasSubstr("fashion-mnist, mnist, cifar10, digits, csv:PATH, idx:DIR")));
  }
}

TEST(DataHome, TheFirstVariableThatIsSet) {
  const ScopedVariable home("HOME", "/home/me");
  {
    const ScopedVariable own("SOTTO_DATA", "/own");
    EXPECT_EQ(data_home(), "/own");
    EXPECT_EQ(DataSource::parse("cifar10").location(), "/own/cifar10");
  }
  const ScopedVariable own("SOTTO_DATA", "");
  {
    const ScopedVariable shared("XDG_DATA_HOME", "/shared");
    EXPECT_EQ(data_home(), "/shared/sotto");
  }
  const ScopedVariable shared("XDG_DATA_HOME", std::nullopt);
  EXPECT_EQ(data_home(), "/home/me/.local/share/sotto");
  const ScopedVariable no_home("HOME", std::nullopt);
  EXPECT_THAT(message_of([] { data_home(); }), HasSubstr("set SOTTO_DATA"));
}

}  // namespace
}  // namespace sotto::data
