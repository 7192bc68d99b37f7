#pragma once

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "client/coordinator.h"

namespace roar {

// A name in the temporary folder that nobody else uses. What was written there is removed with the object.
class TemporaryFile {
 public:
  TemporaryFile() : path_(std::filesystem::temp_directory_path() / absl::StrCat("roar-", NewRequestId())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace roar
