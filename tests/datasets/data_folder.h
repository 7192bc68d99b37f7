#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/temporary_folder.h"

namespace roar::datasets {

// Tests that import from a folder of their own, and what they write into it.
class DataFolder : public testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }

  void Write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder() / name).parent_path());
    std::ofstream(folder() / name, std::ios::binary) << text;
  }
  void WriteGzip(const std::string& name, const std::string& text) {
    const gzFile file = gzopen((folder() / name).c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
  }
  std::string Read(const std::string& name) {
    std::ifstream file(folder() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Remove(const std::string& name) { std::filesystem::remove_all(folder() / name); }

 private:
  TemporaryFolder folder_;
};

}  // namespace roar::datasets
