#include "worker/ml/model/classifier.h"

#include "absl/strings/str_cat.h"
#include "core/experiment/random_stream.h"
#include "worker/ml/model/pair_attention.h"
#include "worker/ml/model/single_attention.h"

namespace roar::ml {
namespace {

struct Row {
  Model model;
  bool takes_second_sequence;
  std::shared_ptr<Classifier> (*make)(const ClassifierSizes&);
};
constexpr Row kModels[] = {
    {Model::kBilstmAttention, false, MakeSingleAttention},
    {Model::kBilstmAttention, true, MakePairAttention},
};

}  // namespace

absl::StatusOr<std::shared_ptr<Classifier>> MakeClassifier(const TrainSpec& spec, const EncodedDataset& dataset) {
  const bool has_second_sequence = HasSecondSequence(dataset);
  for (const Row& row : kModels) {
    if (row.model != spec.model || row.takes_second_sequence != has_second_sequence) continue;
    torch::manual_seed(RandomStream(spec.seed, "model").Next());
    return row.make({dataset.vocabulary_size, dataset.class_count, spec.training.embedding_size,
                     spec.training.hidden_size, spec.training.embeddings});
  }
  return absl::InvalidArgumentError(absl::StrCat("model ", std::string(Name(spec.model)), " does not take data ",
                                                 has_second_sequence ? "with" : "without", " a second sequence"));
}

}  // namespace roar::ml
