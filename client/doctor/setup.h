#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "client/coordinator.h"
#include "client/doctor/finding.h"

// What is installed, and the coordinator that commands with these global options would talk to.

namespace roar::doctor {

// That the programs of `folder` are there, start, and are of this version.
std::vector<Finding> CheckPrograms(const std::filesystem::path& folder);

// The state folder (or where it would be made), the disk it is on, the access file, and the coordinator. Where there is
// state a coordinator is started for it, as by any other command, since it alone can tell whether the state is sound;
// nothing is made where there is none.
std::vector<Finding> CheckSetup(const Target& target);

Finding JudgeFreeDisk(std::int64_t free_bytes, const std::filesystem::path& folder);

}  // namespace roar::doctor
