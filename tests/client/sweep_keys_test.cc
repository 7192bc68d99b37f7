#include "client/sweep_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/reference/sweep_file_reference.h"
#include "client/sweep_file.h"
#include "proto/transport/durable_file.h"
#include "tests/support/run_roar.h"

namespace roar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kSmallest[] = "datasets: [babi-gen-1]\nmeasures: [integrated_gradient]\n";

// The smallest sweep file with a key of a mapping set to `value`, at line 3 or, in place of one of its own, above.
std::string FileWith(SweepMapping mapping, const std::string& name, const std::string& value) {
  const std::string entry = absl::StrCat(name, ": ", value);
  switch (mapping) {
    case SweepMapping::kSweep:
      if (name == "datasets") return absl::StrCat("measures: [attention]\n", entry, "\n");
      if (name == "measures") return absl::StrCat("datasets: [babi-gen-1]\n", entry, "\n");
      return absl::StrCat(kSmallest, entry, "\n");
    case SweepMapping::kRange: {
      std::string range;
      for (const std::string bound : {"from", "to", "step"}) {
        absl::StrAppend(&range, range.empty() ? "" : ", ", bound == name ? entry : absl::StrCat(bound, ": 5"));
      }
      return absl::StrCat(kSmallest, "ratios: {", range, "}\n");
    }
    case SweepMapping::kTraining:
      return absl::StrCat(kSmallest, "training: {", entry, "}\n");
    case SweepMapping::kData:
      return absl::StrCat(kSmallest, "data:\n  babi-gen-1: {", entry, "}\n");
  }
  return "";
}

template <typename Visit>
void ForEveryKey(Visit visit) {
  for (const SweepSection& section : SweepSections()) {
    for (const SweepFileKey& key : section.keys) {
      SCOPED_TRACE(absl::StrCat(section.prefix, key.name));
      visit(section.mapping, key);
    }
  }
}

// What the parser does not read it cannot refuse.
TEST(SweepKeysTest, EveryKeyOfTheTableIsRead) {
  ForEveryKey([](SweepMapping mapping, const SweepFileKey& key) {
    const SweepFileReading reading = ParseSweepFile(FileWith(mapping, key.name, "[[]]"), "default");
    ASSERT_THAT(reading.problems, Not(IsEmpty()));
    for (const LineProblem& problem : reading.problems) EXPECT_THAT(problem.message, Not(HasSubstr("unknown key")));
  });
}

TEST(SweepKeysTest, NoOtherKeyIsRead) {
  for (const SweepSection& section : SweepSections()) {
    const SweepFileReading reading = ParseSweepFile(FileWith(section.mapping, "surprise", "1"), "default");
    bool is_told = false;
    for (const LineProblem& problem : reading.problems) {
      is_told |= problem.message.find("unknown key \"surprise\"") != std::string::npos;
    }
    EXPECT_TRUE(is_told || section.mapping == SweepMapping::kRange) << section.prefix;
  }
  EXPECT_THAT(ParseSweepFile(absl::StrCat(kSmallest, "ratios: {from: 1, to: 9, step: 1, by: 2}\n"), "default").problems,
              ElementsAre(testing::Field(&LineProblem::message, HasSubstr("unknown key \"by\""))));
}

TEST(SweepKeysTest, AKeyAtItsDefaultChangesNothing) {
  const SweepSpec without = ParseSweepFile(kSmallest, "default").file.spec;
  int compared = 0;
  ForEveryKey([&](SweepMapping mapping, const SweepFileKey& key) {
    if (key.default_value.empty()) {
      EXPECT_THAT(key.otherwise, Not(IsEmpty()));
      return;
    }
    if (mapping != SweepMapping::kSweep) return;
    ++compared;
    const SweepFileReading reading = ParseSweepFile(FileWith(mapping, key.name, key.default_value), "default");
    EXPECT_THAT(reading.problems, IsEmpty());
    SweepSpec with = reading.file.spec;
    // Whether it is written is kept, so that `show --config` can say so; what it means is the same.
    if (key.name == "ig_variant") {
      EXPECT_EQ(with.ig_variant, key.default_value);
      with.ig_variant.reset();
    }
    EXPECT_EQ(with, without);
  });
  EXPECT_GE(compared, 5);
}

TEST(SweepKeysTest, EveryNameOfAListIsTakenAndAnotherIsNot) {
  ForEveryKey([](SweepMapping mapping, const SweepFileKey& key) {
    for (const std::string& value : key.values) {
      EXPECT_THAT(ParseSweepFile(FileWith(mapping, key.name, value), "default").problems, IsEmpty()) << value;
    }
    if (key.values.empty()) return;
    EXPECT_THAT(ParseSweepFile(FileWith(mapping, key.name, "no_such_name"), "default").problems, Not(IsEmpty()));
  });
}

TEST(SweepKeysTest, TheTableOfTheDocumentIsTheOneThatIsMade) {
  const auto document = ReadFile(std::filesystem::path(ROAR_SOURCE_DIR) / "docs/sweep-file.md");
  ASSERT_TRUE(document.ok());
  const bool has_table = document->find(absl::StrCat("\n", reference::SweepFileTable(), "\n")) != std::string::npos;
  EXPECT_TRUE(has_table) << "put what `roar reference sweep-file` prints in place of the table of docs/sweep-file.md";
  EXPECT_EQ(RunRoar({"reference", "sweep-file"}).output, reference::SweepFileTable());
}

}  // namespace
}  // namespace roar
