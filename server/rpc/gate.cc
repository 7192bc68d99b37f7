#include "server/rpc/gate.h"

#include <google/protobuf/any.pb.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <chrono>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/experiment/sha256.h"
#include "proto/roar/v1/rich_error.pb.h"
#include "proto/transport/channel.h"

namespace roar::server {
namespace {

std::int64_t SteadyNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string CodeName(const absl::Status& status) { return absl::StatusCodeToString(status.code()); }

}  // namespace

Gate::Gate(std::string token, Metrics& metrics)
    : expected_(absl::StrCat("Bearer ", token)),
      metrics_(metrics),
      last_client_call_nanoseconds_(SteadyNanoseconds()) {}

bool Gate::IsToken(const std::string& authorization) const {
  return authorization.size() == expected_.size() &&
         CRYPTO_memcmp(authorization.data(), expected_.data(), expected_.size()) == 0;
}

absl::Status Gate::Admit(const grpc::ServerContextBase& context, Caller caller) {
  const auto found = context.client_metadata().find("authorization");
  if (found == context.client_metadata().end() || !IsToken({found->second.data(), found->second.size()})) {
    return absl::UnauthenticatedError("the token is missing or wrong: use the coordinator's access file");
  }
  if (caller == Caller::kClient) last_client_call_nanoseconds_ = SteadyNanoseconds();
  return absl::OkStatus();
}

absl::Duration Gate::SinceLastClientCall() const {
  return absl::Nanoseconds(SteadyNanoseconds() - last_client_call_nanoseconds_);
}

grpc::Status Gate::Answer(const char* method, const absl::Status& status) {
  metrics_.CountRpc(method, CodeName(status));
  const grpc::Status plain = ToGrpc(status);
  v1::RichStatus rich;
  status.ForEachPayload([&](absl::string_view type_url, const absl::Cord& payload) {
    google::protobuf::Any& detail = *rich.add_details();
    detail.set_type_url(std::string(type_url));
    detail.set_value(std::string(payload));
  });
  if (rich.details().empty()) return plain;
  rich.set_code(plain.error_code());
  rich.set_message(plain.error_message());
  return grpc::Status(plain.error_code(), plain.error_message(), rich.SerializeAsString());
}

absl::Status CheckName(const std::string& what, const std::string& name) {
  constexpr std::size_t kLongestName = 64;
  const bool fits = !name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
  });
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(what, " must be 1 to 64 letters, digits, '.', '_' or '-'"));
}

absl::Status CheckSha256(const std::string& what, const std::string& text) {
  if (IsSha256Hex(text)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(what, " must be 64 lower-case hexadecimal digits"));
}

}  // namespace roar::server
