#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "datasets/dataset.h"

// Reads an example's words back into what happened, knowing nothing of how they were made: for real and generated data.

namespace roar::datasets {

struct ReadStatement {
  std::string actor;
  // "move", "grab" or "drop".
  std::string action;
  // The place of a move, the object of a grab or drop.
  std::string noun;
  // "went back to", "picked up", ...
  std::string verb;
  bool there = false;
  // Words, and the position of the first one in the story.
  std::size_t words = 0;
  std::size_t first_token = 0;
};

// Throws std::runtime_error at words that no statement of tasks 1 to 3 has.
std::vector<ReadStatement> ReadStory(const std::vector<std::string>& tokens);

// The slow twin: replays the statements from the start and answers; "" when they do not tell.
std::string AnswerByReplay(const std::vector<ReadStatement>& statements, const std::vector<std::string>& question);

// The statements that the evidence covers, as positions; throws when it covers one only in part, or other tokens.
std::vector<std::size_t> EvidenceStatements(const Example& example, const std::vector<ReadStatement>& statements);

}  // namespace roar::datasets
