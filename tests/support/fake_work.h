#pragma once

#include <zstd.h>

#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "core/experiment/sha256.h"
#include "server/coordinator.h"

// A sweep without training: results are made up at once, as a function of the job.

namespace roar::server {

inline void Store(ArtifactStore& artifacts, const ArtifactId& id, const std::string& bytes) {
  auto upload = artifacts.StartUpload(id, static_cast<std::int64_t>(bytes.size()));
  if (!upload.ok()) return;
  (*upload)->Append(0, bytes).IgnoreError();
  (*upload)->Finish().IgnoreError();
}

inline std::string ZstdFrame(const std::string& content) {
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 3));
  return frame;
}

// Stores a data set's content and returns its hash.
inline std::string StoreDataset(ArtifactStore& artifacts, const std::string& content = "examples") {
  const std::string sha256 = Sha256Hex(content);
  Store(artifacts, {ArtifactKind::kDataset, sha256}, ZstdFrame(content));
  return sha256;
}

inline SweepSpec FakeSweep(const std::string& dataset_sha256, std::vector<std::int64_t> seeds = {0, 1}) {
  SweepSpec spec;
  spec.name = "fake";
  spec.datasets = {{"babi-1", {dataset_sha256, 0}}};
  spec.models = {std::string(ModelNames()[0])};
  spec.measures = {std::string(Name(Measure::kGradient))};
  spec.strategies = {std::string(Name(Strategy::kRecursive))};
  spec.steps = {20, 50};
  spec.seeds = std::move(seeds);
  return spec;
}

// The test accuracy of a made-up training falls with the masked share, faster for a ranking than at random.
inline double FakeAccuracy(const Mask& mask) {
  if (std::holds_alternative<AllMasked>(mask)) return 0.2;
  if (const auto* random = std::get_if<RandomMask>(&mask)) return 1 - 0.004 * static_cast<double>(random->amount);
  if (const auto* ranked = std::get_if<RankedMask>(&mask)) return 1 - 0.008 * static_cast<double>(ranked->amount);
  return 1;
}

// Every made-up job has the same output, to be stored before it is reported: the weights of a checkpoint, or the
// content of a ranking.
inline constexpr char kFakeOutput[] = "weights or ranks";
inline void StoreFakeOutputs(ArtifactStore& artifacts) {
  Store(artifacts, {ArtifactKind::kCheckpoint, Sha256Hex(kFakeOutput)}, kFakeOutput);
  Store(artifacts, {ArtifactKind::kRanking, Sha256Hex(kFakeOutput)}, ZstdFrame(kFakeOutput));
}

inline JobResult FakeResult(const Assignment& assignment) {
  JobResult result;
  const std::string sha256 = Sha256Hex(kFakeOutput);
  if (const auto* train = std::get_if<TrainSpec>(&assignment.spec)) {
    TrainResult outcome{1, 1, {}, sha256};
    for (Split split : kAllSplits) {
      const double accuracy = FakeAccuracy(train->mask);
      outcome.metrics[split] = {100, 0, 1 - accuracy, accuracy, accuracy, accuracy};
    }
    result.outcome = std::move(outcome);
  } else {
    result.outcome = ExplainResult{sha256};
  }
  result.inputs = assignment.inputs;
  result.provenance.seconds_by_phase = {{"training", 2.0}};
  return result;
}

// Calls the coordinator as an agent does, and finishes what it is given at its next call.
class FakeWorker {
 public:
  FakeWorker(Coordinator& coordinator, std::string name, int slots = 2)
      : coordinator_(coordinator), name_(std::move(name)), slots_(slots) {}

  // What it makes of a job.
  std::function<JobResult(const Assignment&)> result_of = FakeResult;

  std::future<absl::StatusOr<SynchronizeReply>> Send(schedule::Synchronize report,
                                                     absl::Duration wait = absl::ZeroDuration()) {
    auto promise = std::make_shared<std::promise<absl::StatusOr<SynchronizeReply>>>();
    coordinator_.Synchronize(
        {std::move(report), {"cpu", "test"}, wait, [promise](absl::StatusOr<SynchronizeReply> reply) {
           promise->set_value(std::move(reply));
         }});
    return promise->get_future();
  }
  schedule::Synchronize Report(const std::string& incarnation = "first") const {
    return {name_, incarnation, slots_, {}, {}, false};
  }

  // One call: reports all it had, takes what it gets. What is reported in vain is reported again.
  absl::Status Work() {
    schedule::Synchronize report = Report();
    for (const Assignment& job : jobs_) {
      report.finished.push_back({job.desired.key, job.desired.epoch, result_of(job)});
    }
    absl::StatusOr<SynchronizeReply> reply = Send(std::move(report)).get();
    if (!reply.ok()) return reply.status();
    finished_ += static_cast<std::int64_t>(jobs_.size());
    jobs_ = std::move(reply->desired);
    return absl::OkStatus();
  }
  // Until it is given nothing more.
  absl::Status WorkToEnd() {
    do {
      if (absl::Status status = Work(); !status.ok()) return status;
    } while (!jobs_.empty());
    return absl::OkStatus();
  }

  const std::vector<Assignment>& jobs() const { return jobs_; }
  std::int64_t finished() const { return finished_; }

 private:
  Coordinator& coordinator_;
  std::string name_;
  int slots_;
  std::vector<Assignment> jobs_;
  std::int64_t finished_ = 0;
};

}  // namespace roar::server
