#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "client/coordinator.h"

namespace roar {

// Options that every command takes, before or after its name.
struct GlobalOptions {
  std::string state_folder;
  std::string access_file;
  std::string server_address;
  bool is_json = false;
};

// `options` must outlive the app.
void AddGlobalOptions(CLI::App& app, GlobalOptions& options);

// InvalidArgument: an address that is none, or no folder for a state.
absl::StatusOr<Target> TargetOf(const GlobalOptions& options);

// As they were given, to be repeated in hints: "" or " --state DIR".
std::string Repeated(const GlobalOptions& options);

}  // namespace roar
