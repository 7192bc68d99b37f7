#include <filesystem>

#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/reference/man.h"
#include "client/reference/markdown.h"
#include "proto/transport/durable_file.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Prints the reference of all commands as Markdown, or writes a man page for each into a folder. Both say what the "
    "help of this version says.";

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
  context.output.Print(reference::CommandReference());
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto options = std::make_shared<ReferenceOptions>();
  OneOf(app.add_option("WHAT", options->what, "What to print or write"), {"commands", "man"})->required();
  app.add_option("--into", options->folder, "Folder for the man pages")->type_name("DIR");
  return [options](const CommandContext& context) { return Reference(context, *options); };
}

}  // namespace

Command ReferenceCommand() {
  return {.name = "reference",
          .summary = "Print the reference of all commands, or man pages",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kProgram,
          .examples = {{"roar reference commands | less", ""},
                       {"roar reference man --into ~/.local/share/man/man1", "then: man roar-run"}},
          .related = {"completion"},
          .needs_coordinator = false};
}

}  // namespace roar
