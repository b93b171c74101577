// `sotto explore` as a process, asked over a socket by friends and others.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/explore/running_explorer.h"
#include "tests/runs/run_files.h"

namespace sotto::explore {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kSettings =
    "dataset_size=60000&batch_size=1024&noise_multiplier=1&epochs=10&delta=1e-5&target_epsilon=3";

class ExploreProcessTest : public testing::Test {
 protected:
  ExploreProcessTest() {
    fs::create_directories(folder / "runs/run");
    std::ofstream(folder / "runs/run/config.json") << R"({"dataset": "mnist"})";
    std::ofstream(folder / "runs/run/report.html") << "<h1>report</h1>";
    std::ofstream(folder / "secret.html") << "top secret";
    fs::create_symlink(folder / "secret.html", folder / "runs/run/link.html");
  }

  TemporaryFolder folder;
};

class ExploreTest : public ExploreProcessTest {
 protected:
  RunningExplorer explorer{folder / "runs"};
};

TEST_F(ExploreTest, SaysWhereItIs) {
  const auto line = json::parse(explorer.first_line());
  EXPECT_GT(explorer.port(), 0);
  EXPECT_EQ(line["url"], "http://127.0.0.1:" + std::to_string(explorer.port()) + "/");
  const std::string page = explorer.get("/");
  EXPECT_EQ(status_of(page), 200);
  EXPECT_NE(body_of(page).find("<title>sotto explorer</title>"), std::string::npos);
}

TEST_F(ExploreTest, EveryReplyIsGuarded) {
  for (const char* target :
       {"/", "/api/runs", "/nothing", "/api/budget", "/runs/run/report.html"}) {
    const std::string reply = explorer.get(target);
    for (const char* header : {"X-Content-Type-Options: nosniff", "Cache-Control: no-store",
                               "Content-Security-Policy: default-src '"}) {
      EXPECT_NE(reply.find(header), std::string::npos) << target << ": " << header;
    }
    EXPECT_EQ(reply.find("Access-Control-Allow"), std::string::npos);
    EXPECT_EQ(reply.find("Content-Encoding"), std::string::npos);
  }
  EXPECT_NE(explorer.get("/").find("Content-Security-Policy: default-src 'self'"),
            std::string::npos);
}

TEST_F(ExploreTest, SaysWhatBudgetSays) {
  const auto reply =
      explorer.get(std::string("/api/budget?") + kSettings + "&precision=full",
                   "Origin: http://localhost:" + std::to_string(explorer.port()) + "\r\n");
  ASSERT_EQ(status_of(reply), 200) << reply;
  const auto budget = cli::run_program("budget -s 60000 -b 1024 -n 1 -e 10 -d 1e-5 --json").json();
  EXPECT_EQ(json::parse(body_of(reply))["epsilon"], budget["epsilon"]);
}

TEST_F(ExploreTest, RefusesStrangers) {
  const std::string own = "127.0.0.1:" + std::to_string(explorer.port());
  for (const std::string& headers :
       {std::string("Host: evil.example"), "Host: evil.example:" + std::to_string(explorer.port()),
        std::string("Host: 127.0.0.1"), std::string("Host: 127.0.0.1:1"), std::string("X: y"),
        "Host: " + own + "\r\nOrigin: http://evil.example", "Host: " + own + "\r\nOrigin: null",
        "Host: " + own + "\r\nHost: evil.example"}) {
    for (const char* target : {"/", "/api/runs", "/runs/run/report.html"}) {
      const auto reply =
          explorer.exchange(std::string("GET ") + target + " HTTP/1.1\r\n" + headers + "\r\n\r\n");
      EXPECT_EQ(status_of(reply), 403) << headers;
      EXPECT_TRUE(json::parse(body_of(reply)).contains("error")) << headers;
    }
  }
}

TEST_F(ExploreTest, AnswersGetAlone) {
  const std::string host = "Host: 127.0.0.1:" + std::to_string(explorer.port()) + "\r\n";
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"}) {
    const auto reply = explorer.exchange(std::string(method) + " /api/runs HTTP/1.1\r\n" + host +
                                         "Content-Length: 0\r\n\r\n");
    EXPECT_EQ(status_of(reply), 405) << method;
  }
}

TEST_F(ExploreTest, OneRequestAConnection) {
  const std::string host = "Host: 127.0.0.1:" + std::to_string(explorer.port()) + "\r\n";
  const auto reply = explorer.exchange("POST / HTTP/1.1\r\n" + host + "Content-Length: 70\r\n\r\n" +
                                       "GET /api/runs HTTP/1.1\r\n" + host + "\r\n");
  EXPECT_EQ(status_of(reply), 405);
  EXPECT_EQ(reply.find("\"runs\""), std::string::npos) << "the body was taken for a request";
}

TEST_F(ExploreTest, ReadsNothingOutsideTheRuns) {
  EXPECT_EQ(body_of(explorer.get("/runs/run/report.html")), "<h1>report</h1>");
  for (const char* target :
       {"/runs/../secret.html", "/runs/%2e%2e/secret.html", "/runs/%2E%2E%2Fsecret.html",
        "/runs/run/..%2f..%2fsecret.html", "/runs/..%5csecret.html", "/runs/%252e%252e/secret.html",
        "/runs/run/link.html", "/runs//etc/passwd", "/runs/run/report.html%00.png",
        "/../secret.html", "/runs/run/%c0%ae%c0%ae/%c0%ae%c0%ae/secret.html"}) {
    const auto reply = explorer.get(target);
    EXPECT_GE(status_of(reply), 400) << target;
    EXPECT_LT(status_of(reply), 500) << target;
    EXPECT_EQ(reply.find("top secret"), std::string::npos) << target;
  }
}

TEST_F(ExploreTest, BadParametersAreOneLine) {
  for (const char* target : {"/api/budget", "/api/budget?precision=full&dataset_size=0",
                             "/api/curve?along=x", "/api/run?name=../..", "/api/run?name=%2e%2e"}) {
    const auto reply = explorer.get(target);
    EXPECT_EQ(status_of(reply), 400) << target;
    EXPECT_TRUE(json::parse(body_of(reply))["error"].is_string()) << target;
  }
}

// Lost, or with one byte changed.
TEST_F(ExploreTest, NoEpsilonIsServedOfARunThatItsLedgerDoesNotProve) {
  for (const char* name : {"lost", "changed"}) runs::write_run(folder / "runs" / name);
  fs::remove(folder / "runs/lost/ledger.jsonl");
  auto ledger = read_file(folder / "runs/changed/ledger.jsonl");
  ledger[ledger.find("\"last\":39") + 7] = '2';
  write_file_atomically(folder / "runs/changed/ledger.jsonl", ledger);
  const auto list = json::parse(body_of(explorer.get("/api/runs")))["runs"];
  EXPECT_EQ(list.size(), 3U);
  for (const auto& run : list) EXPECT_TRUE(run["epsilon"].is_null()) << run;
  for (const char* name : {"lost", "changed"}) {
    const auto run = json::parse(body_of(explorer.get(std::string("/api/run?name=") + name)));
    EXPECT_TRUE(run["epsilon"].is_null());
    EXPECT_FALSE(run["privacy"].contains("epsilon"));
    EXPECT_EQ(run["privacy"]["statement"]["promise"], "No ε is proved for this run.");
    for (const auto& line : run["metrics"]) EXPECT_FALSE(line.contains("epsilon"));
    EXPECT_NE(run["problems"].dump().find("ledger.jsonl"), std::string::npos);
  }
}

TEST_F(ExploreTest, SurvivesRubbish) {
  for (const std::string& bytes :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string(100000, 'A') + "\r\n\r\n",
        "GET /" + std::string(50000, 'x') + " HTTP/1.1\r\n\r\n", std::string("\0\0\0\r\n\r\n", 7),
        std::string("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n")}) {
    explorer.exchange(bytes);
  }
  EXPECT_EQ(status_of(explorer.get("/")), 200);
}

TEST_F(ExploreTest, EndsCleanly) {
  EXPECT_EQ(status_of(explorer.get("/")), 200);
  EXPECT_EQ(explorer.end_by(SIGTERM), 0);
}

TEST_F(ExploreProcessTest, EndsCleanlyByCtrlCAtOnce) {
  RunningExplorer explorer(folder / "runs");
  EXPECT_EQ(explorer.end_by(SIGINT), 0);
}

TEST_F(ExploreTest, ATakenPortIsNamed) {
  const std::string port = std::to_string(explorer.port());
  const auto second = cli::run_program("explore --no-open --port " + port);
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find(port), std::string::npos);
  EXPECT_EQ(std::count(second.err.begin(), second.err.end(), '\n'), 1) << second.err;
  EXPECT_EQ(second.out, "");
}

TEST(ExploreUsageTest, BadFlagsAreOneLine) {
  for (const char* flags : {"--port 65536", "--port -1", "--port 1.5", "--port x", "--nothing",
                            "--runs /not/there", "--runs /etc/passwd"}) {
    const auto outcome = cli::run_program(std::string("explore --no-open ") + flags);
    EXPECT_EQ(outcome.status, 2) << flags;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace sotto::explore
