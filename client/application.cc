#include "client/application.h"

#include <csignal>

#include "absl/strings/str_split.h"
#include "client/command_line.h"
#include "proto/transport/channel.h"

namespace roar {
namespace {

// A line per problem; most errors have one.
ExitCode Fail(const output::Output& output, const absl::Status& status) {
  for (const absl::string_view line : absl::StrSplit(status.message(), '\n')) output.Error(std::string(line));
  return ExitCodeOf(status);
}

absl::StatusOr<ExitCode> Act(const CommandLine& line, const output::Output& output) {
  const absl::StatusOr<Target> target = TargetOf(line.options);
  if (!target.ok() && line.command->needs_coordinator) return target.status();
  return line.act(
      {.target = target.ok() ? *target : Target(), .output = output, .repeated_options = Repeated(line.options)});
}

}  // namespace

ExitCode RunApplication(int argument_count, char** arguments) {
  std::signal(SIGPIPE, SIG_DFL);
  SilenceGrpcLog();
  output::OpenMissingStandardStreams();
  const absl::StatusOr<CommandLine> line = ParseCommandLine(argument_count, arguments);
  if (!line.ok()) return Fail(output::Output(false), line.status());
  const output::Output output(line->options.is_json);
  if (line->text) {
    output.Print(*line->text);
    return ExitCode::kOk;
  }
  const absl::StatusOr<ExitCode> outcome = Act(*line, output);
  return outcome.ok() ? *outcome : Fail(output, outcome.status());
}

}  // namespace roar
