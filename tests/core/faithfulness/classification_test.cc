#include "core/faithfulness/classification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/reference/macro_f1.h"

namespace roar::faithfulness {
namespace {

using ::testing::HasSubstr;

using Classes = std::vector<std::int64_t>;

struct ScoredCase {
  const char* name;
  std::int64_t class_count;
  Classes labels;
  Classes predictions;
  double accuracy;
  double macro_f1;
};

// Macro F1 as scikit-learn 1.9 computes it: f1_score(labels, predictions, average="macro").
const ScoredCase kScored[] = {
    {"all right", 2, {0, 1, 1}, {0, 1, 1}, 1, 1},
    {"class 3 in neither does not count", 5, {2, 1, 0, 4}, {2, 1, 0, 1}, 0.75, 2.0 / 3},
    {"the only class that occurs", 2, {0, 0}, {0, 0}, 1, 1},
    {"a class only predicted counts as 0", 3, {0, 1, 1}, {2, 2, 2}, 0, 0},
    {"a class never predicted counts as 0", 2, {0, 1}, {1, 1}, 0.5, 1.0 / 3},
    {"four classes", 4, {0, 0, 1, 1, 2, 2, 2, 3, 3, 0}, {0, 1, 1, 1, 2, 0, 2, 2, 3, 3}, 0.6, 0.59166666666666667},
    {"classes 2 and 3 absent", 5, {0, 0, 1, 4}, {0, 4, 1, 1}, 0.5, 0.44444444444444444},
    {"36 classes of which two occur", 36, {35, 7}, {35, 35}, 0.5, 1.0 / 3},
};

TEST(Classify, EqualsScikitLearn) {
  for (const ScoredCase& c : kScored) {
    const auto metrics = Classify(c.predictions, c.labels, c.class_count);
    ASSERT_TRUE(metrics.ok()) << c.name << ": " << metrics.status();
    EXPECT_NEAR(metrics->accuracy, c.accuracy, 1e-12) << c.name;
    EXPECT_NEAR(metrics->macro_f1, c.macro_f1, 1e-12) << c.name;
    EXPECT_NEAR(metrics->micro_f1, c.accuracy, 1e-12) << c.name << ": of one label each, micro F1 is the accuracy";
  }
}

struct RefusedCase {
  Classes predictions;
  Classes labels;
  const char* message;
};

const RefusedCase kRefused[] = {
    {{}, {}, "no example"},
    {{0, 1}, {0}, "2 predictions for 1 labels"},
    {{0, 2}, {0, 1}, "prediction 1 is class 2"},
    {{0, -1}, {0, 1}, "prediction 1 is class -1"},
    {{0, 1}, {2, 1}, "label 0 is class 2"},
    {{0, 1}, {-1, 1}, "label 0 is class -1"},
};

TEST(Classify, RefusesWhatIsNotAClassificationOfTwoClasses) {
  for (const RefusedCase& c : kRefused) {
    const auto metrics = Classify(c.predictions, c.labels, 2);
    EXPECT_EQ(metrics.status().code(), absl::StatusCode::kInvalidArgument) << c.message;
    EXPECT_THAT(std::string(metrics.status().message()), HasSubstr(c.message));
  }
}

RC_GTEST_PROP(ClassifyProperty, EqualsTheObviousTwin, ()) {
  const auto class_count = *rc::gen::inRange<std::int64_t>(1, 8);
  const auto size = *rc::gen::inRange<std::size_t>(1, 40);
  const auto classes = rc::gen::container<Classes>(size, rc::gen::inRange<std::int64_t>(0, class_count));
  const Classes predictions = *classes;
  const Classes labels = *classes;
  const auto metrics = Classify(predictions, labels, class_count);
  RC_ASSERT(metrics.ok());
  RC_ASSERT(std::abs(metrics->macro_f1 - reference::MacroF1(predictions, labels, class_count)) < 1e-12);
  RC_ASSERT(std::abs(metrics->micro_f1 - metrics->accuracy) < 1e-12);
}

}  // namespace
}  // namespace roar::faithfulness
