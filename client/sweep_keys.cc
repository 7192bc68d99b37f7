#include "client/sweep_keys.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "core/experiment/names.h"
#include "datasets/generators/generators.h"

namespace roar {
namespace {

constexpr char kPublished[] = "the published setting";

std::vector<std::string> Strings(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

std::vector<SweepFileKey> KeysOfSweep() {
  return {
      {"name", "name", "", "the file's name without .yaml",
       "What the sweep is called: 1 to 64 letters, digits, `.`, `_` and `-`, the first a letter or digit"},
      {"datasets", "list of names", "", "must be there",
       "Data sets: imported with `roar data import`, or generated ones (`babi-gen-1`, ...)"},
      {"models", "list of names", "[bilstm_attention]", "", "What is trained", Strings(ModelNames())},
      {"measures", "list of names", "", "must be there",
       "What is judged. All but two ask a trained model; `mutual_information` is that of a word's presence and the "
       "label, "
       "of the train split alone; `random` is the baseline, which is drawn for every sweep, and may be asked for alone",
       Strings(MeasureNames())},
      {"strategies", "list of names", "[recursive]", "",
       "`recursive`: each ratio ranks the tokens with the model trained at the ratio before (Recursive ROAR). `roar`: "
       "all "
       "ratios rank with the model trained on unmasked data",
       Strings(StrategyNames())},
      {"ratios", "ascending integers, or a range", "{from: 10, to: 90, step: 10}", "",
       "Percents of the tokens that are masked; 0 and 100 are implied"},
      {"counts", "ascending integers, or a range", "", "ratios are used",
       "In place of `ratios`: numbers of tokens; 0 is implied. There is no 100 % point, hence no RACU"},
      {"seeds", "integer, or list of integers", "5", "", "A number n means 0 to n-1; a list is the seeds themselves"},
      {"training", "mapping", "", kPublished,
       "Values that replace the published ones of the data set and model, by the keys below"},
      {"test_metric", "name", "", "the data set's own",
       "What all curves and RACU are drawn of. It changes no job: asking for another metric of finished trainings runs "
       "nothing",
       Strings(MetricNames())},
      {"ig_variant", "name", "published", "",
       "Of `integrated_gradient`: `published` differentiates with respect to the unscaled embedding, as the published "
       "numbers did, `textbook` to the scaled one",
       Strings(IntegratedGradientVariantNames())},
      {"data", "mapping", "", "all examples", "By the name of a data set, what is taken of it, by the keys below"}};
}

std::vector<SweepFileKey> KeysOfRange() {
  return {{"from", "integer", "", "must be there", "The first, from 0 on"},
          {"to", "integer", "", "must be there", "The last, if a step leads there; not below `from`"},
          {"step", "integer", "", "must be there", "From one to the next, from 1 on"}};
}

std::vector<SweepFileKey> KeysOfTraining() {
  return {{"epochs", "integer", "", kPublished, "Most epochs of a training; it ends early when none can be better"},
          {"batch_size", "integer", "", kPublished, "Examples of a step"},
          {"learning_rate", "number", "", kPublished, "Of the optimiser"},
          {"weight_decay", "number", "", kPublished, "Of the optimiser"},
          {"embedding_size", "integer", "", kPublished, "Numbers that a word is embedded in"},
          {"hidden_size", "integer", "", kPublished, "Of each direction of the LSTM"},
          {"checkpoint_metric", "name", "", kPublished, "By what the best epoch is chosen, on validation",
           Strings(MetricNames())},
          {"embeddings", "name", "", kPublished,
           "What a fresh model's embeddings are: `random`, N(0,1), or `zeros`, every word at zero",
           Strings(EmbeddingsNames())}};
}

std::vector<SweepFileKey> KeysOfData() {
  const datasets::GeneratorOptions generated;
  return {{"limit", "integer", "", "all examples", "Only the first n examples of each split, from 1 on"},
          {"train", "integer", absl::StrCat(generated.train_examples), "",
           "Of a generated data set: examples before 15 % of them become the validation split"},
          {"test", "integer", absl::StrCat(generated.test_examples), "", "Of a generated data set: test examples"},
          {"seed", "integer", absl::StrCat(generated.seed), "", "Of a generated data set: other examples for another"}};
}

}  // namespace

std::span<const SweepSection> SweepSections() {
  static const std::vector<SweepSection> kSections = {{SweepMapping::kSweep, "", KeysOfSweep()},
                                                      {SweepMapping::kRange, "ratios.", KeysOfRange()},
                                                      {SweepMapping::kTraining, "training.", KeysOfTraining()},
                                                      {SweepMapping::kData, "data.NAME.", KeysOfData()}};
  return kSections;
}

const std::vector<std::string_view>& SweepKeyNames(SweepMapping mapping) {
  static const auto kNames = [] {
    std::map<SweepMapping, std::vector<std::string_view>> names;
    for (const SweepSection& section : SweepSections()) {
      for (const SweepFileKey& key : section.keys) names[section.mapping].push_back(key.name);
    }
    return names;
  }();
  return kNames.at(mapping);
}

}  // namespace roar
