#include "client/sweep_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/field_reader.h"
#include "client/sweep_keys.h"
#include "datasets/generators/generators.h"
#include "proto/transport/durable_file.h"

namespace roar {
namespace {

// More are a slip, and would be kept in memory before anybody could refuse them.
constexpr std::int64_t kMostListed = 10'000;

std::string Item(const std::string& field, std::size_t index) { return absl::StrCat(field, "[", index, "]"); }

// Reads the fields of one sweep file into a SweepFile.
class SweepFileParser {
 public:
  SweepFileParser(const YamlNode& root, SweepFile& file) : root_(root), file_(file) {}

  std::vector<LineProblem> Parse() {
    if (!reader_.Mapping(root_, "sweep", SweepKeyNames(SweepMapping::kSweep))) return std::move(reader_.problems());
    for (const auto& [key, value] : root_.entries) file_.lines.Set(key.text, key.line);
    ReadName();
    ReadDatasets();
    ReadNames("models", file_.spec.models);
    ReadNames("measures", file_.spec.measures);
    ReadNames("strategies", file_.spec.strategies);
    ReadSteps();
    ReadSeeds();
    ReadTraining();
    ReadText(root_, "test_metric", "test_metric", file_.spec.test_metric);
    ReadText(root_, "ig_variant", "ig_variant", file_.spec.ig_variant);
    ReadData();
    return std::move(reader_.problems());
  }

 private:
  void ReadName() {
    const YamlNode* node = root_.Find("name");
    if (node == nullptr) return;
    if (auto text = reader_.Text(*node, "name")) file_.spec.name = *text;
  }

  void ReadDatasets() {
    std::vector<std::string> names;
    ReadNames("datasets", names);
    for (std::string& name : names) file_.spec.datasets.push_back({.name = std::move(name)});
  }

  // Leaves the default where the key is absent.
  void ReadNames(const std::string& field, std::vector<std::string>& names) {
    const YamlNode* node = root_.Find(field);
    if (node == nullptr) return;
    names.clear();
    for (const YamlNode* item : reader_.Items(*node, field)) {
      const auto name = reader_.Text(*item, field);
      if (!name) continue;
      file_.lines.Set(Item(field, names.size()), item->line);
      names.push_back(*name);
    }
  }

  void ReadIntegers(const YamlNode& node, const std::string& field, std::vector<std::int64_t>& values) {
    values.clear();
    for (const YamlNode* item : reader_.Items(node, field)) {
      const auto value = reader_.Integer(*item, field);
      if (!value) continue;
      file_.lines.Set(Item(field, values.size()), item->line);
      values.push_back(*value);
    }
  }

  void ReadSteps() {
    const YamlNode* ratios = root_.Find("ratios");
    const YamlNode* counts = root_.Find("counts");
    if (ratios != nullptr && counts != nullptr) {
      reader_.Problem(std::max(ratios->line, counts->line), "both ratios and counts are there; keep one of them");
    }
    if (ratios == nullptr && counts == nullptr) return;
    file_.spec.unit = ratios != nullptr ? MaskUnit::kRatioPercent : MaskUnit::kCount;
    const YamlNode& node = ratios != nullptr ? *ratios : *counts;
    const std::string field(Name(file_.spec.unit));
    if (node.kind == YamlNode::Kind::kMapping) {
      ReadRange(node, field);
    } else {
      ReadIntegers(node, field, file_.spec.steps);
    }
  }

  void ReadRange(const YamlNode& node, const std::string& field) {
    file_.spec.steps.clear();
    if (!reader_.Mapping(node, field, SweepKeyNames(SweepMapping::kRange))) return;
    static const std::array<std::string, 3> kBounds = {"from", "to", "step"};
    std::array<std::int64_t, 3> bounds{};
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      const std::string& key = kBounds[i];
      const YamlNode* value = node.Find(key);
      if (value == nullptr) return reader_.Problem(node.line, absl::StrCat(field, ": ", key, " is missing"));
      const auto integer = reader_.Integer(*value, absl::StrCat(field, ".", key));
      if (!integer) return;
      bounds[i] = *integer;
    }
    const auto [from, to, step] = bounds;
    if (step < 1 || from < 0 || to < from || (to - from) / step >= kMostListed) {
      return reader_.Problem(node.line, absl::StrCat(field, ": from ", from, " to ", to, " by ", step,
                                                     " is no ascending range; such as {from: 10, to: 90, step: 10}"));
    }
    for (std::int64_t i = 0; i <= (to - from) / step; ++i) file_.spec.steps.push_back(from + i * step);
  }

  void ReadSeeds() {
    const YamlNode* node = root_.Find("seeds");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::kScalar) return ReadIntegers(*node, "seeds", file_.spec.seeds);
    const auto count = reader_.Integer(*node, "seeds");
    if (!count) return;
    if (*count < 1 || *count > kMostListed) {
      return reader_.Problem(node->line, absl::StrCat("seeds: ", *count, " is not a number of seeds; 5 means 0 to 4"));
    }
    file_.spec.seeds.clear();
    for (std::int64_t seed = 0; seed < *count; ++seed) file_.spec.seeds.push_back(seed);
  }

  void ReadTraining() {
    const YamlNode* node = root_.Find("training");
    if (node == nullptr || !reader_.Mapping(*node, "training", SweepKeyNames(SweepMapping::kTraining))) return;
    for (const auto& [key, value] : node->entries) file_.lines.Set(absl::StrCat("training.", key.text), key.line);
    TrainingOverrides& training = file_.spec.training;
    ReadInteger(*node, "training", "epochs", training.epochs);
    ReadInteger(*node, "training", "batch_size", training.batch_size);
    ReadInteger(*node, "training", "embedding_size", training.embedding_size);
    ReadInteger(*node, "training", "hidden_size", training.hidden_size);
    ReadNumber(*node, "learning_rate", training.learning_rate);
    ReadNumber(*node, "weight_decay", training.weight_decay);
    ReadText(*node, "training.checkpoint_metric", "checkpoint_metric", training.checkpoint_metric);
    ReadText(*node, "training.embeddings", "embeddings", training.embeddings);
  }

  void ReadText(const YamlNode& parent, const std::string& field, const std::string& key,
                std::optional<std::string>& value) {
    const YamlNode* node = parent.Find(key);
    if (node != nullptr) value = reader_.Text(*node, field);
  }

  void ReadInteger(const YamlNode& parent, const std::string& field, const std::string& key,
                   std::optional<std::int64_t>& value) {
    const YamlNode* node = parent.Find(key);
    if (node != nullptr) value = reader_.Integer(*node, absl::StrCat(field, ".", key));
  }

  void ReadNumber(const YamlNode& parent, const std::string& key, std::optional<double>& value) {
    const YamlNode* node = parent.Find(key);
    if (node != nullptr) value = reader_.Number(*node, absl::StrCat("training.", key));
  }

  void ReadData() {
    std::vector<std::string_view> names;
    for (const SweepDataset& dataset : file_.spec.datasets) names.push_back(dataset.name);
    const YamlNode* node = root_.Find("data");
    if (node == nullptr || !reader_.Mapping(*node, "data", names)) return;
    for (const auto& [key, value] : node->entries) ReadDataOptions(key, value);
  }

  // What an integer of `data` may be at least, and what to do about a smaller one.
  struct Least {
    std::int64_t value;
    std::string remedy;
  };

  std::optional<std::int64_t> ReadAtLeast(const Least& least, const YamlNode& parent, const std::string& field,
                                          const std::string& key) {
    std::optional<std::int64_t> value;
    ReadInteger(parent, field, key, value);
    if (!value || *value >= least.value) return value;
    reader_.Problem(parent.Find(key)->line,
                    absl::StrCat(field, ".", key, ": ", *value, " is below ", least.value, "; ", least.remedy));
    return std::nullopt;
  }

  void ReadDataOptions(const YamlNode& key, const YamlNode& node) {
    const std::string field = absl::StrCat("data.", key.text);
    if (!reader_.Mapping(node, field, SweepKeyNames(SweepMapping::kData))) return;
    DataOptions& options = file_.data[key.text];
    options.train = ReadAtLeast({1, "leave it out for 10000"}, node, field, "train");
    options.test = ReadAtLeast({1, "leave it out for 1000"}, node, field, "test");
    options.seed = ReadAtLeast({0, "seeds start at 0"}, node, field, "seed");
    // None is written as 0 in a spec; that a file says 0 would more likely mean no example.
    options.limit = ReadAtLeast({1, "leave it out to use all examples"}, node, field, "limit").value_or(0);
    CheckGenerated(key, node);
    for (std::size_t i = 0; i < file_.spec.datasets.size(); ++i) {
      if (file_.spec.datasets[i].name != key.text) continue;
      file_.spec.datasets[i].reference.limit = options.limit;
      file_.lines.Set(absl::StrCat("datasets[", i, "].limit"), node.line);
    }
  }

  void CheckGenerated(const YamlNode& key, const YamlNode& node) {
    const bool is_of_generator = node.Find("train") || node.Find("test") || node.Find("seed");
    if (is_of_generator && datasets::FindGenerator(key.text) == nullptr) {
      reader_.Problem(key.line, absl::StrCat("data.", key.text, ": train, test and seed are for generated data sets ",
                                             "(babi-gen-1); an imported one takes only limit"));
    }
  }

  const YamlNode& root_;
  SweepFile& file_;
  FieldReader reader_;
};

SweepFile Defaults(const std::string& default_name) {
  SweepFile file;
  file.spec.name = default_name;
  file.spec.models = {std::string(Name(Model::kBilstmAttention))};
  file.spec.strategies = {std::string(Name(Strategy::kRecursive))};
  file.spec.steps = {10, 20, 30, 40, 50, 60, 70, 80, 90};
  file.spec.seeds = {0, 1, 2, 3, 4};
  return file;
}

// What core says of the spec, as if every data set were there already.
std::vector<LineProblem> ValidateAtLines(const SweepFile& file) {
  SweepSpec spec = file.spec;
  for (SweepDataset& dataset : spec.datasets) dataset.reference.content_sha256 = std::string(64, '0');
  std::vector<LineProblem> problems;
  for (const SweepProblem& problem : Validate(spec)) {
    problems.push_back({file.lines.LineOf(problem.field_path), problem.message});
  }
  return problems;
}

}  // namespace

int FieldLines::LineOf(std::string field_path) const {
  while (!field_path.empty()) {
    if (const auto found = lines_.find(field_path); found != lines_.end()) return found->second;
    const std::size_t end = field_path.find_last_of(".[");
    field_path.resize(end == std::string::npos ? 0 : end);
  }
  return 1;
}

SweepFileReading ParseSweepFile(const std::string& text, const std::string& default_name) {
  SweepFileReading reading{.file = Defaults(default_name)};
  const YamlDocument document = ReadYaml(text);
  reading.problems = document.problems;
  if (!document.IsReadable()) return reading;
  std::set<int> told_lines;
  for (const LineProblem& problem : SweepFileParser(document.root, reading.file).Parse()) {
    told_lines.insert(problem.line);
    reading.problems.push_back(problem);
  }
  // A field that could not be read is missing in the spec: no need to hear that too.
  for (const LineProblem& problem : ValidateAtLines(reading.file)) {
    if (!told_lines.contains(problem.line)) reading.problems.push_back(problem);
  }
  std::ranges::stable_sort(reading.problems, {}, &LineProblem::line);
  return reading;
}

absl::StatusOr<std::string> ReadSweepText(const std::string& path) {
  constexpr std::uintmax_t kMostBytes = 1 << 20;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kMostBytes) {
    return absl::InvalidArgumentError(absl::StrCat("sweep file ", path, ": ", size, " bytes; at most 1 MiB is read"));
  }
  return ReadFile(path);
}

}  // namespace roar
