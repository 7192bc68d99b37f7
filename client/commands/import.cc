#include "absl/strings/str_cat.h"
#include "client/bundle_import.h"
#include "client/commands/commands.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Takes the results of a bundle that roar export wrote elsewhere. The whole file is checked first; of a "
    "damaged one nothing is taken. A job that has a result here keeps it: where the bundle's is different, that "
    "is said. A job that waits or runs here is finished by the import.\n"
    "The data sets must be imported here too, before or after, but before the sweep is submitted.";

output::Json ConflictsJson(const std::vector<BundleConflict>& conflicts) {
  output::Json list = output::Json::array();
  for (const BundleConflict& conflict : conflicts) {
    list.push_back({{"key", conflict.key}, {"description", conflict.description}, {"difference", conflict.difference}});
  }
  return list;
}

absl::StatusOr<ExitCode> Import(const CommandContext& context, const std::string& file) {
  const absl::StatusOr<BundleContent> content = CheckBundle(file);
  if (!content.ok()) return content.status();
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<ImportedBundle> imported = ImportBundle(*coordinator, file, *content);
  if (!imported.ok()) return imported.status();
  for (const BundleConflict& conflict : imported->conflicts) {
    context.output.Error(absl::StrCat("not imported: job ", conflict.key,
                                      conflict.description.empty() ? "" : absl::StrCat(" (", conflict.description, ")"),
                                      ": ", conflict.difference));
  }
  for (const std::string& note : imported->dataset_notes) context.output.Note(absl::StrCat("note: ", note));
  context.output.Result(absl::StrCat("import: ", imported->new_results, " results new, ", imported->known_results,
                                     " known, ", imported->conflicts.size(), " conflicts\n"),
                        {{"file", file},
                         {"new", imported->new_results},
                         {"known", imported->known_results},
                         {"conflicts", ConflictsJson(imported->conflicts)},
                         {"dataset_notes", imported->dataset_notes}});
  return imported->conflicts.empty() ? ExitCode::kOk : ExitCode::kConflict;
}

CommandAct Define(CLI::App& app) {
  auto file = std::make_shared<std::string>();
  app.add_option("--bundle", *file, "File to read")->required()->type_name("FILE");
  return [file](const CommandContext& context) { return Import(context, *file); };
}

}  // namespace

Command ImportCommand() {
  return {.name = "import",
          .summary = "Take finished results from a file of another coordinator",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kResults,
          .examples = {{"roar import --bundle monday.roar && roar submit sweep.yaml", ""}},
          .related = {"export", "data import", "submit"},
          .exit_codes = {{ExitCode::kConflict, "some results differ from those that are here, which stay"},
                         {ExitCode::kThisMachine, "the bundle is damaged"}},
          .schemas = {"bundle_import"}};
}

}  // namespace roar
