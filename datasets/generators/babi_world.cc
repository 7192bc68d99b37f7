#include "datasets/generators/babi_world.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace roar::datasets {
namespace {

constexpr std::array<const char*, 5> kMoveVerbs = {"moved to", "went to", "went back to", "journeyed to",
                                                   "travelled to"};
constexpr std::array<const char*, 4> kGrabVerbs = {"got", "grabbed", "took", "picked up"};
constexpr std::array<const char*, 4> kDropVerbs = {"discarded", "dropped", "left", "put down"};

std::string Sentence(int actor, const char* verb, std::string_view noun, bool there) {
  return absl::StrCat(std::string(kBabiActors[static_cast<std::size_t>(actor)]), " ", verb, " the ", std::string(noun),
                      there ? " there" : "");
}

}  // namespace

BabiWorld::BabiWorld(int task, RandomStream& random) : task_(task), random_(random) {
  for (int& place : places_) place = Pick(kBabiPlaces.size());
  for (Object& object : objects_) object.place = Pick(kBabiPlaces.size());
}

BabiStatement BabiWorld::Next() {
  for (;;) {
    const int actor = Pick(kBabiActors.size());
    std::optional<BabiStatement> statement;
    switch (PickAction()) {
      case BabiAction::kMove:
        statement = TryMove(actor);
        break;
      case BabiAction::kGrab:
        statement = TryGrab(actor);
        break;
      case BabiAction::kDrop:
        statement = TryDrop(actor);
        break;
    }
    if (statement.has_value()) return *std::move(statement);
  }
}

BabiAction BabiWorld::PickAction() {
  if (task_ == 1) return BabiAction::kMove;
  constexpr BabiAction kActions[] = {BabiAction::kMove, BabiAction::kGrab, BabiAction::kDrop};
  return kActions[Pick(std::size(kActions))];
}

template <typename Predicate>
int BabiWorld::PickObject(Predicate chosen) {
  std::vector<int> candidates;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (chosen(objects_[i])) candidates.push_back(static_cast<int>(i));
  }
  return candidates.empty() ? -1 : candidates[static_cast<std::size_t>(Pick(candidates.size()))];
}

std::optional<BabiStatement> BabiWorld::TryMove(int actor) {
  int& place = places_[static_cast<std::size_t>(actor)];
  const int target = Pick(kBabiPlaces.size());
  if (target == place) return std::nullopt;
  place = target;
  const char* verb = kMoveVerbs[static_cast<std::size_t>(Pick(kMoveVerbs.size()))];
  return BabiStatement{.actor = actor,
                       .action = BabiAction::kMove,
                       .place = target,
                       .text = Sentence(actor, verb, kBabiPlaces[static_cast<std::size_t>(target)], false)};
}

std::optional<BabiStatement> BabiWorld::TryGrab(int actor) {
  const int here = places_[static_cast<std::size_t>(actor)];
  const int grabbed = PickObject([here](const Object& object) { return object.holder < 0 && object.place == here; });
  if (grabbed < 0) return std::nullopt;
  objects_[static_cast<std::size_t>(grabbed)].holder = actor;
  const char* verb = kGrabVerbs[static_cast<std::size_t>(Pick(kGrabVerbs.size()))];
  const bool there = task_ == 2 || OneInFive();
  return BabiStatement{.actor = actor,
                       .action = BabiAction::kGrab,
                       .place = here,
                       .object = grabbed,
                       .text = Sentence(actor, verb, kBabiObjects[static_cast<std::size_t>(grabbed)], there)};
}

std::optional<BabiStatement> BabiWorld::TryDrop(int actor) {
  const int dropped = PickObject([actor](const Object& object) { return object.holder == actor; });
  if (dropped < 0) return std::nullopt;
  const int here = places_[static_cast<std::size_t>(actor)];
  objects_[static_cast<std::size_t>(dropped)] = {.place = here, .holder = -1};
  const char* verb = kDropVerbs[static_cast<std::size_t>(Pick(kDropVerbs.size()))];
  const bool there = OneInFive();
  return BabiStatement{.actor = actor,
                       .action = BabiAction::kDrop,
                       .place = here,
                       .object = dropped,
                       .text = Sentence(actor, verb, kBabiObjects[static_cast<std::size_t>(dropped)], there)};
}

}  // namespace roar::datasets
