#include "client/exit_code.h"

#include <gtest/gtest.h>

namespace roar {
namespace {

TEST(ExitCodeTest, EveryStatusCodeHasItsExitCode) {
  const std::pair<absl::StatusCode, int> expected[] = {
      {absl::StatusCode::kOk, 0},
      {absl::StatusCode::kCancelled, 130},
      {absl::StatusCode::kUnknown, 9},
      {absl::StatusCode::kInvalidArgument, 2},
      {absl::StatusCode::kDeadlineExceeded, 5},
      {absl::StatusCode::kNotFound, 4},
      {absl::StatusCode::kAlreadyExists, 8},
      {absl::StatusCode::kPermissionDenied, 6},
      {absl::StatusCode::kResourceExhausted, 9},
      {absl::StatusCode::kFailedPrecondition, 8},
      {absl::StatusCode::kAborted, 8},
      {absl::StatusCode::kOutOfRange, 2},
      {absl::StatusCode::kUnimplemented, 7},
      {absl::StatusCode::kInternal, 9},
      {absl::StatusCode::kUnavailable, 3},
      {absl::StatusCode::kDataLoss, 9},
      {absl::StatusCode::kUnauthenticated, 6},
  };
  for (const auto& [code, exit_code] : expected) {
    EXPECT_EQ(static_cast<int>(ExitCodeOf(absl::Status(code, "x"))), exit_code) << absl::StatusCodeToString(code);
  }
}

}  // namespace
}  // namespace roar
