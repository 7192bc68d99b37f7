#include <filesystem>

#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/dataset_publisher.h"
#include "client/output/report.h"
#include "datasets/importers/importers.h"

namespace roar {
namespace {

struct ImportOptions {
  std::string name;
  std::string path;
  bool replaces = false;
};

std::string Details() {
  std::string text =
      "Reads a data set from where it was unpacked, checks it as a whole, and uploads it.\n\nNAME and PATH:\n";
  for (const datasets::Importer& importer : datasets::Importers()) {
    absl::StrAppend(&text, "  ", std::string(importer.name), ": ", std::string(importer.path_description), "\n");
  }
  return absl::StrCat(text,
                      "\nExamples:\n  roar data import babi-1 ~/tasks_1-20_v1-2\n"
                      "  roar data import babi-1 ~/tasks_1-20_v1-2 --replace");
}

absl::Status UnknownName(const std::string& name) {
  std::vector<std::string_view> known;
  std::string names;
  for (const datasets::Importer& importer : datasets::Importers()) {
    known.push_back(importer.name);
    absl::StrAppend(&names, names.empty() ? "" : ", ", std::string(importer.name));
  }
  const auto nearest = NearestName(name, known);
  return absl::InvalidArgumentError(
      absl::StrCat("no importer for \"", name, "\"; ",
                   nearest ? absl::StrCat("did you mean ", *nearest, "?") : absl::StrCat("there are: ", names)));
}

absl::StatusOr<ExitCode> Import(const CommandContext& context, const ImportOptions& options) {
  const datasets::Importer* importer = datasets::FindImporter(options.name);
  if (importer == nullptr) return UnknownName(options.name);
  absl::StatusOr<datasets::Dataset> dataset = importer->import_from(options.path);
  if (!dataset.ok()) return dataset.status();
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const std::string folder = std::filesystem::path(options.path).lexically_normal().string();
  const auto info =
      PublishDataset(*coordinator, {options.name, absl::StrCat("imported from ", folder), *std::move(dataset)},
                     options.replaces ? ExistingName::kReplace : ExistingName::kRefuse);
  if (absl::IsAlreadyExists(info.status())) {
    return absl::AlreadyExistsError(absl::StrCat(
        "data set ", options.name, " stands for other content; to put this one in its place, add --replace"));
  }
  if (!info.ok()) return info.status();
  context.output.Result(output::DatasetReport(*info), output::DatasetJson(*info));
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto options = std::make_shared<ImportOptions>();
  app.add_option("NAME", options->name, "The data set's name in sweeps, such as babi-1")->required();
  app.add_option("PATH", options->path, "File or folder to read")->required();
  app.add_flag("--replace", options->replaces, "The name stands for this content from now on");
  return [options](const CommandContext& context) { return Import(context, *options); };
}

}  // namespace

Command DataImportCommand() { return {"data", "import", "Import a data set", Details(), Define}; }

}  // namespace roar
