#include <filesystem>

#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/dataset_publisher.h"
#include "client/output/report.h"
#include "client/output/table.h"
#include "datasets/generators/generators.h"
#include "datasets/importers/importers.h"
#include "datasets/importers/own_table.h"

namespace roar {
namespace {

struct ImportOptions {
  std::string name;
  std::string path;
  bool replaces = false;
  datasets::OwnTableOptions table;
};

std::string Details() {
  std::string text =
      "Reads a data set from where it was unpacked, checks it as a whole, and uploads it. NAME and PATH are:\n";
  for (const datasets::Importer& importer : datasets::Importers()) {
    absl::StrAppend(&text, "  ", std::string(importer.name), ": ", std::string(importer.path_description), "\n");
  }
  return absl::StrCat(
      text,
      "  any other name: data of your own. PATH is a folder with train, dev (or val, validation; else 15 % of train is "
      "taken) and test, each .tsv, .csv or .jsonl, plain or .gz; or one such file with a split column\n"
      "The columns label, class, target or gold_label; text, sentence, sentence1, premise, review or document; text2, "
      "sentence2, hypothesis or question; split or partition are found by these names. Name others with the options, "
      "by "
      "the header, by the key, or without a header by numbers from 1.");
}

bool AreDefaults(const datasets::OwnTableOptions& table) {
  const datasets::ColumnNames& columns = table.columns;
  for (const std::string* option :
       {&table.format, &columns.label, &columns.text, &columns.second_text, &columns.split}) {
    if (!option->empty()) return false;
  }
  return true;
}

// The user's own data; what is not found may also be a known name misspelt.
absl::StatusOr<datasets::ImportedDataset> ReadOwn(const ImportOptions& options) {
  auto imported = datasets::ImportOwnTable(options.path, options.table);
  if (!absl::IsNotFound(imported.status())) return imported;
  std::vector<std::string_view> known;
  for (const datasets::Importer& importer : datasets::Importers()) known.push_back(importer.name);
  const auto nearest = NearestName(options.name, known);
  if (!nearest) return imported;
  return absl::NotFoundError(
      absl::StrCat(std::string(imported.status().message()), "; or is the name to be ", *nearest, "?"));
}

absl::StatusOr<datasets::ImportedDataset> Read(const ImportOptions& options) {
  if (datasets::FindGenerator(options.name) != nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.name, " is made by the program itself when a sweep names it; choose another name"));
  }
  const datasets::Importer* importer = datasets::FindImporter(options.name);
  if (importer == nullptr) return ReadOwn(options);
  if (AreDefaults(options.table)) return importer->import_from(options.path);
  return absl::InvalidArgumentError(
      absl::StrCat(options.name,
                   " is read in its published form, without --format and column options; call your own data "
                   "something else"));
}

std::string Report(const v1::DatasetInfo& info, const std::vector<std::string>& remarks) {
  std::string text = output::DatasetReport(info);
  for (const std::string& remark : remarks) absl::StrAppend(&text, "\n", output::Printable(remark));
  return absl::StrCat(text, remarks.empty() ? "" : "\n");
}

absl::StatusOr<ExitCode> Import(const CommandContext& context, const ImportOptions& options) {
  absl::StatusOr<datasets::ImportedDataset> imported = Read(options);
  if (!imported.ok()) return imported.status();
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const std::string folder = std::filesystem::path(options.path).lexically_normal().string();
  const auto info =
      PublishDataset(*coordinator, {options.name, absl::StrCat("imported from ", folder), std::move(imported->dataset)},
                     options.replaces ? ExistingName::kReplace : ExistingName::kRefuse);
  if (absl::IsAlreadyExists(info.status())) {
    return absl::AlreadyExistsError(absl::StrCat(
        "data set ", options.name, " stands for other content; to put this one in its place, add --replace"));
  }
  if (!info.ok()) return info.status();
  output::Json json = output::DatasetJson(*info);
  json["remarks"] = imported->remarks;
  context.output.Result(Report(*info, imported->remarks), json);
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto options = std::make_shared<ImportOptions>();
  std::string names;
  for (const datasets::Importer& importer : datasets::Importers()) {
    absl::StrAppend(&names, std::string(importer.name), "|");
  }
  app.add_option("NAME", options->name, "The data set's name in sweeps, such as babi-1")
      ->required()
      ->type_name(names + "NAME");
  app.add_option("PATH", options->path, "File or folder to read")->required();
  app.add_flag("--replace", options->replaces, "The name stands for this content from now on");
  datasets::OwnTableOptions& table = options->table;
  app.add_option("--format", table.format, "What the files are, where their names do not say it")
      ->type_name("tsv|csv|jsonl");
  app.add_option("--label", table.columns.label, "Column of the class")->type_name("COLUMN");
  app.add_option("--text", table.columns.text, "Column of the text that is masked")->type_name("COLUMN");
  app.add_option("--second-text", table.columns.second_text, "Column of the text beside it that stays whole")
      ->type_name("COLUMN");
  app.add_option("--split", table.columns.split, "Column with train, dev or test, when PATH is one file")
      ->type_name("COLUMN");
  return [options](const CommandContext& context) { return Import(context, *options); };
}

}  // namespace

Command DataImportCommand() {
  return {
      .group = "data",
      .name = "import",
      .summary = "Import a data set",
      .details = Details(),
      .define = Define,
      .topic = Topic::kData,
      .examples = {{"roar data import babi-1 ~/tasks_1-20_v1-2", ""},
                   {"roar data import reviews ~/reviews --label stars --text body", "a folder with files of your own"},
                   {"roar data import reviews reviews.csv --split part --replace",
                    "one file, in place of what the name stood for"}},
      .related = {"data show", "data list", "run"},
      .exit_codes = {{ExitCode::kConflict, "the name stands for other content; give --replace"}},
      .schemas = {"dataset_import"}};
}

}  // namespace roar
