#include "proto/transport/access_file.h"

#include <google/protobuf/util/json_util.h>
#include <sys/stat.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/transport/durable_file.h"

namespace roar {
namespace {

// The token is a secret: a file that the group or others can write is nobody's, and one that others can read is no
// secret. Group reading is allowed, since a mounted secret commonly has mode 0440.
absl::Status CheckPermissions(const std::filesystem::path& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return SystemError(absl::StrCat("read access file ", path.string()));
  if ((info.st_mode & 027) != 0) {
    return absl::PermissionDeniedError(absl::StrCat(
        "access file ", path.string(), " can be read or changed by others: run chmod 600 ", path.string()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<v1::Access> ReadAccessFile(const std::filesystem::path& path, const std::string& server_address) {
  if (absl::Status status = CheckPermissions(path); !status.ok()) return status;
  absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return text.status();
  v1::Access access;
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  if (!google::protobuf::util::JsonStringToMessage(*text, &access, options).ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path.string(), " is no access file: it does not hold the JSON a coordinator writes"));
  }
  if (access.address().empty() || access.token().empty()) {
    return absl::InvalidArgumentError(absl::StrCat("access file ", path.string(), " lacks an address or a token"));
  }
  if (!server_address.empty()) {
    access.set_address(server_address);
    access.clear_local_address();
  }
  return access;
}

absl::Status WriteAccessFile(const std::filesystem::path& path, const v1::Access& access) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(access, &text, options).ok()) {
    return absl::InternalError("the access file's text is not UTF-8");
  }
  return WriteFileDurably(path, text, 0600);
}

}  // namespace roar
