#pragma once

#include "absl/status/status.h"
#include "google/protobuf/message_lite.h"

// Messages over a stream socket: each is its length in 4 bytes, little endian, then its bytes (runner.proto). The calls
// block, or for as long as the socket's own time limits say, and never raise SIGPIPE. One reader and one writer at a
// time.

namespace roar {

// InvalidArgument when the message is longer than kFrameBytesMost; Unavailable when the peer is gone; DeadlineExceeded
// when the socket has a time limit and it passed.
absl::Status WriteFrame(int socket, const google::protobuf::MessageLite& message);

// Fills `message`. OutOfRange at the end of the stream between two messages; DataLoss when the stream ends inside one,
// when a length is over the limit or the bytes are not such a message; DeadlineExceeded as above.
absl::Status ReadFrame(int socket, google::protobuf::MessageLite& message);

}  // namespace roar
