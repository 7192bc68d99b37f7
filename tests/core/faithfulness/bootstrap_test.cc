#include "core/faithfulness/bootstrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace roar::faithfulness {
namespace {

using ::testing::HasSubstr;

struct IntervalCase {
  std::vector<double> values;
  double mean;
  double ci_low;
  double ci_high;
};

// Every resample enumerated; ends computed by a second implementation with SciPy's normal distribution.
const IntervalCase kEnumerated[] = {
    {{0.1, 0.2, 0.3, 0.4, 0.5}, 0.3, 0.18, 0.42},
    {{0.66, 0.71, 0.58, 0.79, 0.62}, 0.672, 0.614, 0.7461},
    {{0.33, 0.33, 0.33, 0.33, 0.45}, 0.354, 0.33, 0.426},
    {{-1, 0.2, 0.1, 0.05, 0.3}, -0.07, -0.76, 0.20},
    {{0.70, 0.74}, 0.72, 0.7015, 0.7385},
};

TEST(BcaMeanInterval, OfAtMostFiveValuesEqualsTheEnumeration) {
  for (const IntervalCase& c : kEnumerated) {
    const auto interval = BcaMeanInterval(c.values);
    ASSERT_TRUE(interval.ok()) << interval.status();
    EXPECT_NEAR(interval->mean, c.mean, 1e-12);
    EXPECT_NEAR(interval->ci_low, c.ci_low, 1e-4);
    EXPECT_NEAR(interval->ci_high, c.ci_high, 1e-4);
    EXPECT_TRUE(interval->has_interval);
  }
}

// More than five values: the same 9,999 resamples drawn by a second implementation, in Python with NumPy and SciPy.
const IntervalCase kResampled[] = {
    {{0.66, 0.71, 0.58, 0.79, 0.62, 0.7}, 0.67666666666666667, 0.62666666666666667, 0.73333333333333333},
    {{0.9, 0.1, 0.2, 0.15, 0.3, 0.25, 0.2, 0.1, 0.05, 0.4}, 0.265, 0.17, 0.505},
    {{-1, 0.2, 0.1, 0.05, 0.3, 0.2, -0.9, 0.4}, -0.08125, -0.5375, 0.2125},
};

TEST(BcaMeanInterval, OfMoreValuesIsFrozen) {
  for (const IntervalCase& c : kResampled) {
    const auto interval = BcaMeanInterval(c.values);
    ASSERT_TRUE(interval.ok()) << interval.status();
    EXPECT_NEAR(interval->mean, c.mean, 1e-12);
    EXPECT_NEAR(interval->ci_low, c.ci_low, 1e-9);
    EXPECT_NEAR(interval->ci_high, c.ci_high, 1e-9);
    EXPECT_EQ(*BcaMeanInterval(c.values), *interval) << "not deterministic";
  }
}

// scipy.stats.bootstrap 1.17, method BCa, 9,999 resamples of default_rng(0): other resamples of the same values.
const IntervalCase kScipy[] = {
    {{0.66, 0.71, 0.58, 0.79, 0.62, 0.7}, 0.6767, 0.6267, 0.7350},
    {{0.9, 0.1, 0.2, 0.15, 0.3, 0.25, 0.2, 0.1, 0.05, 0.4}, 0.265, 0.165, 0.505},
    {{-1, 0.2, 0.1, 0.05, 0.3, 0.2, -0.9, 0.4}, -0.0813, -0.5375, 0.2125},
};

TEST(BcaMeanInterval, OfMoreValuesIsCloseToScipy) {
  for (const IntervalCase& c : kScipy) {
    const MeanInterval interval = BcaMeanInterval(c.values).value();
    EXPECT_NEAR(interval.ci_low, c.ci_low, 0.01);
    EXPECT_NEAR(interval.ci_high, c.ci_high, 0.01);
  }
}

TEST(BcaMeanInterval, OfEqualValuesHasZeroWidth) {
  for (const auto& values : {std::vector<double>(5, 0.8), std::vector<double>(5, 0.0), std::vector<double>(20, 0.1),
                             std::vector<double>{0.3, 0.1 + 0.2}}) {
    const auto interval = BcaMeanInterval(values);
    ASSERT_TRUE(interval.ok()) << interval.status();
    EXPECT_NEAR(interval->mean, values.front(), 1e-12);
    EXPECT_EQ(interval->ci_low, interval->mean);
    EXPECT_EQ(interval->ci_high, interval->mean);
    EXPECT_TRUE(interval->has_interval);
  }
}

TEST(BcaMeanInterval, OfOneValueIsTheValueWithoutInterval) {
  EXPECT_EQ(BcaMeanInterval(std::vector<double>{0.73}).value(), (MeanInterval{0.73, 0.73, 0.73, false}));
}

TEST(BcaMeanInterval, RefusesNoValues) {
  const auto interval = BcaMeanInterval({});
  EXPECT_EQ(interval.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(interval.status().message()), HasSubstr("no values"));
}

TEST(BcaMeanInterval, NamesTheValueThatIsNotFinite) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL}) {
    const auto interval = BcaMeanInterval(std::vector<double>{0.7, bad, 0.72, 0.71, 0.73});
    EXPECT_EQ(interval.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(interval.status().message()), HasSubstr("value 1 "));
  }
}

rc::Gen<std::vector<double>> AnyPerformances() {
  const auto thousandths = rc::gen::map(rc::gen::inRange(-1000, 1001), [](int value) { return value / 1000.0; });
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(2, 9),
                         [=](std::size_t size) { return rc::gen::container<std::vector<double>>(size, thousandths); });
}

RC_GTEST_PROP(BcaMeanIntervalProperty, HoldsTheMeanBetweenTheExtremes, ()) {
  const std::vector<double> values = *AnyPerformances();
  const MeanInterval interval = BcaMeanInterval(values).value();
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  RC_ASSERT(*smallest - 1e-12 <= interval.ci_low);
  RC_ASSERT(interval.ci_low <= interval.mean + 1e-12);
  RC_ASSERT(interval.mean <= interval.ci_high + 1e-12);
  RC_ASSERT(interval.ci_high <= *largest + 1e-12);
}

// Enumerated, so exact: the order of the seeds does not matter, and the interval moves and mirrors with the values.
RC_GTEST_PROP(BcaMeanIntervalProperty, FollowsOrderShiftAndSign, ()) {
  std::vector<double> values = *AnyPerformances();
  values.resize(std::min<std::size_t>(values.size(), 5));
  const MeanInterval interval = BcaMeanInterval(values).value();

  std::vector<double> reversed(values.rbegin(), values.rend());
  RC_ASSERT(std::abs(BcaMeanInterval(reversed).value().ci_low - interval.ci_low) < 1e-9);

  std::vector<double> moved, mirrored;
  for (double value : values) moved.push_back(value + 3);
  for (double value : values) mirrored.push_back(-value);
  RC_ASSERT(std::abs(BcaMeanInterval(moved).value().ci_low - 3 - interval.ci_low) < 1e-9);
  RC_ASSERT(std::abs(BcaMeanInterval(mirrored).value().ci_low + interval.ci_high) < 1e-9);
}

}  // namespace
}  // namespace roar::faithfulness
