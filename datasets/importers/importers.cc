#include "datasets/importers/importers.h"

#include <algorithm>

#include "datasets/importers/babi.h"
#include "datasets/importers/sst.h"

namespace roar::datasets {
namespace {

template <int task>
absl::StatusOr<ImportedDataset> ImportBabiTask(const std::string& path) {
  return ImportBabi(task, path);
}

constexpr std::string_view kBabiPath = "folder with qaN_*_train.txt and qaN_*_test.txt (plain or .gz), or above en-10k";

constexpr Importer kImporters[] = {
    {"babi-1", kBabiPath, ImportBabiTask<1>},
    {"babi-2", kBabiPath, ImportBabiTask<2>},
    {"babi-3", kBabiPath, ImportBabiTask<3>},
    {"sst",
     "folder with the trees train.txt, dev.txt and test.txt, or else with stsa.binary.{train,dev,test}, or else with "
     "stsa.fine.{train,dev,test} (each plain or .gz); or above one named trees, ptb or stsa",
     ImportSst},
};

}  // namespace

std::span<const Importer> Importers() { return kImporters; }

const Importer* FindImporter(std::string_view name) {
  const Importer* found = std::find_if(std::begin(kImporters), std::end(kImporters),
                                       [name](const Importer& importer) { return importer.name == name; });
  return found == std::end(kImporters) ? nullptr : found;
}

}  // namespace roar::datasets
