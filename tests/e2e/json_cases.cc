#include "tests/e2e/json_cases.h"

#include "tests/e2e/installation.h"

namespace roar::e2e {

const std::vector<JsonCase>& JsonCases() {
  constexpr auto kOwn = JsonCase::Coordinator::kOwn;
  static const std::vector<JsonCase> kCases = {
      // Sweep 1: while it runs, then when it has succeeded.
      {"submit", {"@small.yaml"}, "submission"},
      {"show", {"last"}, "sweep"},
      {"job list", {"last"}, "jobs"},
      {"results", {}, "results"},
      {"wait", {"small", "--timeout", "300"}, "sweep"},
      {"watch", {"1"}, "sweep"},
      {"show", {"1"}, "sweep"},
      {"show", {"1", "--config"}, "configurations"},
      {"show", {"@small.yaml", "--config"}, "configurations"},
      {"results", {"1"}, "results"},
      {"curves", {"1"}, "curves"},
      {"racu", {"1"}, "racu"},
      {"job list", {"1"}, "jobs"},
      {"job show", {"@train"}, "job"},
      {"job show", {"@explain"}, "job"},
      {"worker list", {}, "workers"},
      {"server info", {}, "server"},
      {"cancel", {"1"}, "cancellation"},
      {"export", {"1", "--bundle", "@small.roar"}, "bundle_export"},
      {"import", {"--bundle", "@small.roar"}, "bundle_import"},
      // One that fails, and one over counts, which has no RACU.
      {"submit", {"@failing.yaml"}, "submission"},
      {"wait", {"failing", "--timeout", "300"}, "sweep", 1},
      {"results", {"failing"}, "results"},
      {"job list", {"failing"}, "jobs"},
      {"submit", {"@counts.yaml"}, "submission"},
      {"wait", {"counts", "--timeout", "300"}, "sweep"},
      {"results", {"counts"}, "results"},
      {"curves", {"counts"}, "curves"},
      {"racu", {"counts"}, "racu"},
      {"list", {}, "sweeps"},
      // Data.
      {"data import", {"reviews", "@reviews.tsv", "--split", "split"}, "dataset_import"},
      {"data show", {"reviews"}, "dataset"},
      {"data list", {}, "datasets"},
      {"doctor", {}, "doctor"},
      // What starts and stops coordinators.
      {"run", {"@counts.yaml", "--slots", "1"}, "results", 0, kOwn},
      {"server start", {}, "server", 0, kOwn},
      {"server stop", {}, "server_stop", 0, kOwn},
  };
  return kCases;
}

const std::map<std::string, std::string>& JsonCaseFiles() {
  static const std::map<std::string, std::string> kFiles = {
      {"small.yaml", SmallSweep()},
      {"failing.yaml",
       // One example has one class only.
       "name: failing\ndatasets: [babi-gen-1]\nmeasures: [attention]\nratios: [50]\nseeds: 1\n"
       "data:\n  babi-gen-1: {train: 300, test: 60, seed: 7, limit: 1}\n"},
      {"counts.yaml",
       "name: counts\ndatasets: [babi-gen-1]\nmeasures: [gradient]\ncounts: [1]\nseeds: 1\ntraining: {epochs: 1}\n"
       "data:\n  babi-gen-1: {train: 100, test: 20, seed: 7}\n"},
      {"reviews.tsv",
       "split\tlabel\ttext\ntrain\tgood\ta fine film\ntrain\tbad\ta dull film\ndev\tgood\tfine\ntest\tbad\tdull\n"}};
  return kFiles;
}

}  // namespace roar::e2e
