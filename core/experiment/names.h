#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

// The names a user writes in a sweep file and reads in a result: models, importance measures, strategies.
// Each family is an enum with one row in a table; text crosses into the enum here and nowhere else.

namespace roar {

enum class Model { kBilstmAttention };

// An importance measure scores every token of a text; the highest scores are masked first.
enum class Measure { kRandom, kAttention, kGradient, kInputTimesGradient, kIntegratedGradient, kMutualInformation };

// What integrated_gradient differentiates. kPublished: the unscaled embedding, which adds a factor i/N to the i-th
// summand; it made the published numbers. kTextbook: the scaled embedding.
enum class IntegratedGradientVariant { kPublished, kTextbook };

// What the word embeddings of a fresh model are: N(0,1), or zero for every word. [PAD] is zero either way.
enum class Embeddings { kRandom, kZeros };

// How the ranking of a ratio k is obtained. kRoar: from the model trained on unmasked data. kRecursive: from the model
// trained at the previous ratio, on the data masked at the previous ratio.
enum class Strategy { kRoar, kRecursive };

// What the steps of a sweep count: integer percents of the maskable tokens, or tokens.
enum class MaskUnit { kRatioPercent, kCount };

// Number of a data split's examples and its name in results, in this order everywhere.
enum class Split { kTrain, kValidation, kTest };
inline constexpr Split kAllSplits[] = {Split::kTrain, Split::kValidation, Split::kTest};

// The performance measure a curve is drawn of, and a checkpoint is chosen by. All are fractions in [0, 1].
enum class Metric { kAccuracy, kMacroF1, kMicroF1, kAuroc };

std::string_view Name(Model model);
std::string_view Name(Measure measure);
std::string_view Name(IntegratedGradientVariant variant);
std::string_view Name(Embeddings embeddings);
std::string_view Name(Strategy strategy);
std::string_view Name(MaskUnit unit);
std::string_view Name(Split split);
std::string_view Name(Metric metric);

// The value with exactly that name, or nothing.
std::optional<Model> ModelFromName(std::string_view name);
std::optional<Measure> MeasureFromName(std::string_view name);
std::optional<IntegratedGradientVariant> IntegratedGradientVariantFromName(std::string_view name);
std::optional<Embeddings> EmbeddingsFromName(std::string_view name);
std::optional<Strategy> StrategyFromName(std::string_view name);
std::optional<MaskUnit> MaskUnitFromName(std::string_view name);
std::optional<Metric> MetricFromName(std::string_view name);

// Every name of a family, in the order of its table, for messages and completion.
std::span<const std::string_view> ModelNames();
std::span<const std::string_view> MeasureNames();
std::span<const std::string_view> IntegratedGradientVariantNames();
std::span<const std::string_view> EmbeddingsNames();
std::span<const std::string_view> StrategyNames();
std::span<const std::string_view> MetricNames();

// Whether the measure's ranking comes from an `explain` job. A random ranking is derived from the seed by whoever needs
// it.
bool NeedsExplanation(Measure measure);

// Whether that job reads a trained model. Mutual information is one of the masked data alone.
bool NeedsModel(Measure measure);

// Whether an explanation takes so long that parts of it on several slots are worth a job each: minutes rather than
// seconds. Only measures of a model are made in chunks.
bool IsWorthSplitting(Measure measure);

}  // namespace roar
