#include <filesystem>

#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/reference/man.h"
#include "client/reference/markdown.h"
#include "client/reference/sweep_file_reference.h"
#include "proto/transport/durable_file.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Prints the reference of all commands, or of the keys of a sweep file, as Markdown; or writes a man page for each "
    "command and one for the sweep file into a folder. They say what the help of this version says.";

struct ReferenceOptions {
  std::string what;
  std::string folder;
};

absl::StatusOr<ExitCode> WriteManPages(const CommandContext& context, const std::string& folder) {
  if (folder.empty()) {
    return absl::InvalidArgumentError("man pages are files: say where to write them, with --into DIR");
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return absl::InternalError(absl::StrCat(folder, ": ", error.message()));
  const std::vector<reference::ManPage> pages = reference::ManPages();
  for (const reference::ManPage& page : pages) {
    const std::string path = std::filesystem::path(folder) / page.file_name;
    if (absl::Status status = WriteFileDurably(path, page.text); !status.ok()) return status;
  }
  context.output.Print(absl::StrCat(pages.size(), " man pages in ", folder, "\n"));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Reference(const CommandContext& context, const ReferenceOptions& options) {
  if (options.what == "man") return WriteManPages(context, options.folder);
  context.output.Print(options.what == "sweep-file" ? reference::SweepFileTable() : reference::CommandReference());
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto options = std::make_shared<ReferenceOptions>();
  OneOf(app.add_option("WHAT", options->what, "What to print or write"), {"commands", "sweep-file", "man"})->required();
  app.add_option("--into", options->folder, "Folder for the man pages")->type_name("DIR");
  return [options](const CommandContext& context) { return Reference(context, *options); };
}

}  // namespace

Command ReferenceCommand() {
  return {.name = "reference",
          .summary = "Print the reference of commands or sweep file, or man pages",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kProgram,
          .examples = {{"roar reference sweep-file | less", "every key of a sweep file"},
                       {"roar reference commands | less", ""},
                       {"roar reference man --into ~/.local/share/man/man1", "then: man roar-run"}},
          .related = {"completion"},
          .needs_coordinator = false};
}

}  // namespace roar
