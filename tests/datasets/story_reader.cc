#include "tests/datasets/story_reader.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace roar::datasets {
namespace {

const std::map<std::string, std::string>& Actions() {
  static const std::map<std::string, std::string> actions = {
      {"moved to", "move"},     {"went to", "move"},   {"went back to", "move"}, {"journeyed to", "move"},
      {"travelled to", "move"}, {"got", "grab"},       {"grabbed", "grab"},      {"took", "grab"},
      {"picked up", "grab"},    {"discarded", "drop"}, {"dropped", "drop"},      {"left", "drop"},
      {"put down", "drop"}};
  return actions;
}

ReadStatement ReadWords(const std::vector<std::string>& words) {
  const auto the = std::find(words.begin(), words.end(), "the");
  if (words.size() < 4 || the == words.end() || the + 1 == words.end()) throw std::runtime_error("no noun");
  std::string verb;
  for (auto word = words.begin() + 1; word != the; ++word) verb += (verb.empty() ? "" : " ") + *word;
  ReadStatement statement = {
      .actor = words[0], .action = Actions().at(verb), .noun = *(the + 1), .verb = verb, .words = words.size()};
  statement.there = the + 2 != words.end() && *(the + 2) == "there" && statement.action != "move";
  if (the + 2 + (statement.there ? 1 : 0) != words.end()) throw std::runtime_error("words after " + statement.noun);
  return statement;
}

// What a reader of the statements knows.
struct Knowledge {
  std::map<std::string, std::string> actor_places;
  std::map<std::string, std::string> holders;
  std::map<std::string, std::string> object_places;
  // Places to which an object was carried, in order.
  std::map<std::string, std::vector<std::string>> trails;

  void Learn(const ReadStatement& statement) {
    if (statement.action == "grab") holders[statement.noun] = statement.actor;
    if (statement.action == "drop") holders.erase(statement.noun);
    if (statement.action == "move") {
      actor_places[statement.actor] = statement.noun;
      for (const auto& [object, holder] : holders) {
        if (holder == statement.actor) trails[object].push_back(statement.noun);
      }
      return;
    }
    object_places[statement.noun] = actor_places[statement.actor];
  }

  std::string PlaceOfObject(const std::string& object) {
    return holders.count(object) > 0 ? actor_places[holders[object]] : object_places[object];
  }

  std::string PlaceBefore(const std::string& object, const std::string& place) {
    const std::vector<std::string>& trail = trails[object];
    for (std::size_t i = trail.size(); i-- > 1;) {
      if (trail[i] == place) return trail[i - 1];
    }
    return "";
  }
};

}  // namespace

std::vector<ReadStatement> ReadStory(const std::vector<std::string>& tokens) {
  std::vector<ReadStatement> statements;
  std::vector<std::string> words;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size() && tokens[i] != ".") {
      words.push_back(tokens[i]);
      continue;
    }
    statements.push_back(ReadWords(words));
    statements.back().first_token = i - words.size();
    words.clear();
  }
  return statements;
}

std::string AnswerByReplay(const std::vector<ReadStatement>& statements, const std::vector<std::string>& question) {
  Knowledge knowledge;
  for (const ReadStatement& statement : statements) knowledge.Learn(statement);
  // "Where is A", "Where is the O", "Where was the O before the P".
  if (question.size() == 3) return knowledge.actor_places[question[2]];
  if (question.size() == 4) return knowledge.PlaceOfObject(question[3]);
  return knowledge.PlaceBefore(question.at(3), question.at(6));
}

std::vector<std::size_t> EvidenceStatements(const Example& example, const std::vector<ReadStatement>& statements) {
  const std::set<std::int32_t> evidence(example.evidence_tokens.begin(), example.evidence_tokens.end());
  std::vector<std::size_t> covered;
  std::size_t words = 0;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (evidence.count(static_cast<std::int32_t>(statements[i].first_token)) == 0) continue;
    covered.push_back(i);
    for (std::size_t word = 0; word < statements[i].words; ++word) {
      words += evidence.count(static_cast<std::int32_t>(statements[i].first_token + word));
    }
  }
  std::size_t expected = 0;
  for (const std::size_t i : covered) expected += statements[i].words;
  if (words != expected || words != example.evidence_tokens.size()) throw std::runtime_error("evidence is ragged");
  return covered;
}

}  // namespace roar::datasets
