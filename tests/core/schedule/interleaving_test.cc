#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <ostream>

#include "tests/support/scheduler_simulation.h"

namespace roar::schedule {

std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << "step " << static_cast<int>(step.kind) << " of " << step.choice;
}

namespace {

// Ordinary life is more frequent than faults, so that histories get somewhere.
rc::Gen<Step> AnyStep() {
  using enum Step::Kind;
  const auto kind = rc::gen::weightedElement<Step::Kind>({{4, kSubmit},
                                                          {1, kCancel},
                                                          {2, kRetry},
                                                          {20, kCall},
                                                          {4, kCallReplyLost},
                                                          {4, kOldCallAgain},
                                                          {12, kFinish},
                                                          {1, kFinishWrongly},
                                                          {4, kFail},
                                                          {2, kWorkerCrash},
                                                          {1, kDrain},
                                                          {1, kResize},
                                                          {6, kPass},
                                                          {2, kPassLong},
                                                          {3, kPassUnnoticed},
                                                          {2, kImport},
                                                          {1, kCoordinatorRestart}});
  return rc::gen::build<Step>(rc::gen::set(&Step::kind, kind),
                              rc::gen::set(&Step::choice, rc::gen::inRange<unsigned>(0, 1000)));
}

RC_GTEST_PROP(Interleaving, KeepsItsPromisesAndEndsWhenFaultsStop, ()) {
  const auto steps = *rc::gen::resize(600, rc::gen::container<std::vector<Step>>(AnyStep()));
  Simulation simulation;
  for (const Step& step : steps) {
    simulation.Do(step);
    RC_ASSERT(simulation.broken() == "");
  }
  simulation.RunWithoutFaults();
  RC_ASSERT(simulation.broken() == "");
  RC_ASSERT(simulation.AllEnded());
  simulation.RetryAll();
  simulation.RunWithoutFaults();
  RC_ASSERT(simulation.broken() == "");
  RC_ASSERT(simulation.AllSucceeded());
  RC_ASSERT(simulation.accepted().size() == simulation.SucceededCount());
  RC_CLASSIFY(!simulation.split().empty(), "with a split job");
}

}  // namespace
}  // namespace roar::schedule
