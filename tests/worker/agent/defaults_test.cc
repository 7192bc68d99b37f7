#include "worker/agent/defaults.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

namespace roar::agent {
namespace {

TEST(WorkerName, TakesWhatTheCoordinatorTakes) {
  for (const char* name : {"w", "node-7.cluster", "GPU_0"}) EXPECT_TRUE(IsWorkerName(name)) << name;
  for (const char* name : {"", "two words", "a/b", "M\xc3\xbcller"}) EXPECT_FALSE(IsWorkerName(name)) << name;
  EXPECT_TRUE(IsWorkerName(DefaultWorkerName()));
}

TEST(DefaultCacheFolder, IsTheUsersAndNeedsNoHome) {
  setenv("XDG_CACHE_HOME", "/cache", 1);
  setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(DefaultCacheFolder(), "/cache/roar");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(DefaultCacheFolder(), "/home/ada/.cache/roar");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  setenv("TMPDIR", "/tmp", 1);
  EXPECT_EQ(DefaultCacheFolder(), "/tmp/roar-cache-" + std::to_string(getuid()));
}

TEST(BesideThisProgram, IsInTheSameFolder) {
  EXPECT_EQ(BesideThisProgram("roar-runner"), std::filesystem::path(ROAR_BINARY_DIR) / "roar-runner");
}

}  // namespace
}  // namespace roar::agent
