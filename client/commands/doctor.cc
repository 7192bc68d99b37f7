#include "client/commands/commands.h"
#include "client/doctor/finding.h"
#include "client/doctor/machine.h"
#include "client/doctor/setup.h"
#include "client/state_folder.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Looks at what Roar needs here, and says of each whether it is ok, a warning (works, but worse or in part) or a "
    "problem, with what to do: the state folder and its disk, the access file and the coordinator, the programs, "
    "cores, "
    "memory, open files, the clock, gnuplot.\n"
    "Where there is state, a coordinator is started for it, as by any other command; where there is none, nothing is "
    "made.";

absl::StatusOr<ExitCode> Examine(const CommandContext& context) {
  std::vector<doctor::Finding> findings = doctor::CheckSetup(context.target);
  for (auto& more :
       {doctor::CheckPrograms(SiblingProgram("roard").parent_path()), doctor::JudgeMachine(doctor::MeasureMachine())}) {
    findings.insert(findings.end(), more.begin(), more.end());
  }
  context.output.Result(doctor::FindingsReport(findings), doctor::FindingsJson(findings));
  return doctor::WorstOf(findings) == doctor::Verdict::kProblem ? ExitCode::kThisMachine : ExitCode::kOk;
}

}  // namespace

Command DoctorCommand() {
  return {
      .name = "doctor",
      .summary = "Check this machine and setup, with remedies",
      .details = kDetails,
      .define = [](CLI::App&) -> CommandAct { return Examine; },
      .topic = Topic::kProgram,
      .examples = {{"roar doctor", ""},
                   {"roar doctor --access access.json", "whether the coordinator elsewhere can be reached from here"},
                   {"roar doctor --json | jq '.checks[] | select(.verdict != \"ok\")'", "what is wrong, for a script"}},
      .related = {"server info", "worker list"},
      .exit_codes = {{ExitCode::kThisMachine, "there is a problem; warnings alone are 0"}},
      .schemas = {"doctor"},
      .needs_coordinator = false};
}

}  // namespace roar
