#include "tests/explore/running_explorer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <nlohmann/json.hpp>

#include "core/file_descriptor.h"

namespace sotto::explore {

namespace {

std::string read_line(int descriptor) {
  std::string line;
  char c = 0;
  while (read(descriptor, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

}  // namespace

RunningExplorer::RunningExplorer(const std::filesystem::path& runs) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const std::string folder = runs.string();
  child_ = fork();
  if (child_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(SOTTO_PROGRAM, "sotto", "explore", "--port", "0", "--no-open", "--json", "--runs",
          folder.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  const FileDescriptor reader(ends[0]);
  first_line_ = read_line(reader.number());
  const auto json = nlohmann::json::parse(first_line_, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(json.is_object()) << first_line_;
  if (json.is_object()) port_ = json["port"];
}

RunningExplorer::~RunningExplorer() {
  if (child_ > 0) end_by(SIGKILL);
}

std::string RunningExplorer::exchange(const std::string& bytes) const {
  const FileDescriptor connection(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(connection.number(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(send(connection.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
  std::string reply;
  std::array<char, 4096> part{};
  ssize_t got = 0;
  while ((got = recv(connection.number(), part.data(), part.size(), 0)) > 0) {
    reply.append(part.data(), static_cast<std::size_t>(got));
  }
  return reply;
}

std::string RunningExplorer::get(const std::string& target, const std::string& more_headers) const {
  return exchange("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                  "\r\n" + more_headers + "\r\n");
}

int RunningExplorer::end_by(int signal) {
  kill(child_, signal);
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int status_of(const std::string& reply) {
  return reply.starts_with("HTTP/1.1 ") ? std::stoi(reply.substr(9, 3)) : -1;
}

std::string body_of(const std::string& reply) {
  const auto end = reply.find("\r\n\r\n");
  return end == std::string::npos ? "" : reply.substr(end + 4);
}

}  // namespace sotto::explore
