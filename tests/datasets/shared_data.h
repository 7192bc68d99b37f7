#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace roar::datasets {

// Where the real data are, which are not in the repository: ROAR_SHARED_DIR, or `shared` beside the checkout. It need
// not exist.
inline std::filesystem::path SharedFolder(const std::string& name) {
  const char* shared = std::getenv("ROAR_SHARED_DIR");
  const auto root = shared != nullptr ? std::filesystem::path(shared)
                                      : std::filesystem::path(ROAR_SOURCE_DIR).parent_path() / "shared";
  const auto below_data = root / "data" / name;
  return std::filesystem::exists(below_data) ? below_data : root / name;
}

inline std::filesystem::path SharedBabi() { return SharedFolder("babi"); }
inline std::filesystem::path SharedSst() { return SharedFolder("sst"); }

}  // namespace roar::datasets

#define ROAR_SKIP_WITHOUT_SHARED_BABI()                                                  \
  if (!std::filesystem::exists(SharedBabi())) {                                          \
    GTEST_SKIP() << "no real bAbI files at " << SharedBabi() << "; set ROAR_SHARED_DIR"; \
  }

#define ROAR_SKIP_WITHOUT_SHARED_SST()                                                 \
  if (!std::filesystem::exists(SharedSst())) {                                         \
    GTEST_SKIP() << "no real SST files at " << SharedSst() << "; set ROAR_SHARED_DIR"; \
  }
