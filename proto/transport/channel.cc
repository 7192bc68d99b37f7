#include "proto/transport/channel.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace roar {
namespace {

constexpr char kUnixPrefix[] = "unix:";

bool IsUsableSocket(const std::string& address) {
  if (!absl::StartsWith(address, kUnixPrefix)) return false;
  struct stat info {};
  return stat(address.c_str() + sizeof kUnixPrefix - 1, &info) == 0 && S_ISSOCK(info.st_mode);
}

grpc::ChannelArguments Arguments() {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A coordinator that comes back is found within a second, not after gRPC's usual two minutes.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 500);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  return arguments;
}

}  // namespace

void SilenceGrpcLog() { setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0); }

std::shared_ptr<grpc::Channel> OpenChannel(const v1::Access& access) {
  grpc::ChannelArguments arguments = Arguments();
  if (IsUsableSocket(access.local_address())) {
    return grpc::CreateCustomChannel(access.local_address(), grpc::InsecureChannelCredentials(), arguments);
  }
  if (absl::StartsWith(access.address(), kUnixPrefix)) {
    return grpc::CreateCustomChannel(access.address(), grpc::InsecureChannelCredentials(), arguments);
  }
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = access.ca_certificate_pem();
  if (!access.certificate_name().empty()) arguments.SetSslTargetNameOverride(access.certificate_name());
  return grpc::CreateCustomChannel(access.address(), grpc::SslCredentials(options), arguments);
}

void PrepareCall(grpc::ClientContext& context, const v1::Access& access, absl::Duration timeout) {
  context.AddMetadata("authorization", absl::StrCat("Bearer ", access.token()));
  context.set_deadline(std::chrono::system_clock::now() + absl::ToChronoMicroseconds(timeout));
}

absl::Status FromGrpc(const grpc::Status& status) {
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

grpc::Status ToGrpc(const absl::Status& status) {
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

}  // namespace roar
