#include "proto/transport/framing.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <thread>

#include "proto/roar/v1/runner.pb.h"
#include "proto/transport/length_prefix.h"

namespace roar {
namespace {

class SocketPair {
 public:
  SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0); }
  ~SocketPair() {
    CloseWriter();
    close(ends_[0]);
  }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void CloseWriter() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  void WriteBytes(const std::string& bytes) {
    ASSERT_EQ(write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

 private:
  int ends_[2];
};

v1::RunJob JobWithKey(const std::string& key) {
  v1::RunJob job;
  job.set_key(key);
  return job;
}

TEST(Framing, MessagesArriveInOrderAndThenTheEnd) {
  SocketPair pair;
  ASSERT_TRUE(WriteFrame(pair.writer(), JobWithKey("first")).ok());
  ASSERT_TRUE(WriteFrame(pair.writer(), v1::RunJob()).ok());
  ASSERT_TRUE(WriteFrame(pair.writer(), JobWithKey("third")).ok());
  pair.CloseWriter();
  v1::RunJob job;
  for (const char* key : {"first", "", "third"}) {
    ASSERT_TRUE(ReadFrame(pair.reader(), job).ok());
    EXPECT_EQ(job.key(), key);
  }
  EXPECT_EQ(ReadFrame(pair.reader(), job).code(), absl::StatusCode::kOutOfRange);
}

// Far more than a socket's buffer holds, hence written and read in many pieces.
TEST(Framing, ALongMessageArrivesWhole) {
  SocketPair pair;
  const v1::RunJob sent = JobWithKey(std::string(kFrameBytesMost - 100, 'x'));
  std::thread writer([&] { EXPECT_TRUE(WriteFrame(pair.writer(), sent).ok()); });
  v1::RunJob received;
  EXPECT_TRUE(ReadFrame(pair.reader(), received).ok());
  writer.join();
  EXPECT_EQ(received.key(), sent.key());
}

TEST(Framing, TheLengthIsLittleEndian) {
  SocketPair pair;
  ASSERT_TRUE(WriteFrame(pair.writer(), JobWithKey(std::string(300, 'x'))).ok());
  unsigned char length[4];
  ASSERT_EQ(read(pair.reader(), length, 4), 4);
  EXPECT_EQ(length[0] + 256 * length[1] + 65536 * length[2], 303);
}

struct DamagedCase {
  const char* name;
  std::string bytes;
};

class DamagedStream : public testing::TestWithParam<DamagedCase> {};

TEST_P(DamagedStream, IsDataLoss) {
  SocketPair pair;
  pair.WriteBytes(GetParam().bytes);
  pair.CloseWriter();
  v1::RunJob job;
  EXPECT_EQ(ReadFrame(pair.reader(), job).code(), absl::StatusCode::kDataLoss);
}

INSTANTIATE_TEST_SUITE_P(Framing, DamagedStream,
                         testing::Values(DamagedCase{"CutInTheLength", std::string("\x05\x00", 2)},
                                         DamagedCase{"CutInTheMessage", std::string("\x05\x00\x00\x00\x0a\x03", 6)},
                                         DamagedCase{"Oversized", std::string("\xff\xff\xff\xff", 4)},
                                         DamagedCase{"JustOversized", std::string("\x01\x00\x40\x00", 4)},
                                         DamagedCase{"NotAMessage", std::string("\x02\x00\x00\x00\xff\xff", 6)}),
                         [](const auto& info) { return info.param.name; });

TEST(Framing, AMessageOverTheLimitIsNotSent) {
  SocketPair pair;
  EXPECT_EQ(WriteFrame(pair.writer(), JobWithKey(std::string(kFrameBytesMost, 'x'))).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(Framing, WritingToAPeerThatIsGoneIsAnErrorAndNoSignal) {
  SocketPair pair;
  const int writer = dup(pair.reader());
  pair.CloseWriter();
  EXPECT_EQ(WriteFrame(writer, JobWithKey("key")).code(), absl::StatusCode::kUnavailable);
  close(writer);
}

TEST(Framing, APeerThatStopsInAMessageIsGivenUp) {
  SocketPair pair;
  const timeval limit = {.tv_sec = 0, .tv_usec = 1000};
  setsockopt(pair.reader(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  pair.WriteBytes(std::string("\x05\x00\x00\x00\x0a", 5));
  v1::RunJob job;
  EXPECT_EQ(ReadFrame(pair.reader(), job).code(), absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace roar
