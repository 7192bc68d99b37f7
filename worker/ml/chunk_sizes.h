#pragma once

#include <cstddef>
#include <cstdint>

// How many texts are worked on together. Part of what a score or a loss is: texts of another batch have other last
// bits. Who changes one of these bumps the version of the job kinds (core/experiment/job_key.cc).

namespace roar::ml {

inline constexpr std::size_t kMostTextsEvaluated = 64;
// The chunk of an explanation, of which shards are made.
inline constexpr std::size_t kMostTextsExplained = 32;
// Of a chunk, by integrated gradient: a few texts at all steps make a batch of a size at which the recurrence's
// products are fast and its memory stays in the cache; a long text is read at some of the steps at a time.
inline constexpr std::size_t kMostTextsIntegrated = 4;
// What the memory of a batch may grow to, in tokens; at 128 units each takes about 10 KB.
inline constexpr std::int64_t kMostTokensAtOnce = 16'384;

}  // namespace roar::ml
