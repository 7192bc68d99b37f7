#include <filesystem>

#include "client/commands/commands.h"
#include "client/output/report.h"
#include "client/sweep_selector.h"
#include "client/sweep_settings.h"
#include "client/sweep_submission.h"
#include "proto/convert.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Cells with their points, running jobs, and what failed with its reason.\n"
    "With --config, every setting of each data set and model, and whether the sweep file, a preset or a default "
    "sets it; of a sweep file that need not have been submitted.";

absl::StatusOr<v1::SweepInfo> GetSweep(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<std::int64_t> id = FindSweep(*coordinator, selector);
  if (!id.ok()) return id.status();
  v1::GetSweepRequest request;
  request.set_sweep_id(*id);
  auto response = coordinator->Call<v1::SweepService>(&v1::SweepService::Stub::GetSweep, request);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_sweep());
}

absl::StatusOr<ExitCode> ShowState(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<v1::SweepInfo> sweep = GetSweep(context, selector);
  if (!sweep.ok()) return sweep.status();
  context.output.Result(output::SweepReport(*sweep), output::SweepJson(*sweep));
  return ExitCode::kOk;
}

// A sweep's name may look like a file's; what ends as a sweep file does, or is a file, is one.
bool IsFile(const std::string& text) {
  std::error_code error;
  return text.ends_with(".yaml") || text.ends_with(".yml") || std::filesystem::is_regular_file(text, error);
}

absl::StatusOr<SweepSpec> SpecOf(const CommandContext& context, const std::string& file_or_selector) {
  if (IsFile(file_or_selector)) {
    absl::StatusOr<SweepFile> file = LoadSweepFile(file_or_selector);
    if (!file.ok()) return file.status();
    return std::move(file->spec);
  }
  const absl::StatusOr<v1::SweepInfo> sweep = GetSweep(context, file_or_selector);
  if (!sweep.ok()) return sweep.status();
  return FromProto(sweep->spec());
}

absl::StatusOr<ExitCode> ShowConfiguration(const CommandContext& context, const std::string& file_or_selector) {
  const absl::StatusOr<SweepSpec> spec = SpecOf(context, file_or_selector);
  if (!spec.ok()) return spec.status();
  const std::vector<Configuration> configurations = ConfigurationsOf(*spec);
  context.output.Result(ConfigurationTable(configurations),
                        {{"name", spec->name}, {"configurations", ConfigurationsJson(configurations)}});
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  auto config = std::make_shared<bool>(false);
  app.add_flag("--config", *config, "Show the settings and where they come from; SWEEP may be a sweep file");
  return [sweep, config](const CommandContext& context) {
    return *config ? ShowConfiguration(context, *sweep) : ShowState(context, *sweep);
  };
}

}  // namespace

Command ShowCommand() {
  return {.name = "show",
          .summary = "Show where a sweep stands",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kSweeps,
          .examples = {{"roar show", "the newest sweep"},
                       {"roar show 3", ""},
                       {"roar show babi-1 --json", ""},
                       {"roar show --config sweep.yaml", "what would be trained with which settings"}},
          .related = {"watch", "results", "job list"},
          .schemas = {"sweep", "configurations"}};
}

}  // namespace roar
