#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "proto/transport/durable_file.h"
#include "proto/transport/framing.h"

// Runners for the agent's tests: shell scripts that do as a runner may, or should not.

namespace roar::agent {

// A message as it travels, for a script to send.
inline std::string Frame(const google::protobuf::MessageLite& message) {
  int sockets[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  EXPECT_TRUE(WriteFrame(sockets[1], message).ok());
  close(sockets[1]);
  std::string bytes;
  char buffer[4096];
  for (ssize_t size = 0; (size = read(sockets[0], buffer, sizeof buffer)) > 0;) bytes.append(buffer, size);
  close(sockets[0]);
  return bytes;
}

// Writes the program FOLDER/runner. In it, $FOLDER is the folder, descriptor 3 the agent's socket, and `read_job` takes
// one RunJob from there, or fails at the conversation's end.
inline void WriteShellRunner(const std::filesystem::path& folder, const std::string& body) {
  const std::string script = "#!/bin/sh\nFOLDER=" + folder.string() +
                             "\nread_job() {\n"
                             "  length=$(dd bs=1 count=4 <&3 2>/dev/null | od -An -tu4 | tr -d ' ')\n"
                             "  [ -n \"$length\" ] && dd bs=1 count=$length <&3 >/dev/null 2>&1\n"
                             "}\n" + body + "\n";
  ASSERT_TRUE(WriteFileDurably(folder / "runner", script, 0755).ok());
}

}  // namespace roar::agent
