#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "client/output/json.h"
#include "client/output/report.h"

// Results, as JSON and as tables.

namespace roar::output {
namespace {

using ::testing::HasSubstr;

v1::GetResultsResponse Results() {
  v1::GetResultsResponse results;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
    unit: "ratios"
    sweep { id: 7 name: "mini" state: SWEEP_STATE_FAILED }
    curves {
      dataset: "babi-1" model: "bilstm_attention" measure: "random" strategy: "recursive" metric: "accuracy"
      points { step: 0 interval { mean: 1 ci_low: 1 ci_high: 1 has_interval: true }
               per_seed { seed: 0 value: 1 } per_seed { seed: 1 value: 1 } }
      points { step: 50 interval { mean: 0.75 ci_low: 0.75 ci_high: 0.75 } per_seed { seed: 0 value: 0.75 } }
    }
    curves {
      dataset: "babi-1" model: "bilstm_attention" measure: "attention" strategy: "recursive" metric: "accuracy"
      points { step: 0 interval { mean: 1 ci_low: 1 ci_high: 1 has_interval: true }
               per_seed { seed: 0 value: 1 } per_seed { seed: 1 value: 1 } }
      points { step: 50 }
    }
    racu {
      dataset: "babi-1" model: "bilstm_attention" measure: "attention" strategy: "recursive"
      racu { mean: 0.5 ci_low: 0.25 ci_high: 0.625 has_interval: true }
      racu_per_seed { seed: 0 value: 0.25 } racu_per_seed { seed: 1 value: 0.75 }
      missing { seed: 2 reason: "train failed: NaN loss" }
    }
    racu {
      dataset: "babi-1" model: "bilstm_attention" measure: "gradient" strategy: "recursive"
      missing { seed: 0 reason: "not trained yet" }
    })",
                                                            &results));
  return results;
}

TEST(ResultsJsonTest, CurvesAreFractionsAndGapsAreNull) {
  EXPECT_EQ(Dump(CurvesJson(Results())),
            R"([{"dataset":"babi-1","model":"bilstm_attention","measure":"random","strategy":"recursive",)"
            R"("metric":"accuracy","points":[)"
            R"({"ratio_percent":0,"mean":1.0,"ci_low":1.0,"ci_high":1.0,)"
            R"("per_seed":[{"seed":0,"value":1.0},{"seed":1,"value":1.0}]},)"
            R"({"ratio_percent":50,"mean":0.75,"ci_low":null,"ci_high":null,"per_seed":[{"seed":0,"value":0.75}]}]},)"
            R"({"dataset":"babi-1","model":"bilstm_attention","measure":"attention","strategy":"recursive",)"
            R"("metric":"accuracy","points":[)"
            R"({"ratio_percent":0,"mean":1.0,"ci_low":1.0,"ci_high":1.0,)"
            R"("per_seed":[{"seed":0,"value":1.0},{"seed":1,"value":1.0}]},)"
            R"({"ratio_percent":50,"mean":null,"ci_low":null,"ci_high":null,"per_seed":[]}]}])"
            "\n");
}

TEST(ResultsJsonTest, RacuTellsWhatIsMissing) {
  EXPECT_EQ(Dump(RacuJson(Results())),
            R"([{"dataset":"babi-1","model":"bilstm_attention","measure":"attention","strategy":"recursive",)"
            R"("mean":0.5,"ci_low":0.25,"ci_high":0.625,"per_seed":[{"seed":0,"value":0.25},{"seed":1,"value":0.75}],)"
            R"("missing":[{"seed":2,"reason":"train failed: NaN loss"}]},)"
            R"({"dataset":"babi-1","model":"bilstm_attention","measure":"gradient","strategy":"recursive",)"
            R"("mean":null,"ci_low":null,"ci_high":null,"per_seed":[],)"
            R"("missing":[{"seed":0,"reason":"not trained yet"}]}])"
            "\n");
}

TEST(ResultsJsonTest, CountsHaveNoRacu) {
  v1::GetResultsResponse results = Results();
  results.set_unit("counts");
  EXPECT_EQ(RacuJson(results), Json(nullptr));
  EXPECT_EQ(CurvesJson(results)[0]["points"][1]["count"], 50);
  EXPECT_FALSE(CurvesJson(results)[0]["points"][1].contains("ratio_percent"));
}

TEST(ResultsJsonTest, TheSweepIsNamed) {
  EXPECT_EQ(Dump(SweepHeadJson(Results().sweep())), "{\"id\":7,\"name\":\"mini\",\"state\":\"failed\"}\n");
}

TEST(SweepOutputTest, SaysThatThereIsNoWorkerWhileOneIsNeeded) {
  v1::SweepInfo sweep;
  sweep.set_state(v1::SWEEP_STATE_RUNNING);
  EXPECT_THAT(SweepReport(sweep), HasSubstr("idle       no worker is connected; start one with: roar-worker"));
  EXPECT_EQ(SweepJson(sweep).at("workers"), Json(0));
  sweep.set_workers(2);
  EXPECT_THAT(SweepReport(sweep), testing::Not(HasSubstr("no worker")));
  EXPECT_EQ(SweepJson(sweep).at("workers"), Json(2));
  sweep.set_workers(0);
  sweep.set_state(v1::SWEEP_STATE_SUCCEEDED);
  EXPECT_THAT(SweepReport(sweep), testing::Not(HasSubstr("no worker")));
}

TEST(ResultsJsonTest, BytesThatAreNoUtf8AreReplaced) { EXPECT_EQ(Dump(Json("a\xff")), "\"a\xEF\xBF\xBD\"\n"); }

TEST(ResultsTableTest, CurvesHaveARowPerRatioAndAColumnPerMeasure) {
  EXPECT_EQ(CurveTables(Results()),
            "babi-1, bilstm_attention, recursive: test accuracy in percent, mean [95 % interval]\n"
            "MASKED %                random             attention\n"
            "       0  100.0 [100.0, 100.0]  100.0 [100.0, 100.0]\n"
            "      50                  75.0                     -\n");
}

TEST(ResultsTableTest, RacuHasARowPerCellAndTheReasonsOfGaps) {
  EXPECT_EQ(RacuTable(Results()),
            "RACU in percent, mean [95 % interval]; higher is more faithful, 0 is no better than random\n"
            "DATA SET  MODEL             STRATEGY   MEASURE               RACU %  SEEDS\n"
            "babi-1    bilstm_attention  recursive  attention  50.0 [25.0, 62.5]    2/3\n"
            "babi-1    bilstm_attention  recursive  gradient                   -    0/1\n"
            "missing:\n"
            "babi-1 recursive attention, seed 2: train failed: NaN loss\n"
            "babi-1 recursive gradient, seed 0: not trained yet\n");
}

TEST(ResultsTableTest, CountsSayWhyThereIsNoRacu) {
  v1::GetResultsResponse results = Results();
  results.set_unit("counts");
  EXPECT_THAT(RacuTable(results), HasSubstr("not defined for counts"));
  EXPECT_THAT(CurveTables(results), HasSubstr("MASKED TOKENS"));
}

// An AUROC that is undefined, or from before it was measured, is absent.
TEST(JobOutputTest, MetricsOfASplit) {
  v1::JobInfo job;
  v1::SplitMetrics& validation = *job.mutable_result()->mutable_train()->add_metrics();
  validation.set_split("validation");
  validation.set_examples(4);
  validation.set_auroc(0.625);
  job.mutable_result()->mutable_train()->add_metrics()->set_split("test");
  const Json metrics = JobJson(job).at("result").at("metrics");
  EXPECT_EQ(metrics[0].at("auroc"), Json(0.625));
  EXPECT_EQ(metrics[1].at("auroc"), Json());
  EXPECT_THAT(JobReport(job), HasSubstr("AUROC\nvalidation         4     0       0.0       0.0       0.0   62.5\n"));
  EXPECT_THAT(JobReport(job), HasSubstr("0.0      -\n"));
}

TEST(DatasetJsonTest, SplitsByName) {
  v1::DatasetInfo dataset;
  dataset.set_name("mini");
  dataset.set_content_sha256("ab");
  dataset.set_origin("by hand");
  v1::SplitSummary& split = *dataset.add_splits();
  split.set_split("train");
  split.set_examples(3);
  (*split.mutable_labels())["yes"] = 1;
  (*split.mutable_labels())["no"] = 2;
  split.set_mean_tokens(4.5);
  split.set_longest_tokens(6);
  EXPECT_EQ(Dump(DatasetJson(dataset)),
            R"({"name":"mini","content_sha256":"ab","splits":{"train":{"examples":3,"labels":{"no":2,"yes":1},)"
            R"("mean_tokens":4.5,"longest_tokens":6}},"origin":"by hand"})"
            "\n");
}

TEST(ServerInfoJsonTest, HasWhatScriptsNeed) {
  v1::GetServerInfoResponse info;
  info.set_address("unix:/s");
  info.set_http_address("127.0.0.1:9090");
  info.set_access_file("/state/access.json");
  info.set_version("1.2");
  info.set_state_folder("/state");
  info.set_process_id(42);
  EXPECT_EQ(Dump(ServerInfoJson(info)),
            R"({"address":"unix:/s","http_address":"127.0.0.1:9090","access_file":"/state/access.json",)"
            R"("version":"1.2","state_folder":"/state","process_id":42})"
            "\n");
}

}  // namespace
}  // namespace roar::output
