#include "core/faithfulness/racu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/csv.h"

namespace roar::faithfulness {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const std::string kGolden = std::string(ROAR_SOURCE_DIR) + "/tests/golden/";

std::vector<double> Tenths() {
  std::vector<double> ratios;
  for (int percent = 0; percent <= 100; percent += 10) ratios.push_back(percent / 100.0);
  return ratios;
}

// Eleven points from `first` on, each `step` above the one before.
std::vector<double> Line(double first, double step) {
  std::vector<double> points;
  for (int i = 0; i <= 10; ++i) points.push_back(first + i * step);
  return points;
}

// Golden curves, by (data set, model, measure), as fractions.
using CurveKey = std::tuple<std::string, std::string, std::string>;
std::map<CurveKey, std::vector<double>> PublishedCurves() {
  std::map<CurveKey, std::vector<double>> curves;
  for (const CsvRow& row : ReadCsv(kGolden + "curves_published.csv")) {
    std::vector<double>& curve = curves[{row.at(0), row.at(1), row.at(2)}];
    EXPECT_EQ(std::stoi(row.at(3)), static_cast<int>(curve.size()) * 10) << "ratios are not in order";
    curve.push_back(std::stod(row.at(4)) / 100);
  }
  return curves;
}

TEST(Racu, OfThePublishedMeanCurvesEqualsTheIndependentComputation) {
  const auto curves = PublishedCurves();
  const std::vector<CsvRow> cells = ReadCsv(kGolden + "racu_of_mean_curves.csv");
  ASSERT_EQ(cells.size(), 42U);
  for (const CsvRow& row : cells) {
    const auto& measure = curves.at({row.at(0), row.at(1), row.at(2)});
    const auto& random = curves.at({row.at(0), row.at(1), "random"});
    const auto racu = Racu({Tenths(), measure, random});
    ASSERT_TRUE(racu.ok()) << racu.status();
    EXPECT_NEAR(100 * *racu, std::stod(row.at(3)), 0.01) << row.at(0) << " " << row.at(1) << " " << row.at(2);
  }
}

// The published means over seeds are the same quantity, taken in another order: 30 of 42 agree with the mean curve's to
// 0.3 points (rounded to one decimal), as they would not with a wrong sign, baseline or scale.
TEST(Racu, OfTheMeanCurvesIsCloseToThePublishedMeans) {
  const auto curves = PublishedCurves();
  int cells = 0;
  int close = 0;
  for (const CsvRow& row : ReadCsv(kGolden + "racu_published.csv")) {
    const auto measure = curves.find({row.at(0), row.at(1), row.at(2)});
    if (measure == curves.end()) continue;
    const auto racu = Racu({Tenths(), measure->second, curves.at({row.at(0), row.at(1), "random"})});
    ASSERT_TRUE(racu.ok()) << racu.status();
    const double difference = std::abs(100 * *racu - std::stod(row.at(3)));
    EXPECT_LE(difference, 4.4) << row.at(0) << " " << row.at(1) << " " << row.at(2);
    ++cells;
    close += difference < 0.35;
  }
  EXPECT_EQ(cells, 42);
  EXPECT_EQ(close, 30);
}

TEST(Racu, WhenRandomMaskingChangesNothingIsUndefined) {
  // Without the threshold these would be infinite, and about -1e9 hidden by the clipping.
  const std::vector<double> flat(11, 0.5);
  const std::vector<double> tiny = Line(0.5000000001, -0.00000000001);
  for (const auto& [random, measure] : {std::pair(flat, Line(0.5, -0.0001)), {tiny, std::vector<double>(11, 0.4)}}) {
    const auto racu = Racu({Tenths(), measure, random});
    EXPECT_EQ(racu.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(racu.status().message()), HasSubstr("undefined"));
    EXPECT_TRUE(Acu({Tenths(), measure, random}).ok());
  }
}

// Random falls from .9 to .5; the measure is .1 below it but at both ends. Areas .09 and .2.
TEST(Racu, OfAMeasureATenthBelowRandom) {
  const std::vector<double> random = Line(0.9, -0.04);
  std::vector<double> measure = random;
  for (std::size_t i = 1; i < 10; ++i) measure[i] -= 0.1;
  EXPECT_NEAR(Acu({Tenths(), measure, random}).value(), 0.09, 1e-12);
  EXPECT_NEAR(Racu({Tenths(), measure, random}).value(), 0.45, 1e-12);
}

TEST(Racu, OfACurveWithAMissingPointIsAnErrorThatNamesIt) {
  std::vector<double> measure(11, 0.6);
  measure[7] = kNan;
  const auto racu = Racu({Tenths(), measure, Line(0.9, -0.04)});
  EXPECT_EQ(racu.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(racu.status().message()), HasSubstr("measure's curve at index 7"));
}

TEST(Racu, WeighsUnequalStepsByTheirWidth) {
  const std::vector<double> ratios = {0, 0.1, 0.5, 1};
  const std::vector<double> measure = {0.9, 0.5, 0.4, 0.3};
  const std::vector<double> random = {0.9, 0.8, 0.7, 0.3};
  // (.1 * (0 + .3) + .4 * (.3 + .3) + .5 * (.3 + 0)) / 2 and (.1 * (.6 + .5) + .4 * (.5 + .4) + .5 * (.4 + 0)) / 2
  EXPECT_NEAR(Acu({ratios, measure, random}).value(), 0.21, 1e-12);
  EXPECT_NEAR(Racu({ratios, measure, random}).value(), 0.21 / 0.335, 1e-12);
}

TEST(Racu, IsClippedUnlessAskedNotTo) {
  const std::vector<double> ratios = {0, 0.5, 1};
  const std::vector<double> random = {0.6, 0.5, 0.5};
  const std::vector<double> better = {0.6, 0.1, 0.5};
  const std::vector<double> worse = {0.6, 0.9, 0.5};
  EXPECT_EQ(Racu({ratios, better, random}).value(), 1);
  EXPECT_NEAR(Racu({ratios, better, random}, false).value(), 8, 1e-9);
  EXPECT_EQ(Racu({ratios, worse, random}).value(), -1);
  EXPECT_NEAR(Racu({ratios, worse, random}, false).value(), -8, 1e-9);
}

struct RefusedCase {
  const char* name;
  std::vector<double> ratios;
  std::vector<double> measure;
  std::vector<double> random;
};

const RefusedCase kRefused[] = {
    {"no points", {}, {}, {}},
    {"one point", {0}, {0.5}, {0.5}},
    {"measure shorter", {0, 1}, {0.5}, {0.5, 0.4}},
    {"random longer", {0, 1}, {0.5, 0.4}, {0.5, 0.4, 0.3}},
    {"does not start at 0", {0.1, 1}, {0.5, 0.4}, {0.5, 0.4}},
    {"does not end at 1", {0, 0.9}, {0.5, 0.4}, {0.5, 0.4}},
    {"percents", {0, 50, 100}, {0.5, 0.4, 0.3}, {0.5, 0.4, 0.3}},
    {"a ratio twice", {0, 0.5, 0.5, 1}, {0.5, 0.4, 0.3, 0.2}, {0.5, 0.4, 0.3, 0.2}},
    {"ratios fall", {0, 0.6, 0.5, 1}, {0.5, 0.4, 0.3, 0.2}, {0.5, 0.4, 0.3, 0.2}},
    {"a ratio is NaN", {0, kNan, 1}, {0.5, 0.4, 0.3}, {0.5, 0.4, 0.3}},
    {"random is NaN", {0, 0.5, 1}, {0.5, 0.4, 0.3}, {0.5, 0.4, kNan}},
    {"measure is infinite", {0, 0.5, 1}, {0.5, -HUGE_VAL, 0.3}, {0.5, 0.4, 0.3}},
};

TEST(Racu, RefusesCurvesThatAreNone) {
  for (const RefusedCase& c : kRefused) {
    const PerformanceCurves curves{c.ratios, c.measure, c.random};
    EXPECT_EQ(Acu(curves).status().code(), absl::StatusCode::kInvalidArgument) << c.name;
    EXPECT_EQ(Racu(curves).status().code(), absl::StatusCode::kInvalidArgument) << c.name;
  }
}

rc::Gen<std::vector<double>> AnyCurve() {
  return rc::gen::container<std::vector<double>>(
      11, rc::gen::map(rc::gen::inRange(0, 1001), [](int thousandths) { return thousandths / 1000.0; }));
}

RC_GTEST_PROP(RacuProperty, RandomScoresZeroAndAnInstantFallToTheFloorOne, ()) {
  std::vector<double> random = *AnyCurve();
  random.back() = 0;
  RC_PRE(Racu({Tenths(), random, random}).ok());
  RC_ASSERT(Racu({Tenths(), random, random}).value() == 0);
  const std::vector<double> floor(11, 0.0);
  RC_ASSERT(std::abs(Racu({Tenths(), floor, random}, false).value() - 1) < 1e-9);
}

// The area does not depend on which points the curve was sampled at, as long as it is the same piecewise line.
RC_GTEST_PROP(RacuProperty, APointOnTheLineChangesNothing, ()) {
  const std::vector<double> measure = *AnyCurve();
  const std::vector<double> random = *AnyCurve();
  std::vector<double> ratios = Tenths(), more_measure = measure, more_random = random;
  ratios.insert(ratios.begin() + 4, (ratios[3] + ratios[4]) / 2);
  more_measure.insert(more_measure.begin() + 4, (measure[3] + measure[4]) / 2);
  more_random.insert(more_random.begin() + 4, (random[3] + random[4]) / 2);
  const double area = Acu({Tenths(), measure, random}).value();
  RC_ASSERT(std::abs(Acu({ratios, more_measure, more_random}).value() - area) < 1e-12);
}

}  // namespace
}  // namespace roar::faithfulness
