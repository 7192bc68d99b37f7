#include <filesystem>

#include "absl/strings/str_cat.h"
#include "client/bundle_export.h"
#include "client/commands/commands.h"
#include "client/output/format.h"
#include "client/sweep_selector.h"
#include "core/experiment/job_spec.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Writes what has succeeded of a sweep into one file, a bundle: results with where they came from, rankings, "
    "and the checkpoints that unfinished jobs of the sweep still read. Take it to another coordinator with roar "
    "import; a sweep that is submitted there finds the results.\n"
    "The data sets do not travel: import them there too before the sweep is submitted.";

struct ExportOptions {
  std::string file;
  bool overwrites = false;
  bool takes_all_checkpoints = false;
};

absl::Status CheckFree(const ExportOptions& options) {
  std::error_code ignored;
  if (options.overwrites || !std::filesystem::exists(options.file, ignored)) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(options.file, " exists; to put this bundle in its place, add --force"));
}

std::string Summary(const ExportOptions& options, const ExportedBundle& bundle) {
  return absl::StrCat("export: ", bundle.trainings + bundle.explanations, " results (", bundle.trainings,
                      " trainings, ", bundle.explanations, " explanations), ", bundle.rankings, " rankings, ",
                      bundle.checkpoints, " checkpoints, ", output::FileSize(bundle.file_bytes), " in ", options.file,
                      "\n");
}

absl::StatusOr<ExitCode> Export(const CommandContext& context, const std::string& selector,
                                const ExportOptions& options) {
  if (absl::Status free = CheckFree(options); !free.ok()) return free;
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<std::int64_t> id = FindSweep(*coordinator, selector);
  if (!id.ok()) return id.status();
  const auto checkpoints = options.takes_all_checkpoints ? CheckpointChoice::kAll : CheckpointChoice::kStillRead;
  const absl::StatusOr<ExportedBundle> bundle = ExportBundle(*coordinator, *id, options.file, checkpoints);
  if (!bundle.ok()) return bundle.status();
  for (const std::string& key : bundle->without_checkpoint) {
    context.output.Note(absl::StrCat("note: the checkpoint of training ", JobKey(key).Short(),
                                     " is not here, as its result was imported without it"));
  }
  context.output.Result(Summary(options, *bundle), {{"file", options.file},
                                                    {"results", bundle->trainings + bundle->explanations},
                                                    {"trainings", bundle->trainings},
                                                    {"explanations", bundle->explanations},
                                                    {"rankings", bundle->rankings},
                                                    {"checkpoints", bundle->checkpoints},
                                                    {"without_checkpoint", bundle->without_checkpoint},
                                                    {"bytes", bundle->file_bytes}});
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  auto options = std::make_shared<ExportOptions>();
  app.add_option("--bundle", options->file, "File to write")->required()->type_name("FILE");
  app.add_flag("--force", options->overwrites, "Replace an existing file");
  app.add_flag("--all-checkpoints", options->takes_all_checkpoints, "Take the models of all trainings along");
  return [sweep, options](const CommandContext& context) { return Export(context, *sweep, *options); };
}

}  // namespace

Command ExportCommand() {
  return {.name = "export",
          .summary = "Write finished results into a file for another coordinator",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kResults,
          .examples = {{"roar export --bundle monday.roar", "the newest sweep"},
                       {"roar export 3 --bundle monday.roar --force", "in place of the file that is there"},
                       {"roar export --bundle all.roar --all-checkpoints",
                        "to explain these models by other measures elsewhere"}},
          .related = {"import", "results"},
          .exit_codes = {{ExitCode::kConflict, "the file exists; give --force to replace it"}},
          .schemas = {"bundle_export"}};
}

}  // namespace roar
