#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/faithfulness/classification.h"
#include "tests/reference/auroc.h"

namespace roar::faithfulness {
namespace {

using ::testing::HasSubstr;

using Classes = std::vector<std::int64_t>;
using Scores = std::vector<double>;

// Rows of two classes from the scores of class 1.
Scores OfClassOne(const Scores& scores) {
  Scores probabilities;
  for (const double score : scores) probabilities.insert(probabilities.end(), {1 - score, score});
  return probabilities;
}

struct BinaryCase {
  const char* name;
  Classes labels;
  Scores scores;
  std::optional<double> auroc;
};

const BinaryCase kBinary[] = {
    {"all pairs in order", {0, 0, 1, 1}, {.1, .2, .8, .9}, 1.0},
    {"all pairs the wrong way", {1, 1, 0, 0}, {.1, .2, .8, .9}, 0.0},
    {"scikit-learn's example", {0, 0, 1, 1}, {.1, .4, .35, .8}, 0.75},
    {"all tied", {0, 1, 1, 0}, {.5, .5, .5, .5}, 0.5},
    {"one tied pair", {0, 1}, {.1, .1}, 0.5},
    {"a tie and a pair in order", {0, 0, 1}, {.3, .1, .3}, 0.75},
    {"no negative example is undefined", {1, 1, 1}, {.2, .3, .9}, std::nullopt},
    {"no positive example is undefined", {0, 0}, {.2, .3}, std::nullopt},
    {"no example is undefined", {}, {}, std::nullopt},
};

TEST(Auroc, OfTwoClassesIsThatOfClassOne) {
  for (const BinaryCase& c : kBinary) {
    const auto auroc = Auroc(OfClassOne(c.scores), c.labels, 2);
    ASSERT_TRUE(auroc.ok()) << c.name << ": " << auroc.status();
    EXPECT_EQ(*auroc, c.auroc) << c.name;
  }
}

// Class 0: 1 of 2 pairs; class 1: 2 of 2; class 3 does not occur and does not count.
TEST(Auroc, OfMoreIsTheMeanOfTheClassesThatHaveOne) {
  const Scores probabilities = {.4, .1, .5, 0,  //
                                .5, .4, .1, 0,  //
                                .3, .3, .4, 0};
  // Class 2: its example 2 scores .4, above .1 and below .5: 1 of 2 pairs.
  EXPECT_EQ(*Auroc(probabilities, Classes{0, 1, 2}, 4), (0.5 + 1 + 0.5) / 3);
}

TEST(Auroc, RefusesWhatDoesNotFit) {
  const auto refused = [](const Scores& probabilities, const Classes& labels, std::int64_t class_count) {
    const auto auroc = Auroc(probabilities, labels, class_count);
    EXPECT_EQ(auroc.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(auroc.status().message());
  };
  EXPECT_THAT(refused({.1, .9, .5}, {0, 1}, 2), HasSubstr("3 probabilities for 2 labels of 2 classes"));
  EXPECT_THAT(refused({.1, .9}, {2}, 2), HasSubstr("not one of the 2 classes"));
  EXPECT_THAT(refused({.1, .9}, {-1}, 2), HasSubstr("not one of the 2 classes"));
  EXPECT_THAT(refused({.1, std::numeric_limits<double>::quiet_NaN()}, {0}, 2), HasSubstr("not a number"));
  EXPECT_THAT(refused({}, {}, 0), HasSubstr("0 classes"));
}

// Few distinct scores, so that ties are common.
RC_GTEST_PROP(AurocProperty, EqualsTheCountOfPairs, ()) {
  const auto class_count = *rc::gen::inRange<std::int64_t>(1, 6);
  const auto size = *rc::gen::inRange<std::size_t>(0, 30);
  const Classes labels = *rc::gen::container<Classes>(size, rc::gen::inRange<std::int64_t>(0, class_count));
  Scores probabilities;
  for (std::size_t i = 0; i < size * static_cast<std::size_t>(class_count); ++i) {
    probabilities.push_back(*rc::gen::inRange(0, 6) / 5.0);
  }
  const auto auroc = Auroc(probabilities, labels, class_count);
  const std::optional<double> expected = reference::Auroc(probabilities, labels, class_count);
  RC_ASSERT(auroc.ok());
  RC_ASSERT(auroc->has_value() == expected.has_value());
  if (expected) RC_ASSERT(std::abs(**auroc - *expected) < 1e-12);
}

}  // namespace
}  // namespace roar::faithfulness
