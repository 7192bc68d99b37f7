#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/sweep/sweep_spec.h"
#include "tests/core/sweep/sample_sweep.h"

namespace roar {

// GoogleTest finds it by the type's namespace.
void PrintTo(const SweepProblem& problem, std::ostream* out) { *out << problem.field_path << ": " << problem.message; }

namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

struct BadSpec {
  std::function<void(SweepSpec&)> spoil;
  std::string field_path;
  std::string message;
};

constexpr char kNameRule[] = "; use 1 to 64 letters, digits, '.', '_' and '-', the first a letter or digit";

void ExpectProblems(const std::vector<BadSpec>& table) {
  for (const BadSpec& row : table) {
    SweepSpec spec = SampleSweep();
    row.spoil(spec);
    EXPECT_THAT(Validate(spec), ElementsAre(SweepProblem{row.field_path, row.message}));
  }
}

TEST(Validate, AcceptsTheSample) { EXPECT_THAT(Validate(SampleSweep()), IsEmpty()); }

TEST(Validate, AcceptsWhatIsUnusualButRight) {
  const std::vector<std::function<void(SweepSpec&)>> changes = {
      [](SweepSpec& s) {
        s.steps = {0, 1, 99, 100};
      },
      [](SweepSpec& s) { s.measures = {"random"}; },
      [](SweepSpec& s) { s.name = "a.B_c-9" + std::string(57, 'x'); },
      [](SweepSpec& s) {
        s.unit = MaskUnit::kCount, s.steps = {1, 100, 5000};
      },
      [](SweepSpec& s) { s.datasets[0].reference.limit = 10; },
      [](SweepSpec& s) {
        s.datasets.push_back({"same-content", s.datasets[0].reference});
      },
      [](SweepSpec& s) { s.training = {1, 1, 1e-9, 0.0, 1, 1, "macro_f1"}; },
      [](SweepSpec& s) { s.training.epochs = 100'000; },
      [](SweepSpec& s) { s.training.embeddings = "zeros"; },
      [](SweepSpec& s) { s.test_metric = "auroc"; },
      [](SweepSpec& s) { s.ig_variant = "textbook"; },
  };
  for (const auto& change : changes) {
    SweepSpec spec = SampleSweep();
    change(spec);
    EXPECT_THAT(Validate(spec), IsEmpty());
  }
}

TEST(Validate, NamesOfSweepsAndDataSets) {
  ExpectProblems({
      {[](auto& s) { s.name = ""; }, "name", std::string("the name is empty") + kNameRule},
      {[](auto& s) { s.name = "a/b"; }, "name", std::string("bad name \"a/b\"") + kNameRule},
      {[](auto& s) { s.name = ".."; }, "name", std::string("bad name \"..\"") + kNameRule},
      {[](auto& s) { s.name = "-x"; }, "name", std::string("bad name \"-x\"") + kNameRule},
      {[](auto& s) { s.name = "a\nb\x1b"; }, "name", std::string("bad name \"a\\nb\\033\"") + kNameRule},
      {[](auto& s) { s.name = std::string(65, 'x'); }, "name", "bad name \"" + std::string(65, 'x') + "\"" + kNameRule},
      {[](auto& s) { s.name = std::string(5000, 'x'); }, "name",
       "bad name \"" + std::string(80, 'x') + "...\"" + kNameRule},
      {[](auto& s) { s.datasets[0].name = ""; }, "datasets[0].name", std::string("the name is empty") + kNameRule},
  });
}

TEST(Validate, DataSets) {
  ExpectProblems({
      {[](auto& s) { s.datasets.clear(); }, "datasets", "no data set; name at least one"},
      {[](auto& s) {
         s.datasets.push_back({"babi-1", {std::string(64, 'b'), 0}});
       },
       "datasets[1].name", "data set \"babi-1\" is there twice; rename or remove one"},
      {[](auto& s) { s.datasets[0].reference.content_sha256 = "ABC"; }, "datasets[0].content_sha256",
       "\"ABC\" is not a content hash; a hash has 64 lower-case hexadecimal digits"},
      {[](auto& s) { s.datasets[0].reference.limit = -1; }, "datasets[0].limit",
       "limit -1 is negative; 0 uses all examples"},
  });
}

TEST(Validate, KnownNames) {
  const std::string kMeasureList =
      "random, attention, gradient, input_times_gradient, integrated_gradient, mutual_information";
  ExpectProblems({
      {[](auto& s) { s.models = {}; }, "models", "no model; known names: bilstm_attention"},
      {[](auto& s) { s.models = {"bilstm-attention"}; }, "models[0]",
       "unknown model \"bilstm-attention\"; did you mean \"bilstm_attention\"?"},
      {[](auto& s) {
         s.models = {"bilstm_attention", "bilstm_attention"};
       },
       "models[1]", "model \"bilstm_attention\" is there twice; keep one"},
      {[](auto& s) { s.measures = {}; }, "measures", "no measure; known names: " + kMeasureList},
      {[](auto& s) {
         s.measures = {"attention", "gradeint"};
       },
       "measures[1]", "unknown measure \"gradeint\"; did you mean \"gradient\"?"},
      {[](auto& s) { s.measures = {"lime"}; }, "measures[0]", "unknown measure \"lime\"; known names: " + kMeasureList},
      {[](auto& s) {
         s.measures = {"random", "random"};
       },
       "measures[1]", "measure \"random\" is there twice; keep one"},
      {[](auto& s) { s.strategies = {}; }, "strategies", "no strategy; known names: roar, recursive"},
      {[](auto& s) { s.strategies = {"Roar"}; }, "strategies[0]", "unknown strategy \"Roar\"; did you mean \"roar\"?"},
      {[](auto& s) {
         s.strategies = {"roar", "roar"};
       },
       "strategies[1]", "strategy \"roar\" is there twice; keep one"},
  });
}

TEST(Validate, Ratios) {
  ExpectProblems({
      {[](auto& s) { s.steps = {}; }, "ratios",
       "no ratio between 1 and 99; write the percents to mask, such as [10, 50, 90]"},
      {[](auto& s) {
         s.steps = {0, 100};
       },
       "ratios", "no ratio between 1 and 99; write the percents to mask, such as [10, 50, 90]"},
      {[](auto& s) {
         s.steps = {-1, 50};
       },
       "ratios[0]", "ratio -1 is outside 1..99; 0 and 100 are implied"},
      {[](auto& s) {
         s.steps = {50, 101};
       },
       "ratios[1]", "ratio 101 is outside 1..99; 0 and 100 are implied"},
      {[](auto& s) {
         s.steps = {10, 20, 20};
       },
       "ratios[2]", "ratio 20 is there twice; keep one"},
      {[](auto& s) {
         s.steps = {10, 30, 20};
       },
       "ratios[2]", "ratio 20 comes after 30; write them ascending"},
  });
}

TEST(Validate, Counts) {
  const auto with_counts = [](std::vector<std::int64_t> counts) {
    return [counts](SweepSpec& s) { s.unit = MaskUnit::kCount, s.steps = counts; };
  };
  ExpectProblems({
      {with_counts({}), "counts", "no count; write the numbers of tokens to mask, such as [1, 2, 3]"},
      {with_counts({0, 1}), "counts[0]", "count 0 is below 1; 0 is implied"},
      {with_counts({1, 1}), "counts[1]", "count 1 is there twice; keep one"},
      {with_counts({2, 1}), "counts[1]", "count 1 comes after 2; write them ascending"},
  });
}

TEST(Validate, Seeds) {
  ExpectProblems({
      {[](auto& s) { s.seeds = {}; }, "seeds", "no seed; the published experiments use [0, 1, 2, 3, 4]"},
      {[](auto& s) {
         s.seeds = {0, -3};
       },
       "seeds[1]", "seed -3 is negative; seeds start at 0"},
      {[](auto& s) {
         s.seeds = {7, 1, 7};
       },
       "seeds[2]", "seed 7 is there twice; keep one"},
  });
}

TEST(Validate, TrainingOverrides) {
  const double infinity = std::numeric_limits<double>::infinity();
  ExpectProblems({
      {[](auto& s) { s.training.epochs = 0; }, "training.epochs", "epochs 0 is outside 1..100000"},
      {[](auto& s) { s.training.epochs = 100'001; }, "training.epochs", "epochs 100001 is outside 1..100000"},
      {[](auto& s) { s.training.batch_size = 0; }, "training.batch_size", "batch_size 0 is outside 1..1048576"},
      {[](auto& s) { s.training.learning_rate = 0; }, "training.learning_rate",
       "learning_rate 0 is not a finite number above 0; 0.001 is usual"},
      {[](auto& s) { s.training.learning_rate = std::nan(""); }, "training.learning_rate",
       "learning_rate nan is not a finite number above 0; 0.001 is usual"},
      {[](auto& s) { s.training.weight_decay = -0.5; }, "training.weight_decay",
       "weight_decay -0.5 is not a finite number from 0 on; 0 means none"},
      {[=](auto& s) { s.training.weight_decay = infinity; }, "training.weight_decay",
       "weight_decay inf is not a finite number from 0 on; 0 means none"},
      {[](auto& s) { s.training.embedding_size = 0; }, "training.embedding_size",
       "embedding_size 0 is outside 1..1048576"},
      {[](auto& s) { s.training.hidden_size = -8; }, "training.hidden_size", "hidden_size -8 is outside 1..1048576"},
      {[](auto& s) { s.training.checkpoint_metric = "acuracy"; }, "training.checkpoint_metric",
       "unknown metric \"acuracy\"; did you mean \"accuracy\"?"},
      {[](auto& s) { s.training.embeddings = "zero"; }, "training.embeddings",
       "unknown embeddings \"zero\"; did you mean \"zeros\"?"},
      {[](auto& s) { s.test_metric = "acuracy"; }, "test_metric",
       "unknown metric \"acuracy\"; did you mean \"accuracy\"?"},
      {[](auto& s) { s.ig_variant = "textbok"; }, "ig_variant",
       "unknown variant \"textbok\"; did you mean \"textbook\"?"},
  });
}

TEST(Validate, AsksWhatToStartFromInPlaceOfWordVectors) {
  ExpectProblems({{[](auto& s) { s.datasets[0].name = "sst"; }, "training.embeddings",
                   "the published experiment on sst starts from word vectors, which cannot be read yet; say "
                   "`embeddings: zeros` or `embeddings: random`"}});
  SweepSpec spec = SampleSweep();
  spec.datasets[0].name = "sst";
  for (const char* embeddings : {"zeros", "random"}) {
    spec.training.embeddings = embeddings;
    EXPECT_THAT(Validate(spec), IsEmpty());
  }
}

TEST(Validate, RefusesASweepOverTheLimitWithItsSize) {
  SweepSpec spec = SampleSweep();  // Per seed 2 + 9 + 2 * 17 trainings and 2 * 9 explanations: 63 jobs.
  spec.seeds.resize(kMostJobsPerSweep / 63);
  std::iota(spec.seeds.begin(), spec.seeds.end(), 0);
  EXPECT_THAT(Validate(spec), IsEmpty());
  spec.seeds.push_back(kMostJobsPerSweep);
  EXPECT_THAT(Validate(spec),
              ElementsAre(SweepProblem{"", "the sweep has 1000062 jobs, more than 1000000; split it into several"}));
}

TEST(Validate, ReportsEveryProblemInTheOrderOfTheFields) {
  SweepSpec spec;
  spec.datasets = {{"x y", {"?", -1}}};
  spec.measures = {"atention", "attention", "attention"};
  spec.steps = {101, 30, 20, 30};
  spec.training.epochs = 0;
  spec.training.checkpoint_metric = "loss";
  const auto path = [](const char* text) { return Field(&SweepProblem::field_path, text); };
  EXPECT_THAT(Validate(spec), ElementsAre(path("name"), path("datasets[0].name"), path("datasets[0].content_sha256"),
                                          path("datasets[0].limit"), path("models"), path("measures[0]"),
                                          path("measures[2]"), path("strategies"), path("ratios[0]"), path("ratios[1]"),
                                          path("ratios[2]"), path("ratios[3]"), path("seeds"), path("training.epochs"),
                                          path("training.checkpoint_metric")));
}

}  // namespace
}  // namespace roar
