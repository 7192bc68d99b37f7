#include "client/commands/commands.h"
#include "client/reference/candidates.h"
#include "client/reference/completion_scripts.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Prints a script that makes the shell complete commands, options, their values and file names. Put its line into "
    "the shell's start file.\n"
    "The scripts ask the program what may come next, by roar completion words -- WORD...; they know the commands of "
    "the "
    "version that is installed.";

// The word of the scripts; no shell.
constexpr char kWords[] = "words";

struct CompletionOptions {
  std::string shell;
  std::vector<std::string> words;
};

absl::StatusOr<ExitCode> Complete(const CommandContext& context, const CompletionOptions& options) {
  context.output.Print(options.shell == kWords ? reference::CandidateLines(reference::CandidatesFor(options.words))
                                               : reference::CompletionScript(options.shell));
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto options = std::make_shared<CompletionOptions>();
  std::vector<std::string> shells = reference::CompletionShells();
  shells.push_back(kWords);
  OneOf(app.add_option("SHELL", options->shell, "Shell, or what the scripts ask"), shells)->required();
  app.add_option("WORD", options->words, "After words: the words of a line after roar, up to the cursor");
  return [options](const CommandContext& context) { return Complete(context, *options); };
}

}  // namespace

Command CompletionCommand() {
  return {.name = "completion",
          .summary = "Print a script that makes a shell complete roar",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kProgram,
          .examples = {{"source <(roar completion bash)", "in ~/.bashrc"},
                       {"source <(roar completion zsh)", "in ~/.zshrc, after compinit"},
                       {"roar completion fish | source", "in ~/.config/fish/config.fish"}},
          .related = {"reference"},
          .needs_coordinator = false};
}

}  // namespace roar
