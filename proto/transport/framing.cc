#include "proto/transport/framing.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/transport/durable_file.h"
#include "proto/transport/length_prefix.h"

namespace roar {
namespace {

absl::Status SocketError(const std::string& act) {
  if (errno == EAGAIN || errno == EWOULDBLOCK) return absl::DeadlineExceededError(act + ": the peer does not move");
  if (errno == EPIPE || errno == ECONNRESET) return absl::UnavailableError(act + ": the peer is gone");
  return SystemError(act);
}

// Bytes read: fewer than asked for only at the end of the stream.
absl::Status ReadBytes(int socket, char* to, std::size_t size, std::size_t& bytes_read) {
  bytes_read = 0;
  while (bytes_read < size) {
    const ssize_t received = recv(socket, to + bytes_read, size - bytes_read, 0);
    if (received == 0 || (received < 0 && errno == ECONNRESET)) return absl::OkStatus();
    if (received < 0 && errno == EINTR) continue;
    if (received < 0) return SocketError("read a message");
    bytes_read += static_cast<std::size_t>(received);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteFrame(int socket, const google::protobuf::MessageLite& message) {
  const std::size_t length = message.ByteSizeLong();
  if (length > kFrameBytesMost) return absl::InvalidArgumentError(absl::StrCat("a message of ", length, " bytes"));
  std::string frame = EncodeLength(length);
  message.AppendToString(&frame);
  for (std::size_t sent = 0; sent < frame.size();) {
    const ssize_t written = send(socket, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SocketError("write a message");
    sent += static_cast<std::size_t>(written);
  }
  return absl::OkStatus();
}

absl::Status ReadFrame(int socket, google::protobuf::MessageLite& message) {
  char length_bytes[kLengthBytes];
  std::size_t bytes_read = 0;
  if (absl::Status read = ReadBytes(socket, length_bytes, kLengthBytes, bytes_read); !read.ok()) return read;
  if (bytes_read == 0) return absl::OutOfRangeError("the peer closed the conversation");
  if (bytes_read < kLengthBytes) return absl::DataLossError("the conversation ends inside a message's length");
  const std::size_t length = DecodeLength({length_bytes, kLengthBytes});
  if (length > kFrameBytesMost) return absl::DataLossError(absl::StrCat("a message claims ", length, " bytes"));
  std::string bytes(length, '\0');
  if (absl::Status read = ReadBytes(socket, bytes.data(), length, bytes_read); !read.ok()) return read;
  if (bytes_read < length) return absl::DataLossError("the conversation ends inside a message");
  if (!message.ParseFromString(bytes)) return absl::DataLossError("a message cannot be parsed");
  return absl::OkStatus();
}

}  // namespace roar
