#include "worker/ml/model/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/experiment/sha256.h"

namespace roar::ml {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the format is little-endian and written as it lies in memory");
constexpr std::string_view kMagic = "ROARWTS1";
constexpr std::size_t kHashSize = 64;

void AppendNumber(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// What precedes the values of a parameter.
std::string Head(const std::string& name, const torch::Tensor& parameter) {
  std::string head;
  AppendNumber(head, name.size());
  head += name;
  AppendNumber(head, static_cast<std::uint64_t>(parameter.dim()));
  for (const std::int64_t size : parameter.sizes()) AppendNumber(head, static_cast<std::uint64_t>(size));
  return head;
}

std::string Start(const torch::nn::Module& module) {
  std::string start(kMagic);
  AppendNumber(start, module.named_parameters().size());
  return start;
}

std::string Serialize(const torch::nn::Module& module) {
  std::string bytes = Start(module);
  for (const auto& item : module.named_parameters()) {
    const torch::Tensor values = item.value().detach().to(torch::kFloat).contiguous();
    bytes += Head(item.key(), values);
    bytes.append(reinterpret_cast<const char*>(values.data_ptr<float>()), values.nbytes());
  }
  return bytes + Sha256Hex(bytes);
}

absl::Status FileError(const char* action, const std::filesystem::path& path) {
  const absl::Status reason =
      absl::ErrnoToStatus(errno, absl::StrCat("cannot ", action, " checkpoint ", path.string()));
  return absl::UnavailableError(reason.message());
}

absl::Status WriteAndSync(int file, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 ? absl::OkStatus() : FileError("synchronise", path);
}

// Takes `expected` off the front of `rest`; false when it does not start so.
bool Consume(std::string_view& rest, std::string_view expected) {
  if (!rest.starts_with(expected)) return false;
  rest.remove_prefix(expected.size());
  return true;
}

}  // namespace

absl::StatusOr<std::string> SaveCheckpoint(const torch::nn::Module& module, const std::filesystem::path& path) {
  const std::filesystem::path temporary = path.string() + ".partial";
  const std::string bytes = Serialize(module);
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return FileError("create", temporary);
  absl::Status status = WriteAndSync(file, bytes, temporary);
  if (::close(file) != 0 && status.ok()) status = FileError("close", temporary);
  if (status.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) status = FileError("rename", temporary);
  if (status.ok()) return Sha256Hex(bytes);
  ::unlink(temporary.c_str());
  return status;
}

absl::Status LoadCheckpoint(const CheckpointFile& checkpoint, torch::nn::Module& module) {
  const auto damaged = [&](std::string_view what) {
    return absl::DataLossError(absl::StrCat("checkpoint ", checkpoint.path.string(), ": ", std::string(what)));
  };
  std::ifstream file(checkpoint.path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return damaged("cannot be read");
  if (const std::string found = Sha256Hex(bytes); found != checkpoint.sha256) {
    return damaged(absl::StrCat("its hash is ", found, ", not ", checkpoint.sha256));
  }
  if (bytes.size() < kHashSize) return damaged("cut short");
  std::string_view rest(bytes);
  const std::string_view hash = rest.substr(rest.size() - kHashSize);
  rest.remove_suffix(kHashSize);
  if (Sha256Hex(rest) != hash) return damaged("its bytes do not match its hash");
  if (!Consume(rest, Start(module))) return damaged("not a checkpoint of this model");

  const torch::NoGradGuard no_gradient;
  for (auto& item : module.named_parameters()) {
    torch::Tensor values = torch::empty(item.value().sizes(), torch::kFloat);
    if (!Consume(rest, Head(item.key(), values)) || rest.size() < values.nbytes()) {
      return damaged(absl::StrCat("does not fit the model at ", item.key()));
    }
    std::memcpy(values.data_ptr<float>(), rest.data(), values.nbytes());
    rest.remove_prefix(values.nbytes());
    item.value().copy_(values);
  }
  return rest.empty() ? absl::OkStatus() : damaged("has more than the model's parameters");
}

}  // namespace roar::ml
