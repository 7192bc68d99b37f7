#include "datasets/text/word_splitter.h"

#include <wctype.h>

#include <utility>

namespace roar::datasets {
namespace {

// The code point that `text` begins with, which is taken from it.
char32_t TakeCodePoint(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  char32_t point = length == 1 ? lead : lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
  text.remove_prefix(length);
  return point;
}

void AppendCodePoint(char32_t point, std::string& text) {
  if (point < 0x80) {
    text += static_cast<char>(point);
    return;
  }
  const int following = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xff00U >> (following + 1) & 0xffU) | point >> (6 * following));
  for (int shift = 6 * (following - 1); shift >= 0; shift -= 6) {
    text += static_cast<char>(0x80U | (point >> shift & 0x3fU));
  }
}

}  // namespace

absl::StatusOr<WordSplitter> WordSplitter::Create() {
  Locale locale(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr));
  if (locale == nullptr) {
    return absl::InternalError("this machine has no locale C.UTF-8, which tells letters from other signs; install it");
  }
  return WordSplitter(std::move(locale));
}

std::vector<std::string> WordSplitter::Split(std::string_view text) const {
  std::vector<std::string> words;
  bool is_inside = false;
  while (!text.empty()) {
    const char32_t point = TakeCodePoint(text);
    const bool is_word = point == U'_' || iswalnum_l(point, locale_.get()) != 0;
    if (is_word && !is_inside) words.emplace_back();
    if (is_word) AppendCodePoint(towlower_l(point, locale_.get()), words.back());
    is_inside = is_word;
  }
  return words;
}

}  // namespace roar::datasets
