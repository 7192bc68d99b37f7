#pragma once

#include <string>
#include <vector>

// What may stand at the end of an unfinished command line. The completion scripts of all shells ask this, so that they
// know what the program itself knows.

namespace roar::reference {

struct Candidate {
  std::string word;
  // One line, for shells that show it; may be empty.
  std::string description;
};

struct Candidates {
  // What the shell adds by itself.
  enum class Paths { kNone, kFiles, kFolders };
  Paths paths = Paths::kNone;
  std::vector<Candidate> words;
};

// `words` are those after the program's name up to the one at the cursor, which may be empty. Reads the table of
// commands and nothing else; a word that is not known there is taken for an argument.
Candidates CandidatesFor(const std::vector<std::string>& words);

// For the scripts: "files", "folders" or "words" in the first line, then a line per candidate: word, tab, description.
std::string CandidateLines(const Candidates& candidates);

}  // namespace roar::reference
