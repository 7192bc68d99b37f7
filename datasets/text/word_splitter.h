#pragma once

#include <locale.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "absl/status/statusor.h"

namespace roar::datasets {

// The one rule by which running text becomes tokens: lower case; a token is a longest run of word characters, and all
// else only separates. Word characters are `_` and the letters and digits of the C library's Unicode tables (locale
// C.UTF-8, whatever the user's own): so an apostrophe, a hyphen, a no-break space and an emoji separate, and an é does
// not. Python's \w says the same, but for a few signs like ½.
class WordSplitter {
 public:
  // Internal when this machine lacks the locale, which every Debian has.
  static absl::StatusOr<WordSplitter> Create();

  // `text` is UTF-8, checked before. NUL is a separator like any other.
  std::vector<std::string> Split(std::string_view text) const;

 private:
  struct FreeLocale {
    void operator()(locale_t locale) const { freelocale(locale); }
  };
  using Locale = std::unique_ptr<std::remove_pointer_t<locale_t>, FreeLocale>;

  explicit WordSplitter(Locale locale) : locale_(std::move(locale)) {}

  Locale locale_;
};

}  // namespace roar::datasets
