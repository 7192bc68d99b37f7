#include "client/reference/sweep_file_reference.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace roar::reference {

std::string KindOf(const SweepFileKey& key) {
  return key.values.empty() ? key.type : absl::StrCat(key.type, ": ", absl::StrJoin(key.values, ", "));
}

std::string DefaultOf(const SweepFileKey& key) { return key.default_value.empty() ? key.otherwise : key.default_value; }

std::string SweepFileTable() {
  std::string text =
      "<!-- Made by `roar reference sweep-file`; to change it, change client/sweep_keys.cc. -->\n"
      "| key | value | default | what it says |\n|---|---|---|---|\n";
  for (const SweepSection& section : SweepSections()) {
    for (const SweepFileKey& key : section.keys) {
      const auto code = [](std::string* out, const std::string& value) { absl::StrAppend(out, "`", value, "`"); };
      const std::string values = key.values.empty() ? "" : absl::StrCat(": ", absl::StrJoin(key.values, ", ", code));
      const std::string quote = key.default_value.empty() ? "" : "`";
      absl::StrAppend(&text, "| `", section.prefix, key.name, "` | ", key.type, values, " | ", quote, DefaultOf(key),
                      quote, " | ", key.meaning, " |\n");
    }
  }
  return text;
}

}  // namespace roar::reference
