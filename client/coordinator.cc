#include "client/coordinator.h"

#include <random>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "client/state_folder.h"
#include "proto/transport/access_file.h"

namespace roar {
namespace {

constexpr absl::Duration kJoinTimeout = absl::Seconds(5);
constexpr absl::Duration kStartTimeout = absl::Seconds(30);
// For a coordinator that somebody else is starting at the same moment: ours then ends, since the folder is taken.
constexpr absl::Duration kOtherStarterTimeout = absl::Seconds(5);
constexpr absl::Duration kPollInterval = absl::Milliseconds(30);

absl::StatusOr<v1::Access> ReadTargetAccess(const Target& target) {
  const auto path = target.access_file.empty() ? AccessFileOf(target.state_folder) : target.access_file;
  absl::StatusOr<v1::Access> access = ReadAccessFile(path, target.server_address);
  if (absl::IsNotFound(access.status()) && target.access_file.empty()) {
    return absl::UnavailableError(
        absl::StrCat("no coordinator runs in ", target.state_folder.string(), "; start one with: roar server start"));
  }
  return access;
}

absl::Status CheckVersion(const v1::GetServerInfoResponse& info) {
  if (info.protocol_version() == kProtocolVersion) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("the coordinator (version ", info.version(), ") speaks protocol ",
                                               info.protocol_version(), ", this program ", kProtocolVersion,
                                               "; use the same release of both"));
}

std::vector<std::string> CoordinatorArguments(const Target& target, const CoordinatorOptions& options) {
  std::vector<std::string> arguments = {"--state", target.state_folder.string()};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {option, value});
  };
  add("--listen", options.listen_address);
  add("--http", options.http_address);
  if (options.leaves_when_idle) add("--idle-exit", absl::StrCat(kIdleExitSeconds));
  return arguments;
}

// Polls until the coordinator answers, its process ended without success, or the time is up.
absl::StatusOr<JoinedCoordinator> AwaitStart(const Target& target, ChildProcess child,
                                             const std::filesystem::path& log_file) {
  absl::Time deadline = absl::Now() + kStartTimeout;
  bool has_ended = false;
  while (absl::Now() < deadline) {
    if (!has_ended && !child.IsRunning()) {
      has_ended = true;
      deadline = absl::Now() + kOtherStarterTimeout;
    }
    if (absl::StatusOr<Coordinator> joined = Join(target); joined.ok()) {
      if (has_ended) return JoinedCoordinator{*joined, std::nullopt};
      return JoinedCoordinator{*joined, std::move(child)};
    } else if (!absl::IsUnavailable(joined.status()) && !absl::IsDeadlineExceeded(joined.status())) {
      return joined.status();
    }
    absl::SleepFor(kPollInterval);
  }
  const std::string message = absl::StrCat("the coordinator of ", target.state_folder.string(),
                                           " did not start: ", LastLogLine(log_file), "; see ", log_file.string());
  return child.HasFailed() ? absl::InternalError(message) : absl::UnavailableError(message);
}

}  // namespace

Coordinator::Coordinator(v1::Access access, std::string name)
    : access_(std::move(access)), name_(std::move(name)), channel_(OpenChannel(access_)) {}

absl::Status Coordinator::Explain(const grpc::Status& status) const {
  absl::Status plain = FromGrpc(status);
  const std::string message(plain.message());
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      return absl::UnavailableError(absl::StrCat("coordinator ", name_, " cannot be reached (", message,
                                                 "); check that it runs and that the address is right"));
    case grpc::StatusCode::UNAUTHENTICATED:
      return absl::UnauthenticatedError(
          absl::StrCat("coordinator ", name_, " refuses the token (", message, "); copy its access file again"));
    case grpc::StatusCode::UNIMPLEMENTED:
      return absl::UnimplementedError(absl::StrCat("coordinator ", name_, " does not know this request (", message,
                                                   "); use the same release of both"));
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return absl::DeadlineExceededError(absl::StrCat("coordinator ", name_, " did not answer in time; try again"));
    default:
      if (!status.error_details().empty()) plain.SetPayload(kRichErrorPayload, absl::Cord(status.error_details()));
      return plain;
  }
}

void Coordinator::PauseBeforeRepeat() { absl::SleepFor(absl::Milliseconds(200)); }

absl::StatusOr<Coordinator> Join(const Target& target) {
  absl::StatusOr<v1::Access> access = ReadTargetAccess(target);
  if (!access.ok()) return access.status();
  const std::string name =
      target.MayStart() ? absl::StrCat("of ", target.state_folder.string()) : absl::StrCat("at ", access->address());
  Coordinator coordinator(*std::move(access), name);
  const auto stub = v1::ServerService::NewStub(coordinator.channel());
  grpc::ClientContext context;
  PrepareCall(context, coordinator.access(), kJoinTimeout);
  v1::GetServerInfoResponse info;
  const grpc::Status status = stub->GetServerInfo(&context, {}, &info);
  if (!status.ok()) return coordinator.Explain(status);
  if (absl::Status version = CheckVersion(info); !version.ok()) return version;
  return coordinator;
}

absl::StatusOr<JoinedCoordinator> JoinOrStart(const Target& target) {
  absl::StatusOr<Coordinator> joined = Join(target);
  if (joined.ok()) return JoinedCoordinator{*joined, std::nullopt};
  if (!target.MayStart() || !absl::IsUnavailable(joined.status())) return joined.status();
  return StartCoordinator(target, {});
}

absl::StatusOr<JoinedCoordinator> StartCoordinator(const Target& target, const CoordinatorOptions& options) {
  if (absl::Status status = MakeStateFolder(target.state_folder); !status.ok()) return status;
  const std::filesystem::path log_file = LogFileOf(target.state_folder, "roard");
  absl::StatusOr<ChildProcess> child = ChildProcess::Start(
      {.program = SiblingProgram("roard"), .arguments = CoordinatorArguments(target, options), .log_file = log_file});
  if (!child.ok()) return child.status();
  return AwaitStart(target, *std::move(child), log_file);
}

std::string NewRequestId() {
  std::random_device device;
  return absl::StrFormat("%08x%08x%08x%08x", device(), device(), device(), device());
}

}  // namespace roar
