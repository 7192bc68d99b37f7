#pragma once

#include "client/commands/command.h"

// Every command; each is in the file of its name.

namespace roar {

Command RunCommand();
Command SubmitCommand();
Command ListCommand();
Command ShowCommand();
Command WatchCommand();
Command WaitCommand();
Command CancelCommand();
Command ResultsCommand();
Command CurvesCommand();
Command RacuCommand();
Command ExportCommand();
Command ImportCommand();
Command DataImportCommand();
Command DataListCommand();
Command DataShowCommand();
Command WorkerListCommand();
Command JobListCommand();
Command JobShowCommand();
Command ServerStartCommand();
Command ServerStopCommand();
Command ServerInfoCommand();
Command DoctorCommand();
Command CompletionCommand();
Command ReferenceCommand();

}  // namespace roar
