#pragma once

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"

namespace roar::server {

// The name in the coordinator's certificate, whatever its address; the access file pins it.
inline constexpr char kCertificateName[] = "roar-coordinator";

// What a coordinator shows and clients trust, all PEM.
struct Certificates {
  std::string ca_certificate;
  std::string server_certificate;
  std::string server_key;
};

// Reads STATE/tls, or makes an authority (EC P-256, ten years) and a server certificate there at the first start. Keys
// have mode 0600; the authority's key is kept for certificates to come.
absl::StatusOr<Certificates> LoadOrMakeCertificates(const std::filesystem::path& state_folder);

// Reads STATE/token, or makes one of 256 random bits in hexadecimal, mode 0600.
absl::StatusOr<std::string> LoadOrMakeToken(const std::filesystem::path& state_folder);

}  // namespace roar::server
