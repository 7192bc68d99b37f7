#pragma once

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"

// Where things of this machine are.

namespace roar {

// $XDG_STATE_HOME/roar, else $HOME/.local/state/roar. InvalidArgument when neither variable is set.
absl::StatusOr<std::filesystem::path> DefaultStateFolder();

// The access file that the coordinator of a state folder writes.
std::filesystem::path AccessFileOf(const std::filesystem::path& state_folder);

// Where a program that was started for a state folder writes its log.
std::filesystem::path LogFileOf(const std::filesystem::path& state_folder, const std::string& program);

// Makes the folder and that of its logs, for the user only.
absl::Status MakeStateFolder(const std::filesystem::path& state_folder);

// A program of the project: it lies beside this one.
std::filesystem::path SiblingProgram(const std::string& name);

}  // namespace roar
