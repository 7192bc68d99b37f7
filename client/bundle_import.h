#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/coordinator.h"
#include "proto/roar/v1/bundle_service.pb.h"

namespace roar {

// All of a bundle but its artifacts.
struct BundleContent {
  v1::BundleHeader header;
  std::vector<v1::BundledJob> jobs;
};

// Reads and checks a whole bundle. Errors are those of ReadBundle(); DataLoss also for a job that cannot be as it is
// told.
absl::StatusOr<BundleContent> CheckBundle(const std::filesystem::path& path);

// A result of the bundle that the coordinator did not take.
struct BundleConflict {
  std::string key;
  std::string description;
  // What is different: "test accuracy 0.93 here, 0.95 in the bundle".
  std::string difference;
};

struct ImportedBundle {
  std::int64_t new_results = 0;
  std::int64_t known_results = 0;
  std::vector<BundleConflict> conflicts;
  // Of those that the bundle's jobs read, in words: which are not here, or under another name's content.
  std::vector<std::string> dataset_notes;
};

// Brings the coordinator the artifacts of a bundle that CheckBundle() has read, then its results.
absl::StatusOr<ImportedBundle> ImportBundle(const Coordinator& coordinator, const std::filesystem::path& path,
                                            const BundleContent& content);

}  // namespace roar
