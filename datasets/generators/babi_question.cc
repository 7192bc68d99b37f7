#include "datasets/generators/babi_question.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace roar::datasets {
namespace {

using Statements = std::vector<BabiStatement>;
using Positions = std::vector<std::size_t>;

constexpr std::size_t kWindow = 5;

std::string Actor(int index) { return std::string(kBabiActors[static_cast<std::size_t>(index)]); }
std::string Place(int index) { return std::string(kBabiPlaces[static_cast<std::size_t>(index)]); }
std::string Object(int index) { return std::string(kBabiObjects[static_cast<std::size_t>(index)]); }

std::size_t WindowSize(const Statements& statements) { return std::min(statements.size(), kWindow); }

// The moves of an actor at positions in [begin, end).
Positions MovesOf(int actor, const Statements& statements, std::size_t begin, std::size_t end) {
  Positions moves;
  for (std::size_t i = begin; i < end; ++i) {
    if (statements[i].actor == actor && statements[i].action == BabiAction::kMove) moves.push_back(i);
  }
  return moves;
}

// An object's latest grab or drop, and the moves of that actor by which the object's whereabouts are known.
struct Candidate {
  std::size_t handling = 0;
  Positions moves;
};

bool IsLatestHandling(const Statements& statements, std::size_t position) {
  const int object = statements[position].object;
  return object >= 0 && std::none_of(statements.begin() + static_cast<std::ptrdiff_t>(position) + 1, statements.end(),
                                     [object](const BabiStatement& later) { return later.object == object; });
}

// The position of the grab that a drop ends.
std::size_t GrabBefore(const Statements& statements, std::size_t drop) {
  std::size_t grab = drop - 1;
  while (statements[grab].object != statements[drop].object) --grab;
  return grab;
}

// Task 2. Of a dropped object: the moves of its last holder up to then; of a held one: since the grab.
Positions MovesThatPlace(const Statements& statements, std::size_t handling) {
  const BabiStatement& statement = statements[handling];
  return statement.action == BabiAction::kDrop ? MovesOf(statement.actor, statements, 0, handling)
                                               : MovesOf(statement.actor, statements, handling, statements.size());
}

// Task 3. The moves through which the object was carried since its latest grab.
Positions MovesCarried(const Statements& statements, std::size_t handling) {
  const BabiStatement& statement = statements[handling];
  return statement.action == BabiAction::kDrop
             ? MovesOf(statement.actor, statements, GrabBefore(statements, handling), handling)
             : MovesOf(statement.actor, statements, handling, statements.size());
}

std::vector<Candidate> Candidates(int task, const Statements& statements) {
  const std::size_t needed_moves = task == 2 ? 1 : 2;
  std::vector<Candidate> candidates;
  for (std::size_t i = statements.size() - WindowSize(statements); i < statements.size(); ++i) {
    if (!IsLatestHandling(statements, i)) continue;
    Positions moves = task == 2 ? MovesThatPlace(statements, i) : MovesCarried(statements, i);
    if (moves.size() >= needed_moves) candidates.push_back({.handling = i, .moves = std::move(moves)});
  }
  return candidates;
}

BabiInquiry AskWhereActorIs(const Statements& statements, RandomStream& random) {
  const int actor = statements[statements.size() - 1 - random.Below(WindowSize(statements))].actor;
  const std::size_t move = MovesOf(actor, statements, 0, statements.size()).back();
  return {.text = absl::StrCat("Where is ", Actor(actor)), .answer = Place(statements[move].place), .support = {move}};
}

BabiInquiry AskWhereObjectIs(const Statements& statements, const Candidate& about) {
  const std::size_t move = about.moves.back();
  return {.text = absl::StrCat("Where is the ", Object(statements[about.handling].object)),
          .answer = Place(statements[move].place),
          .support = {about.handling, move}};
}

BabiInquiry AskWhereObjectWas(const Statements& statements, const Candidate& about, RandomStream& random) {
  std::size_t last_visit = 0;
  // The first place visited has none before it, unless visited again. The last one always has.
  while (last_visit == 0) {
    const int place = statements[about.moves[random.Below(about.moves.size())]].place;
    last_visit = about.moves.size() - 1;
    while (statements[about.moves[last_visit]].place != place) --last_visit;
  }
  const std::size_t move = about.moves[last_visit];
  const std::size_t move_before = about.moves[last_visit - 1];
  return {.text = absl::StrCat("Where was the ", Object(statements[about.handling].object), " before the ",
                               Place(statements[move].place)),
          .answer = Place(statements[move_before].place),
          .support = {about.handling, move, move_before}};
}

}  // namespace

std::optional<BabiInquiry> Ask(int task, const std::vector<BabiStatement>& statements, RandomStream& random) {
  if (task == 1) return AskWhereActorIs(statements, random);
  const std::vector<Candidate> candidates = Candidates(task, statements);
  if (candidates.empty()) return std::nullopt;
  const Candidate& about = candidates[random.Below(candidates.size())];
  return task == 2 ? AskWhereObjectIs(statements, about) : AskWhereObjectWas(statements, about, random);
}

}  // namespace roar::datasets
