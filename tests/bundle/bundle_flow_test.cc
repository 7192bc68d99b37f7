// Results travel from a coordinator to another as a file, through both programs' own code and real sockets.

#include <gmock/gmock.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/output/json.h"
#include "core/experiment/job_key.h"
#include "proto/convert.h"
#include "proto/transport/access_file.h"
#include "tests/bundle/site.h"
#include "tests/support/run_roar.h"

namespace roar {
namespace {

using schedule::JobStateKind;
using testing::HasSubstr;

class BundleFlowTest : public testing::Test {
 protected:
  // The sweep at the site, with some calls of a worker done: two jobs for each but the first.
  std::int64_t HalfDone(Site& site, int calls = 4) {
    const std::int64_t id = site.Submit(spec_).id;
    server::FakeWorker worker = site.Worker();
    for (int i = 0; i < calls; ++i) EXPECT_TRUE(worker.Work().ok());
    return id;
  }
  std::int64_t Finished(Site& site, const SweepSpec& spec) {
    const std::int64_t id = site.Submit(spec).id;
    EXPECT_TRUE(site.Worker().WorkToEnd().ok());
    return id;
  }
  std::int64_t JobsTotal() const { return static_cast<std::int64_t>(MakePlan(spec_).jobs.size()); }
  // A training that is explained, and its explanation.
  PlannedJob FirstExplanation() const {
    for (PlannedJob& job : MakePlan(spec_).jobs) {
      if (KindOf(job.spec) == JobKind::kExplain) return job;
    }
    return {};
  }

  // A command for the site's coordinator.
  RoarOutcome RunAt(const Site& site, std::vector<std::string> words) const {
    const std::string access_file = (folder_.path() / "access.json").string();
    EXPECT_TRUE(WriteAccessFile(access_file, site.Access()).ok());
    words.insert(words.end(), {"--access", access_file});
    return RunRoar(std::move(words));
  }

  SweepSpec spec_ = server::FakeSweep(Sha256Hex("examples"));
  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "bundle";
};

TEST_F(BundleFlowTest, HalfASweepGoesOnElsewhereToTheSameBits) {
  Site undisturbed("c");
  const std::string expected = undisturbed.Results(Finished(undisturbed, spec_));
  Site a("a"), b("b");
  const ExportedBundle exported = a.Export(HalfDone(a), file_);
  const std::int64_t count = exported.trainings + exported.explanations;
  EXPECT_EQ(count, 6);
  EXPECT_GT(exported.explanations, 0);
  EXPECT_EQ(exported.rankings, exported.explanations);
  EXPECT_GT(exported.checkpoints, 0) << "unfinished explanations read them";
  EXPECT_LT(exported.checkpoints, exported.trainings);
  EXPECT_EQ(exported.file_bytes, static_cast<std::int64_t>(std::filesystem::file_size(file_)));

  const ImportedBundle imported = b.Import(file_);
  EXPECT_EQ(imported.new_results, count);
  EXPECT_TRUE(imported.conflicts.empty());
  const server::SubmittedSweep sweep = b.Submit(spec_);
  EXPECT_EQ(sweep.jobs_cached, count);
  server::FakeWorker worker = b.Worker();
  ASSERT_TRUE(worker.WorkToEnd().ok());
  EXPECT_EQ(worker.finished(), JobsTotal() - count) << "nothing is done twice";
  EXPECT_EQ(b.Results(sweep.id), expected);
  EXPECT_EQ(b.Result(FirstExplanation().inputs[0]).provenance.worker, "a");
}

TEST_F(BundleFlowTest, AFinishedSweepTakesNoCheckpointsUnlessAllAreAskedFor) {
  Site a("a");
  const std::int64_t id = Finished(a, spec_);
  EXPECT_EQ(a.Export(id, file_).checkpoints, 0);
  const ExportedBundle all = a.Export(id, file_, CheckpointChoice::kAll);
  EXPECT_EQ(all.checkpoints, all.trainings);
  EXPECT_EQ(all.trainings + all.explanations, JobsTotal());
}

TEST_F(BundleFlowTest, ARestartKeepsWhatNoSweepNames) {
  Site a("a"), b("b");
  const ExportedBundle exported = a.Export(HalfDone(a), file_);
  b.Import(file_);
  b.Restart();
  EXPECT_EQ(b.Jobs(), static_cast<std::size_t>(exported.trainings + exported.explanations));
  EXPECT_EQ(b.Submit(spec_).jobs_cached, exported.trainings + exported.explanations);
  b.Restart();
  EXPECT_TRUE(b.Worker().WorkToEnd().ok());
}

TEST_F(BundleFlowTest, ImportingTwiceIsKnownAndABundleOfABundleIsTheSame) {
  Site a("a"), b("b"), c("c");
  const ExportedBundle exported = a.Export(Finished(a, spec_), file_);
  EXPECT_EQ(b.Import(file_).new_results, JobsTotal());
  const ImportedBundle again = b.Import(file_);
  EXPECT_EQ(again.new_results, 0);
  EXPECT_EQ(again.known_results, JobsTotal());
  EXPECT_TRUE(again.conflicts.empty());

  const std::filesystem::path second = folder_.path() / "second";
  const ExportedBundle of_bundle = b.Export(b.Submit(spec_).id, second, CheckpointChoice::kAll);
  EXPECT_EQ(of_bundle.trainings, exported.trainings);
  EXPECT_EQ(of_bundle.without_checkpoint.size(), static_cast<std::size_t>(exported.trainings));
  EXPECT_EQ(c.Import(second).new_results, JobsTotal());
  EXPECT_EQ(c.Results(c.Submit(spec_).id), a.Results(1));
}

TEST_F(BundleFlowTest, WhatRunsHereIsFinishedByTheImport) {
  Site a("a"), b("b");
  a.Export(Finished(a, spec_), file_);
  const std::int64_t id = b.Submit(spec_).id;
  server::FakeWorker worker = b.Worker();
  ASSERT_TRUE(worker.Work().ok());
  const std::vector<server::Assignment> leased = worker.jobs();
  ASSERT_EQ(leased.size(), 2u);
  EXPECT_EQ(b.Import(file_).new_results, JobsTotal());

  EXPECT_EQ(b.Results(id), a.Results(1));
  const auto told = worker.Send(worker.Report()).get();
  ASSERT_TRUE(told.ok());
  EXPECT_TRUE(told->desired.empty()) << "the worker is told to stop";
  schedule::Synchronize late = worker.Report();
  late.finished.push_back({leased[0].desired.key, leased[0].desired.epoch, b.ResultOf(leased[0])});
  const auto acknowledged = worker.Send(late).get();
  EXPECT_THAT(acknowledged->acknowledged, testing::ElementsAre(leased[0].desired.key));
  EXPECT_EQ(b.Result(leased[0].desired.key).provenance.worker, "a") << "a job gets one result, ever";
  EXPECT_THAT(b.MetricsText(), HasSubstr("roar_results_superseded_total 1\n"));
  EXPECT_THAT(b.MetricsText(), testing::Not(HasSubstr("roar_job_device_seconds_total{kind=\"train\"} 2")))
      << "no slot here took that time";
}

TEST_F(BundleFlowTest, HalfABundleMakesDependentsReady) {
  Site a("a"), b("b");
  a.Export(HalfDone(a), file_);
  const std::int64_t id = b.Submit(spec_).id;
  const PlannedJob explanation = FirstExplanation();
  EXPECT_EQ(b.StateOf(explanation.key), JobStateKind::kPending);
  b.Import(file_);
  EXPECT_EQ(b.StateOf(explanation.inputs[0]), JobStateKind::kSucceeded);
  EXPECT_NE(b.StateOf(explanation.key), JobStateKind::kPending);
  ASSERT_TRUE(b.Worker().WorkToEnd().ok());
  Site undisturbed("c");
  EXPECT_EQ(b.Results(id), undisturbed.Results(Finished(undisturbed, spec_)));
}

TEST_F(BundleFlowTest, AnotherOutcomeIsAConflictAndWhatIsHereStays) {
  Site a("a"), other("other", " of another device");
  const ExportedBundle exported = a.Export(Finished(a, spec_), file_);
  SweepSpec one_seed = spec_;
  one_seed.seeds = {0};
  const std::int64_t id = Finished(other, one_seed);
  const std::string before = other.Results(id);
  const ImportedBundle imported = other.Import(file_);
  const auto known_keys = static_cast<std::size_t>(other.Submit(one_seed).jobs_total);
  EXPECT_EQ(imported.conflicts.size(), known_keys);
  EXPECT_EQ(imported.new_results, JobsTotal() - static_cast<std::int64_t>(known_keys)) << "the rest is imported";
  EXPECT_EQ(imported.known_results, 0);
  EXPECT_EQ(other.Results(id), before);
  std::set<std::string> differences;
  for (const BundleConflict& conflict : imported.conflicts) differences.insert(conflict.difference);
  EXPECT_THAT(differences, testing::Contains("test accuracy 0.875 here, 1.0 in the bundle"));
  EXPECT_THAT(differences, testing::Contains("another ranking"));
  EXPECT_THAT(imported.conflicts[0].description, HasSubstr("train babi-1"));
  EXPECT_EQ(imported.conflicts[0].key, MakePlan(spec_).jobs[0].key.hex());
}

TEST_F(BundleFlowTest, TheCommandNamesEachConflictAndFails) {
  Site a("a"), other("other", " of another device");
  a.Export(Finished(a, spec_), file_);
  const std::int64_t id = Finished(other, spec_);
  const std::string before = other.Results(id);
  const auto [exit_code, output, errors] = RunAt(other, {"import", "--bundle", file_.string()});
  EXPECT_EQ(exit_code, static_cast<int>(ExitCode::kConflict));
  EXPECT_EQ(output, absl::StrCat("import: 0 results new, 0 known, ", JobsTotal(), " conflicts\n"));
  const std::vector<std::string> lines = absl::StrSplit(errors, '\n');
  EXPECT_EQ(std::ranges::count_if(lines, [](const auto& line) { return line.starts_with("roar: not imported: job "); }),
            JobsTotal());
  EXPECT_THAT(errors, HasSubstr("test accuracy 0.875 here, 1.0 in the bundle"));
  EXPECT_THAT(errors, HasSubstr("another ranking"));
  EXPECT_EQ(other.Results(id), before);
}

TEST_F(BundleFlowTest, ScriptsAreToldWhatIsMissing) {
  Site a("a"), b("b");
  a.Export(HalfDone(a), file_);
  const RoarOutcome imported = RunAt(b, {"import", "--bundle", file_.string(), "--json"});
  EXPECT_EQ(imported.exit_code, static_cast<int>(ExitCode::kOk)) << imported.errors;
  const auto notes = output::Json::parse(imported.output).at("dataset_notes");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0].get<std::string>(), HasSubstr("data set babi-1 is not here"));

  Finished(b, spec_);
  const std::string whole = (folder_.path() / "whole").string();
  const RoarOutcome exported = RunAt(b, {"export", "--bundle", whole, "--all-checkpoints", "--json"});
  EXPECT_EQ(exported.exit_code, static_cast<int>(ExitCode::kOk)) << exported.errors;
  const auto json = output::Json::parse(exported.output);
  std::set<std::string> without;
  for (const auto& key : json.at("without_checkpoint")) without.insert(key.get<std::string>());
  std::set<std::string> expected;
  for (const PlannedJob& job : MakePlan(spec_).jobs) {
    const bool is_training = KindOf(job.spec) == JobKind::kTrain;
    const server::ArtifactId checkpoint{server::ArtifactKind::kCheckpoint, OutputSha256(b.Result(job.key))};
    if (is_training && !b.artifacts().Has(checkpoint)) expected.insert(job.key.hex());
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(without, expected);
  EXPECT_THAT(RunAt(b, {"export", "--bundle", whole, "--force"}).output, HasSubstr(" KB in " + whole));
}

// A result whose spec says that no token is masked by the ranking of an explanation that nobody knows: its key is that
// of the training on unmasked data.
TEST_F(BundleFlowTest, AMaskOfNothingNeedsNoRanking) {
  Site a("a"), b("b");
  a.Export(Finished(a, spec_), file_);
  v1::ImportJobsRequest request;
  const std::vector<v1::BundledJob> jobs = CheckBundle(file_)->jobs;
  for (const v1::BundledJob& job : jobs) {
    if (!job.spec().train().mask().has_none()) continue;
    v1::BundledJob& sent = *request.add_jobs();
    sent = job;
    v1::Mask::Ranked& mask = *sent.mutable_spec()->mutable_train()->mutable_mask()->mutable_ranked();
    mask.set_explanation_key(Sha256Hex("unknown"));
    mask.set_unit("ratios");
  }
  const auto response = b.Client().Call<v1::BundleService>(&v1::BundleService::Stub::ImportJobs, request);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->new_jobs(), 2);
  const std::int64_t id = b.Submit(spec_).id;
  b.Restart();
  ASSERT_TRUE(b.Worker().WorkToEnd().ok()) << "the explanations of these models are leased";
  EXPECT_EQ(b.Results(id), a.Results(1));
}

TEST_F(BundleFlowTest, ASweepOfMoreJobsThanAMessageHoldsIsExportedWhole) {
  Site a("a"), b("b");
  spec_.seeds.clear();
  for (std::int64_t seed = 0; seed < 45; ++seed) spec_.seeds.push_back(seed);
  const std::int64_t id = a.Submit(spec_).id;
  ASSERT_TRUE(a.Worker(100).WorkToEnd().ok());
  ASSERT_GT(JobsTotal(), 256);
  a.Export(id, file_);
  std::vector<std::string> exported, planned;
  const std::vector<v1::BundledJob> jobs = CheckBundle(file_)->jobs;
  for (const v1::BundledJob& job : jobs) exported.push_back(job.key());
  for (const PlannedJob& job : MakePlan(spec_).jobs) planned.push_back(job.key.hex());
  EXPECT_EQ(exported, planned);
}

// Only the unmasked model is known here, as another; what was made of it elsewhere cannot be ours.
TEST_F(BundleFlowTest, WhatWasMadeOfAConflictingResultIsNotTaken) {
  Site a("a"), other("other", " of another device");
  a.Export(Finished(a, spec_), file_);
  other.Submit(spec_);
  server::FakeWorker worker = other.Worker(1);
  const PlannedJob explanation = FirstExplanation();
  while (other.StateOf(explanation.inputs[0]) != JobStateKind::kSucceeded) ASSERT_TRUE(worker.Work().ok());
  const ImportedBundle imported = other.Import(file_);
  EXPECT_NE(other.StateOf(explanation.key), JobStateKind::kSucceeded);
  std::string of_explanation;
  for (const BundleConflict& conflict : imported.conflicts) {
    if (conflict.key == explanation.key.hex()) of_explanation = conflict.difference;
  }
  EXPECT_THAT(of_explanation, testing::StartsWith("it read checkpoint "));
  EXPECT_GT(imported.new_results, 0) << "the other seed does not depend on it";
  EXPECT_TRUE(other.Worker().WorkToEnd().ok());
}

TEST_F(BundleFlowTest, AJobThatNeedsAModelThatDidNotComeSaysSo) {
  Site a("a"), b("b");
  const std::int64_t id = Finished(a, spec_);
  a.Export(id, file_);
  b.Import(file_);
  SweepSpec wider = spec_;
  wider.measures.push_back(std::string(Name(Measure::kAttention)));
  const std::int64_t wider_id = b.Submit(wider).id;
  const PlannedJob unmasked = MakePlan(spec_).jobs[0];
  const std::string checkpoint = OutputSha256(b.Result(unmasked.key));
  const JobKey explanation = KeyOf(ExplainSpec{unmasked.key, {Measure::kAttention}});

  server::FakeWorker worker = b.Worker(100);
  while (b.StateOf(explanation) != JobStateKind::kFailed) {
    schedule::Synchronize report = worker.Report();
    const schedule::JobRecord job = b.Record(explanation);
    if (const schedule::Lease* lease = schedule::LeaseOf(job.state)) {
      // In an agent's words.
      report.finished.push_back({explanation, lease->epoch,
                                 schedule::FailureReport{schedule::FailureKind::kDeterministic,
                                                         "fetch the checkpoint " + checkpoint + ": no artifact"}});
    }
    ASSERT_TRUE(worker.Send(report).get().ok());
  }
  EXPECT_EQ(std::get<schedule::Failed>(b.Record(explanation).state).reason,
            "the bundle that brought the result of train babi-1 unmasked seed 0 (" + unmasked.key.Short() +
                ") came without its checkpoint: export it again with --all-checkpoints, import that, and submit the "
                "sweep again");

  a.Export(id, file_, CheckpointChoice::kAll);
  EXPECT_EQ(b.Import(file_).known_results, JobsTotal());
  EXPECT_TRUE(b.artifacts().Has({server::ArtifactKind::kCheckpoint, checkpoint}));
  b.Submit(wider);
  ASSERT_TRUE(b.Worker().WorkToEnd().ok());
  EXPECT_EQ(b.StateOf(explanation), JobStateKind::kSucceeded);
  Site undisturbed("c");
  EXPECT_EQ(b.Results(wider_id), undisturbed.Results(Finished(undisturbed, wider)));
}

TEST_F(BundleFlowTest, DataSetsThatAreNotHereAreNamed) {
  Site a("a"), b("b");
  a.Export(HalfDone(a), file_);
  EXPECT_THAT(b.Import(file_).dataset_notes, testing::ElementsAre(HasSubstr("data set babi-1 is not here")));
}

// The coordinator trusts no client: of a call in which anything is wrong it takes nothing.
TEST_F(BundleFlowTest, TheCoordinatorChecksForItself) {
  Site a("a"), b("b");
  a.Export(Finished(a, spec_), file_);
  const std::vector<v1::BundledJob> jobs = CheckBundle(file_)->jobs;
  const auto refusal = [&](const v1::ImportJobsRequest& request) {
    return b.Client().Call<v1::BundleService>(&v1::BundleService::Stub::ImportJobs, request).status();
  };
  v1::ImportJobsRequest request;
  request.mutable_jobs()->Add(jobs.begin(), jobs.end());
  EXPECT_TRUE(absl::IsFailedPrecondition(refusal(request))) << "no ranking was uploaded";
  v1::ImportJobsRequest wrong_key;
  *wrong_key.add_jobs() = jobs[0];
  *wrong_key.add_jobs() = jobs[1];
  wrong_key.mutable_jobs(1)->mutable_spec()->mutable_train()->set_seed(77);
  EXPECT_TRUE(absl::IsInvalidArgument(refusal(wrong_key)));
  v1::ImportJobsRequest incomplete;
  *incomplete.add_jobs() = jobs[0];
  incomplete.mutable_jobs(0)->mutable_result()->mutable_train()->clear_metrics();
  EXPECT_TRUE(absl::IsInvalidArgument(refusal(incomplete)));
  v1::ImportJobsRequest too_many;
  for (int i = 0; i < 257; ++i) *too_many.add_jobs() = jobs[0];
  EXPECT_EQ(refusal(too_many).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(b.Jobs(), 0u);

  v1::ImportJobsRequest orphan;
  for (const v1::BundledJob& job : jobs) {
    if (job.spec().train().mask().has_ranked()) *orphan.add_jobs() = job;
  }
  const auto response = b.Client().Call<v1::BundleService>(&v1::BundleService::Stub::ImportJobs, orphan);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->conflicts_size(), orphan.jobs_size());
  EXPECT_THAT(response->conflicts(0).reason(), HasSubstr("is not here"));
  EXPECT_EQ(b.Jobs(), 0u);
}

TEST_F(BundleFlowTest, ARepeatedCallHasTheEffectOfOne) {
  Site a("a"), b("b");
  a.Export(Finished(a, spec_), file_);
  v1::ImportJobsRequest request;
  *request.add_jobs() = CheckBundle(file_)->jobs[0];
  request.set_request_id("once");
  for (int i = 0; i < 2; ++i) {
    const auto response = b.Client().Call<v1::BundleService>(&v1::BundleService::Stub::ImportJobs, request);
    ASSERT_TRUE(response.ok()) << response.status();
    EXPECT_EQ(response->new_jobs(), 1);
  }
}

TEST_F(BundleFlowTest, AnUnknownSweepLeavesNoFile) {
  Site a("a");
  EXPECT_TRUE(absl::IsNotFound(ExportBundle(a.Client(), 7, file_, CheckpointChoice::kStillRead).status()));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace roar
