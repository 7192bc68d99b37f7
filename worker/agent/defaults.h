#pragma once

#include <filesystem>
#include <string>

// What a worker is given by its surroundings when its user says nothing.

namespace roar::agent {

// Whether the coordinator takes it as a worker's name: letters, digits, '.', '_' and '-', at least one.
bool IsWorkerName(const std::string& name);

// The host's name, with '-' for what a worker's name may not hold.
std::string DefaultWorkerName();

// $XDG_CACHE_HOME/roar, or $HOME/.cache/roar, or a folder of this user's in the temporary folder.
std::filesystem::path DefaultCacheFolder();

// `program` in the folder of the running program.
std::filesystem::path BesideThisProgram(const std::string& program);

}  // namespace roar::agent
