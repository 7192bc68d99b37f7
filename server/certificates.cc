#include "server/certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/transport/durable_file.h"

namespace roar::server {
namespace {

template <auto Free>
struct Freer {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Memory = std::unique_ptr<BIO, Freer<BIO_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>>;

constexpr long kTenYearsSeconds = 10L * 365 * 24 * 3600;
constexpr long kClockSkewSeconds = 24 * 3600;

std::string Text(const Memory& memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

std::string ToPem(const Certificate& certificate) {
  Memory memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(memory.get(), certificate.get());
  return Text(memory);
}

std::string ToPem(const Key& key) {
  Memory memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return Text(memory);
}

bool AddExtension(X509* certificate, X509* issuer, int id, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  Extension extension(X509V3_EXT_conf_nid(nullptr, &context, id, value));
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// An unsigned certificate for the key, named `name`, valid for ten years. The serial number is random.
Certificate NewCertificate(EVP_PKEY* key, const char* name) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  std::array<unsigned char, 16> serial{};
  RAND_bytes(serial.data(), serial.size());
  serial[0] &= 0x7f;
  std::unique_ptr<BIGNUM, Freer<BN_free>> number(BN_bin2bn(serial.data(), serial.size(), nullptr));
  BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get()));
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kClockSkewSeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kTenYearsSeconds);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  return certificate;
}

struct Made {
  Certificates certificates;
  std::string ca_key;
};

absl::StatusOr<Made> Make() {
  Key ca_key(EVP_EC_gen("P-256")), server_key(EVP_EC_gen("P-256"));
  if (ca_key == nullptr || server_key == nullptr) return absl::InternalError("OpenSSL made no key");
  Certificate ca = NewCertificate(ca_key.get(), "Roar certificate authority");
  X509_set_issuer_name(ca.get(), X509_get_subject_name(ca.get()));
  Certificate server = NewCertificate(server_key.get(), kCertificateName);
  X509_set_issuer_name(server.get(), X509_get_subject_name(ca.get()));
  const std::string alternative_name = absl::StrCat("DNS:", kCertificateName);
  const bool made = AddExtension(ca.get(), ca.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                    AddExtension(ca.get(), ca.get(), NID_key_usage, "critical,keyCertSign,cRLSign") &&
                    AddExtension(ca.get(), ca.get(), NID_subject_key_identifier, "hash") &&
                    X509_sign(ca.get(), ca_key.get(), EVP_sha256()) > 0 &&
                    AddExtension(server.get(), ca.get(), NID_basic_constraints, "critical,CA:FALSE") &&
                    AddExtension(server.get(), ca.get(), NID_ext_key_usage, "serverAuth") &&
                    AddExtension(server.get(), ca.get(), NID_subject_alt_name, alternative_name.c_str()) &&
                    AddExtension(server.get(), ca.get(), NID_authority_key_identifier, "keyid") &&
                    X509_sign(server.get(), ca_key.get(), EVP_sha256()) > 0;
  if (!made) return absl::InternalError("OpenSSL made no certificate");
  return Made{{ToPem(ca), ToPem(server), ToPem(server_key)}, ToPem(ca_key)};
}

struct File {
  const char* name;
  std::string Certificates::*member;
};
// The server's key is written last: where it is, the others are.
constexpr File kFiles[] = {{"ca.pem", &Certificates::ca_certificate},
                           {"server.pem", &Certificates::server_certificate},
                           {"server.key", &Certificates::server_key}};

}  // namespace

absl::StatusOr<Certificates> LoadOrMakeCertificates(const std::filesystem::path& state_folder) {
  const std::filesystem::path folder = state_folder / "tls";
  Certificates certificates;
  if (std::filesystem::exists(folder / "server.key")) {
    for (const File& file : kFiles) {
      absl::StatusOr<std::string> text = ReadFile(folder / file.name);
      if (!text.ok()) return text.status();
      certificates.*file.member = *std::move(text);
    }
    return certificates;
  }
  absl::StatusOr<Made> made = Make();
  if (!made.ok()) return made.status();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return absl::InternalError(absl::StrCat("create ", folder.string(), ": ", error.message()));
  if (absl::Status status = WriteFileDurably(folder / "ca.key", made->ca_key, 0600); !status.ok()) return status;
  for (const File& file : kFiles) {
    absl::Status status = WriteFileDurably(folder / file.name, made->certificates.*file.member, 0600);
    if (!status.ok()) return status;
  }
  return made->certificates;
}

absl::StatusOr<std::string> LoadOrMakeToken(const std::filesystem::path& state_folder) {
  const std::filesystem::path path = state_folder / "token";
  absl::StatusOr<std::string> token = ReadFile(path);
  if (token.ok() || !absl::IsNotFound(token.status())) return token;
  std::array<unsigned char, 32> bits{};
  if (RAND_bytes(bits.data(), bits.size()) != 1) return absl::InternalError("OpenSSL gave no random bits");
  const std::string made = absl::BytesToHexString(std::string(bits.begin(), bits.end()));
  if (absl::Status status = WriteFileDurably(path, made, 0600); !status.ok()) return status;
  return made;
}

}  // namespace roar::server
