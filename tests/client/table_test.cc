#include "client/output/table.h"

#include <gtest/gtest.h>

#include "client/output/format.h"

namespace roar::output {
namespace {

TEST(TableTest, ColumnsAreAlignedAndLinesHaveNoBlanksAtTheirEnd) {
  Table table({{"NAME"}, {"JOBS", Table::Align::kRight}, {"STATE"}});
  table.AddRow({"quickstart", "7", "running"});
  table.AddRow({"a", "1234", ""});
  EXPECT_EQ(table.Render(),
            "NAME        JOBS  STATE\n"
            "quickstart     7  running\n"
            "a           1234\n");
}

TEST(TableTest, CharactersCountNotBytes) {
  Table table({{"A"}, {"B"}});
  table.AddRow({"é", "x"});
  table.AddRow({"ab", "y"});
  EXPECT_EQ(table.Render(), "A   B\né   x\nab  y\n");
}

TEST(TableTest, ControlCharactersDoNotReachTheTerminal) {
  Table table({{"REASON"}});
  table.AddRow({"\033[31mred\nline"});
  EXPECT_EQ(table.Render(), "REASON\n?[31mred?line\n");
}

TEST(FormatTest, PercentHasOneDecimal) {
  EXPECT_EQ(Percent(0), "0.0");
  EXPECT_EQ(Percent(1), "100.0");
  EXPECT_EQ(Percent(0.9734), "97.3");
  EXPECT_EQ(Percent(-0.254), "-25.4");
  EXPECT_EQ(Percent(-0.00001), "0.0");
}

TEST(FormatTest, AnIntervalIsShownWhereThereIsOne) {
  v1::MeanInterval interval;
  interval.set_mean(0.5);
  interval.set_ci_low(0.4);
  interval.set_ci_high(0.625);
  EXPECT_EQ(PercentWithInterval(interval), "50.0");
  interval.set_has_interval(true);
  EXPECT_EQ(PercentWithInterval(interval), "50.0 [40.0, 62.5]");
}

TEST(FormatTest, DurationsAreInWords) {
  EXPECT_EQ(Duration(-3), "0 s");
  EXPECT_EQ(Duration(59.4), "59 s");
  EXPECT_EQ(Duration(60), "1 min");
  EXPECT_EQ(Duration(3599), "1 h 0 min");
  EXPECT_EQ(Duration(7800), "2 h 10 min");
}

TEST(FormatTest, TimesAreUtc) {
  EXPECT_EQ(UtcTime(0), "-");
  EXPECT_EQ(UtcTime(1735689600), "2025-01-01 00:00:00Z");
}

}  // namespace
}  // namespace roar::output
