#include "datasets/text/word_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace roar::datasets {
namespace {

std::vector<std::string> Split(std::string_view text) { return WordSplitter::Create()->Split(text); }

TEST(WordSplitter, WordsAreRunsOfLettersDigitsAndUnderscores) {
  const std::pair<const char*, std::vector<std::string>> cases[] = {
      {"", {}},
      {" \t\r\n", {}},
      {"...", {}},
      {"Fine", {"fine"}},
      {"It's a well-made film, 3D!", {"it", "s", "a", "well", "made", "film", "3d"}},
      {"snake_case __x", {"snake_case", "__x"}},
      {"writer\\/director \\*\\*\\*", {"writer", "director"}},
      {"Cr\xc3\xa8me BR\xc3\x9bL\xc3\x89"
       "E",
       {"cr\xc3\xa8me",
        "br\xc3\xbbl\xc3\xa9"
        "e"}},
      {"\xd0\x9c\xd0\xb8\xd1\x80, \xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82\xe4\xb8\xad",
       {"\xd0\xbc\xd0\xb8\xd1\x80", "\xe4\xb8\xad\xe6\x96\x87", "\xe4\xb8\xad"}},
      // No-break and em space, zero-width space, curly quotes, an em dash, an emoji.
      {"a\xc2\xa0"
       "b\xe2\x80\x83"
       "c\xe2\x80\x8b"
       "d\xe2\x80\x9c"
       "e\xe2\x80\x9d"
       "f\xe2\x80\x94"
       "g\xf0\x9f\x8e\x89"
       "h",
       {"a", "b", "c", "d", "e", "f", "g", "h"}},
      // Letters of four bytes: MATHEMATICAL BOLD CAPITAL A has no lower case, DESERET CAPITAL LONG I has.
      {"\xf0\x9d\x90\x80 \xf0\x90\x90\x80", {"\xf0\x9d\x90\x80", "\xf0\x90\x90\xa8"}},
  };
  for (const auto& [text, words] : cases) EXPECT_EQ(Split(text), words) << text;
}

TEST(WordSplitter, NulSeparatesAndCutsNothing) {
  EXPECT_THAT(Split(std::string_view("a\0b", 3)), testing::ElementsAre("a", "b"));
}

}  // namespace
}  // namespace roar::datasets
