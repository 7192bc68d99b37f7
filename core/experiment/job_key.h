#pragma once

#include <string>

#include "core/experiment/job_spec.h"

namespace roar {

// The canonical text of a spec: `kind/version`, then one `field=value` a line in a fixed order. A field at its default
// is left out, so a field added later changes no old key. Values are numbers in their shortest exact form, table names
// and hashes, so nothing needs quoting. A mask of 0 (per cent or tokens) reads as none and one of 100 % as all, since
// they are the same work for every measure and seed.
std::string CanonicalSpec(const JobSpec& spec);

// SHA-256 of the canonical text.
JobKey KeyOf(const JobSpec& spec);

// The versions of the kinds of jobs that sweeps are planned of: what other versions planned has other keys.
std::string JobVersions();

// The mask with amount 0 turned into NoMask and 100 % into AllMasked.
Mask Normalized(const Mask& mask);

}  // namespace roar
