#pragma once

#include <cstdlib>
#include <filesystem>

namespace roar::datasets {

// The folder of the real bAbI files, which are not in the repository: below ROAR_SHARED_DIR or beside the checkout. It
// need not exist.
inline std::filesystem::path SharedBabi() {
  const char* shared = std::getenv("ROAR_SHARED_DIR");
  const auto root = shared != nullptr ? std::filesystem::path(shared)
                                      : std::filesystem::path(ROAR_SOURCE_DIR).parent_path() / "shared";
  const auto below_data = root / "data" / "babi";
  return std::filesystem::exists(below_data) ? below_data : root / "babi";
}

}  // namespace roar::datasets

#define ROAR_SKIP_WITHOUT_SHARED_BABI()                                                          \
  if (!std::filesystem::exists(SharedBabi())) {                                                  \
    GTEST_SKIP() << "no real bAbI files at " << SharedBabi() << "; set ROAR_SHARED_DIR";         \
  }
