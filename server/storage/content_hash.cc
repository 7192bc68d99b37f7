#include "server/storage/content_hash.h"

#include <openssl/evp.h>
#include <zstd.h>

#include <fstream>
#include <memory>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace roar::server {
namespace {

class Digest {
 public:
  Digest() { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void Update(const char* bytes, std::size_t size) { EVP_DigestUpdate(context_.get(), bytes, size); }
  std::string Hex() {
    std::string bytes(EVP_MAX_MD_SIZE, '\0');
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(bytes.data()), &size);
    return absl::BytesToHexString(bytes.substr(0, size));
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

}  // namespace

absl::StatusOr<std::string> ZstdContentSha256(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), &ZSTD_freeDStream);
  std::vector<char> packed(ZSTD_DStreamInSize());
  std::vector<char> unpacked(ZSTD_DStreamOutSize());
  Digest digest;
  std::size_t missing = 1;
  while (file.read(packed.data(), static_cast<std::streamsize>(packed.size())), file.gcount() > 0) {
    ZSTD_inBuffer in{packed.data(), static_cast<std::size_t>(file.gcount()), 0};
    while (in.pos < in.size) {
      ZSTD_outBuffer out{unpacked.data(), unpacked.size(), 0};
      missing = ZSTD_decompressStream(stream.get(), &out, &in);
      if (ZSTD_isError(missing)) {
        return absl::DataLossError(absl::StrCat("not a zstd frame: ", ZSTD_getErrorName(missing)));
      }
      digest.Update(unpacked.data(), out.pos);
    }
  }
  // Output that did not fit is flushed by calls without input.
  while (missing != 0) {
    ZSTD_inBuffer in{nullptr, 0, 0};
    ZSTD_outBuffer out{unpacked.data(), unpacked.size(), 0};
    missing = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(missing) || (missing != 0 && out.pos == 0)) return absl::DataLossError("the zstd frame is cut");
    digest.Update(unpacked.data(), out.pos);
  }
  return digest.Hex();
}

}  // namespace roar::server
