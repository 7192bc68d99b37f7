#include "datasets/importers/table_files.h"

#include <filesystem>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace roar::datasets {
namespace {

namespace fs = std::filesystem;

struct SplitName {
  std::string_view name;
  Split split;
  bool is_file_name;
};

constexpr SplitName kSplitNames[] = {
    {"train", Split::kTrain, true},    {"training", Split::kTrain, false},       {"dev", Split::kValidation, true},
    {"val", Split::kValidation, true}, {"validation", Split::kValidation, true}, {"valid", Split::kValidation, false},
    {"test", Split::kTest, true},      {"testing", Split::kTest, false},
};

struct Ending {
  std::string text;
  const TableFormat* format;
};

std::vector<Ending> Endings(const TableFormat* only) {
  if (only != nullptr) return {{absl::StrCat(".", std::string(only->name)), only}, {".txt", only}};
  return {{".tsv", FindTableFormat("tsv")}, {".csv", FindTableFormat("csv")}, {".jsonl", FindTableFormat("jsonl")}};
}

bool IsFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The one file of a split in a folder, nothing when there is none.
absl::StatusOr<std::optional<TableFile>> FindSplit(const fs::path& folder, Split split, const TableFormat* only) {
  std::optional<TableFile> found;
  for (const SplitName& name : kSplitNames) {
    if (name.split != split || !name.is_file_name) continue;
    for (const Ending& ending : Endings(only)) {
      for (const char* compression : {"", ".gz"}) {
        const fs::path path = folder / absl::StrCat(std::string(name.name), ending.text, compression);
        if (!IsFile(path)) continue;
        if (found.has_value()) {
          return absl::InvalidArgumentError(
              absl::StrCat("both ", found->path, " and ", path.string(), " could be meant; remove one"));
        }
        found = TableFile{.path = path.string(), .format = ending.format, .split = split};
      }
    }
  }
  return found;
}

absl::StatusOr<std::vector<TableFile>> FindInFolder(const fs::path& folder, const TableFormat* only) {
  std::vector<TableFile> files;
  for (const Split split : kAllSplits) {
    auto file = FindSplit(folder, split, only);
    if (!file.ok()) return file.status();
    if (file->has_value()) {
      files.push_back(**std::move(file));
    } else if (split != Split::kValidation) {
      const std::string endings =
          only != nullptr ? absl::StrCat(std::string(only->name), " or .txt") : std::string("tsv, .csv or .jsonl");
      return absl::NotFoundError(absl::StrCat((folder / std::string(Name(split))).string(), ".", endings,
                                              ", plain or .gz, is missing; a data set is a folder with train and test, "
                                              "or one file with a split column"));
    }
  }
  return files;
}

absl::StatusOr<std::vector<TableFile>> FindSingle(const std::string& path, const TableFormat* only) {
  if (only != nullptr) return std::vector<TableFile>{{.path = path, .format = only}};
  const std::string name = path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
  for (const Ending& ending : Endings(nullptr)) {
    if (name.ends_with(ending.text)) return std::vector<TableFile>{{.path = path, .format = ending.format}};
  }
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": the name does not end with a format; give --format, one of ", TableFormatNames()));
}

}  // namespace

std::optional<Split> SplitFromUsualName(std::string_view name) {
  const std::string lower = absl::AsciiStrToLower(std::string(name));
  for (const SplitName& row : kSplitNames) {
    if (row.name == lower) return row.split;
  }
  return std::nullopt;
}

absl::StatusOr<std::vector<TableFile>> FindTableFiles(const std::string& path, const std::string& format_name) {
  const TableFormat* only = format_name.empty() ? nullptr : FindTableFormat(format_name);
  if (only == nullptr && !format_name.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no format ", Quoted(format_name), "; there are: ", TableFormatNames()));
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    const std::string reason = status.type() == fs::file_type::none ? error.message() : "no such file or folder";
    return absl::NotFoundError(absl::StrCat(path, ": ", reason));
  }
  if (fs::is_directory(status)) return FindInFolder(path, only);
  if (fs::is_regular_file(status)) return FindSingle(path, only);
  return absl::InvalidArgumentError(absl::StrCat(path, ": neither a file nor a folder"));
}

}  // namespace roar::datasets
