#include "explore/site.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "explore/page_files.h"
#include "tests/core/temporary_folder.h"

namespace sotto::explore {
namespace {

namespace fs = std::filesystem;

class SiteTest : public testing::Test {
 protected:
  SiteTest() {
    fs::create_directories(folder / "runs/run");
    std::ofstream(folder / "runs/run/config.json") << R"({"dataset": "mnist"})";
    std::ofstream(folder / "runs/run/report.html") << "<h1>report</h1>";
    std::ofstream(folder / "runs/run/model.pt") << "weights";
    std::ofstream(folder / "secret.html") << "secret";
  }

  TemporaryFolder folder;
  Site site{RunsFolder(folder / "runs")};
};

// The program holds the files byte for byte.
TEST_F(SiteTest, ServesThePageAsItLiesInTheSources) {
  const fs::path sources = fs::path(SOTTO_SOURCE_DIR) / "src/explore/page";
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(sources)) {
    const std::string name = entry.path().filename().string();
    const Reply reply = site.get(name == "index.html" ? "/" : "/" + name, {});
    EXPECT_EQ(reply.status, 200) << name;
    EXPECT_EQ(reply.body, read_file(entry.path())) << name;
    EXPECT_EQ(reply.policy, kOwnPagePolicy);
    ++count;
  }
  EXPECT_EQ(page_files().size(), count + 1) << "and Chart.js";
  EXPECT_NE(site.get("/chart.js", {}).body.find("Chart.js v3"), std::string::npos);
}

// What the policy of the page forbids must not be needed by it.
TEST_F(SiteTest, ThePageHasNoScriptOrStyleOfItsOwn) {
  const std::string page = site.get("/", {}).body;
  for (const char* forbidden : {"<style", " style=", "javascript:", " onclick=", " onload="}) {
    EXPECT_EQ(page.find(forbidden), std::string::npos) << forbidden;
  }
  EXPECT_NE(page.find("<script src="), std::string::npos);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  for (const auto& file : page_files()) {
    if (file.path == "/chart.js") continue;
    EXPECT_EQ(file.content.find("innerHTML"), std::string_view::npos) << file.path;
    EXPECT_EQ(file.content.find("eval("), std::string_view::npos) << file.path;
  }
}

TEST_F(SiteTest, FilesOfRunsMayRunNoScript) {
  const Reply reply = site.get("/runs/run/report.html", {});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "<h1>report</h1>");
  EXPECT_EQ(reply.policy, kRunFilePolicy);
  EXPECT_NE(reply.policy.find("sandbox"), std::string_view::npos);
}

TEST_F(SiteTest, NothingElseIsFound) {
  for (const char* path :
       {"/runs/../secret.html", "/runs/run/../../secret.html", "/runs//etc/passwd", "/runs/",
        "/runs/run/model.pt", "/runs/run/absent.html", "/runs/run", "/secret.html", "", "/index",
        "/api", "/api/", "/api/nothing", "//"}) {
    const Reply reply = site.get(path, {});
    EXPECT_EQ(reply.status, 404) << path;
    EXPECT_TRUE(nlohmann::json::parse(reply.body).contains("error")) << path;
  }
}

TEST_F(SiteTest, BadParametersAre400) {
  for (const auto& [path, parameters] : std::vector<std::pair<const char*, Parameters>>{
           {"/api/budget", {}},
           {"/api/budget", {{"precision", "perfect"}}},
           {"/api/curve", {{"along", "<b>"}}},
           {"/api/curve", {{"along", "epochs"}, {"precision", "curve"}}},
           {"/api/noise", {{"dataset_size", "x"}}},
           {"/api/epochs", {}},
           {"/api/run", {}},
           {"/api/run", {{"name", "../runs"}}},
           {"/api/sweep", {{"name", "/etc"}}}}) {
    const Reply reply = site.get(path, parameters);
    EXPECT_EQ(reply.status, 400) << path;
    const auto json = nlohmann::json::parse(reply.body);
    EXPECT_EQ(json["error"].get<std::string>().find('\n'), std::string::npos);
  }
}

TEST_F(SiteTest, NamesThatAreNoUtf8AreReplaced) {
  fs::create_directories(folder / "runs/caf\xe9");
  std::ofstream(folder / "runs/caf\xe9/config.json") << "{}";
  const Reply reply = site.get("/api/runs", {});
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(nlohmann::json::parse(reply.body)["runs"].size(), 2U);
}

}  // namespace
}  // namespace sotto::explore
