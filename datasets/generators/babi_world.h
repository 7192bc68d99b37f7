#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/random_stream.h"

// The world in which bAbI's tasks 1 to 3 play: four actors walk between six places and carry three objects. Rules and
// words were measured on the published files; every choice is uniform.

namespace roar::datasets {

inline constexpr std::array<std::string_view, 4> kBabiActors = {"Daniel", "John", "Mary", "Sandra"};
inline constexpr std::array<std::string_view, 6> kBabiPlaces = {"bathroom", "bedroom", "garden",
                                                                "hallway",  "kitchen", "office"};
inline constexpr std::array<std::string_view, 3> kBabiObjects = {"apple", "football", "milk"};

enum class BabiAction { kMove, kGrab, kDrop };

struct BabiStatement {
  // Indices into the tables above.
  int actor = 0;
  BabiAction action = BabiAction::kMove;
  // Where the actor is afterwards; also when no statement has told it.
  int place = 0;
  // -1 for a move.
  int object = -1;
  // Without the full stop.
  std::string text;
};

class BabiWorld {
 public:
  // Everybody and everything at a place of its own, which is not told. `task` is 1, 2 or 3. `random` must outlive the
  // world.
  BabiWorld(int task, RandomStream& random);

  // Something happens. What cannot happen is drawn again, actor and action anew.
  BabiStatement Next();

 private:
  struct Object {
    int place = 0;
    // -1: nobody.
    int holder = -1;
  };

  int Pick(std::size_t count) { return static_cast<int>(random_.Below(count)); }
  BabiAction PickAction();
  bool OneInFive() { return random_.Below(5) == 0; }
  std::optional<BabiStatement> TryMove(int actor);
  std::optional<BabiStatement> TryGrab(int actor);
  std::optional<BabiStatement> TryDrop(int actor);
  // One of the objects for which `chosen` holds, or -1.
  template <typename Predicate>
  int PickObject(Predicate chosen);

  const int task_;
  RandomStream& random_;
  std::array<int, kBabiActors.size()> places_;
  std::array<Object, kBabiObjects.size()> objects_;
};

}  // namespace roar::datasets
