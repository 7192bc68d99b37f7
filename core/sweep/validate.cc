#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/experiment/sha256.h"
#include "core/sweep/plan.h"
#include "core/sweep/presets.h"
#include "core/sweep/sweep_spec.h"

namespace roar {
namespace {

class Problems {
 public:
  template <typename... Parts>
  void Add(std::string field_path, const Parts&... message_parts) {
    list_.push_back({std::move(field_path), absl::StrCat(message_parts...)});
  }
  const std::vector<SweepProblem>& list() const { return list_; }

 private:
  std::vector<SweepProblem> list_;
};

std::string Item(const std::string& field, std::size_t index) { return absl::StrCat(field, "[", index, "]"); }

// The user's text, made safe for a line of a terminal.
std::string Quoted(const std::string& text) {
  constexpr std::size_t kShownBytes = 80;
  return absl::StrCat("\"", absl::CEscape(text.substr(0, kShownBytes)), text.size() > kShownBytes ? "...\"" : "\"");
}

std::string Listed(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

// A family of names, with the word for one of them.
struct NameFamily {
  std::string noun;
  std::span<const std::string_view> known;
};

bool IsKnown(const NameFamily& family, const std::string& name) {
  return std::ranges::count(family.known, std::string_view(name)) > 0;
}

std::string UnknownName(const NameFamily& family, const std::string& name) {
  const std::optional<std::string> nearest = NearestName(name, family.known);
  const std::string hint =
      nearest ? absl::StrCat("did you mean \"", *nearest, "\"?") : absl::StrCat("known names: ", Listed(family.known));
  return absl::StrCat("unknown ", family.noun, " ", Quoted(name), "; ", hint);
}

void CheckNames(Problems& problems, const std::string& field, const NameFamily& family,
                const std::vector<std::string>& names) {
  if (names.empty()) problems.Add(field, "no ", family.noun, "; known names: ", Listed(family.known));
  std::set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!IsKnown(family, names[i])) {
      problems.Add(Item(field, i), UnknownName(family, names[i]));
    } else if (!seen.insert(names[i]).second) {
      problems.Add(Item(field, i), family.noun, " ", Quoted(names[i]), " is there twice; keep one");
    }
  }
}

bool IsPlainCharacter(unsigned char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-'; }

// Whether the name can be printed, stored and used as the name of a file.
bool IsPlainName(const std::string& name) {
  constexpr std::size_t kMostCharacters = 64;
  return !name.empty() && name.size() <= kMostCharacters && absl::ascii_isalnum(name[0]) &&
         std::ranges::all_of(name, IsPlainCharacter);
}

void CheckPlainName(Problems& problems, const std::string& field, const std::string& name) {
  if (IsPlainName(name)) return;
  problems.Add(field, name.empty() ? "the name is empty" : absl::StrCat("bad name ", Quoted(name)),
               "; use 1 to 64 letters, digits, '.', '_' and '-', the first a letter or digit");
}

void CheckDatasets(Problems& problems, const std::vector<SweepDataset>& datasets) {
  if (datasets.empty()) problems.Add("datasets", "no data set; name at least one");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const auto& [name, reference] = datasets[i];
    const std::string field = Item("datasets", i);
    CheckPlainName(problems, absl::StrCat(field, ".name"), name);
    if (!seen.insert(name).second) {
      problems.Add(absl::StrCat(field, ".name"), "data set ", Quoted(name), " is there twice; rename or remove one");
    }
    if (!IsSha256Hex(reference.content_sha256)) {
      problems.Add(absl::StrCat(field, ".content_sha256"), Quoted(reference.content_sha256),
                   " is not a content hash; a hash has 64 lower-case hexadecimal digits");
    }
    if (reference.limit < 0) {
      problems.Add(absl::StrCat(field, ".limit"), "limit ", reference.limit, " is negative; 0 uses all examples");
    }
  }
}

// The steps that may be written, and what is wrong with others.
struct StepRule {
  std::string noun;
  std::int64_t lowest;
  std::int64_t highest;
  std::string when_outside;
  std::string when_none;
};

StepRule RuleOf(MaskUnit unit) {
  if (unit == MaskUnit::kCount) {
    return {"count", 1, std::numeric_limits<std::int64_t>::max(), "is below 1; 0 is implied",
            "no count; write the numbers of tokens to mask, such as [1, 2, 3]"};
  }
  return {"ratio", 0, 100, "is outside 1..99; 0 and 100 are implied",
          "no ratio between 1 and 99; write the percents to mask, such as [10, 50, 90]"};
}

bool HasStepBetweenImplied(const SweepSpec& spec) {
  return std::ranges::any_of(
      spec.steps, [&](std::int64_t step) { return spec.unit == MaskUnit::kCount || (step != 0 && step != 100); });
}

void CheckSteps(Problems& problems, const SweepSpec& spec) {
  const StepRule rule = RuleOf(spec.unit);
  const std::string field(Name(spec.unit));
  if (!HasStepBetweenImplied(spec)) problems.Add(field, rule.when_none);
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < spec.steps.size(); ++i) {
    const std::int64_t step = spec.steps[i];
    if (step < rule.lowest || step > rule.highest) {
      problems.Add(Item(field, i), rule.noun, " ", step, " ", rule.when_outside);
    } else if (!seen.insert(step).second) {
      problems.Add(Item(field, i), rule.noun, " ", step, " is there twice; keep one");
    } else if (i > 0 && step < spec.steps[i - 1]) {
      problems.Add(Item(field, i), rule.noun, " ", step, " comes after ", spec.steps[i - 1], "; write them ascending");
    }
  }
}

void CheckSeeds(Problems& problems, const std::vector<std::int64_t>& seeds) {
  if (seeds.empty()) problems.Add("seeds", "no seed; the published experiments use [0, 1, 2, 3, 4]");
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (seeds[i] < 0) {
      problems.Add(Item("seeds", i), "seed ", seeds[i], " is negative; seeds start at 0");
    } else if (!seen.insert(seeds[i]).second) {
      problems.Add(Item("seeds", i), "seed ", seeds[i], " is there twice; keep one");
    }
  }
}

void CheckCount(Problems& problems, const std::string& field, const std::optional<std::int64_t>& value,
                std::int64_t most) {
  if (value && (*value < 1 || *value > most)) {
    problems.Add(absl::StrCat("training.", field), field, " ", *value, " is outside 1..", most);
  }
}

void CheckOptionalName(Problems& problems, const std::string& field, const NameFamily& family,
                       const std::optional<std::string>& name) {
  if (name && !IsKnown(family, *name)) problems.Add(field, UnknownName(family, *name));
}

void CheckTraining(Problems& problems, const TrainingOverrides& training) {
  CheckCount(problems, "epochs", training.epochs, 100'000);
  CheckCount(problems, "batch_size", training.batch_size, 1 << 20);
  if (training.learning_rate && !(std::isfinite(*training.learning_rate) && *training.learning_rate > 0)) {
    problems.Add("training.learning_rate", "learning_rate ", *training.learning_rate,
                 " is not a finite number above 0; 0.001 is usual");
  }
  if (training.weight_decay && !(std::isfinite(*training.weight_decay) && *training.weight_decay >= 0)) {
    problems.Add("training.weight_decay", "weight_decay ", *training.weight_decay,
                 " is not a finite number from 0 on; 0 means none");
  }
  CheckCount(problems, "embedding_size", training.embedding_size, 1 << 20);
  CheckCount(problems, "hidden_size", training.hidden_size, 1 << 20);
  CheckOptionalName(problems, "training.checkpoint_metric", {"metric", MetricNames()}, training.checkpoint_metric);
  CheckOptionalName(problems, "training.embeddings", {"embeddings", EmbeddingsNames()}, training.embeddings);
}

void CheckWordVectors(Problems& problems, const SweepSpec& spec) {
  if (spec.training.embeddings) return;
  for (const SweepDataset& dataset : spec.datasets) {
    const bool asks_for_vectors = std::ranges::any_of(spec.models, [&](const std::string& name) {
      const std::optional<Model> model = ModelFromName(name);
      return model && PresetFor(dataset.name, *model).starts_from_word_vectors;
    });
    if (!asks_for_vectors) continue;
    problems.Add(
        "training.embeddings", "the published experiment on ", dataset.name,
        " starts from word vectors, which cannot be read yet; say `embeddings: zeros` or `embeddings: random`");
  }
}

// For a spec without other problems. In floating point, since a product of four sizes may not fit an integer.
double CountJobs(const SweepSpec& spec) {
  PlanShape shape{.unit = spec.unit};
  const auto implied = [&](std::int64_t step) { return spec.unit == MaskUnit::kRatioPercent && step % 100 == 0; };
  shape.steps = static_cast<std::int64_t>(spec.steps.size()) - std::ranges::count_if(spec.steps, implied);
  for (const std::string& name : spec.measures) {
    const Measure measure = *MeasureFromName(name);
    if (NeedsExplanation(measure)) ++(NeedsModel(measure) ? shape.model_measures : shape.data_measures);
  }
  for (const std::string& name : spec.strategies) shape.strategies.push_back(*StrategyFromName(name));
  shape.repetitions = static_cast<std::int64_t>(spec.seeds.size() * spec.models.size());
  const JobCount count = JobsPerDataset(shape);
  return static_cast<double>(count.trainings + count.explanations) * static_cast<double>(spec.datasets.size());
}

void CheckSize(Problems& problems, const SweepSpec& spec) {
  const double jobs = CountJobs(spec);
  if (jobs <= kMostJobsPerSweep) return;
  const auto shown = static_cast<std::int64_t>(std::min(jobs, 9e18));
  problems.Add("", "the sweep has ", shown, " jobs, more than ", kMostJobsPerSweep, "; split it into several");
}

}  // namespace

std::vector<SweepProblem> Validate(const SweepSpec& spec) {
  Problems problems;
  CheckPlainName(problems, "name", spec.name);
  CheckDatasets(problems, spec.datasets);
  CheckNames(problems, "models", {"model", ModelNames()}, spec.models);
  CheckNames(problems, "measures", {"measure", MeasureNames()}, spec.measures);
  CheckNames(problems, "strategies", {"strategy", StrategyNames()}, spec.strategies);
  CheckSteps(problems, spec);
  CheckSeeds(problems, spec.seeds);
  CheckTraining(problems, spec.training);
  CheckWordVectors(problems, spec);
  CheckOptionalName(problems, "test_metric", {"metric", MetricNames()}, spec.test_metric);
  CheckOptionalName(problems, "ig_variant", {"variant", IntegratedGradientVariantNames()}, spec.ig_variant);
  if (problems.list().empty()) CheckSize(problems, spec);
  return problems.list();
}

}  // namespace roar
