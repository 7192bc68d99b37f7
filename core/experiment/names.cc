#include "core/experiment/names.h"

#include <array>
#include <cstddef>

namespace roar {
namespace {

// The position of a name in its table is the value of its enum.
constexpr std::array<std::string_view, 1> kModelNames = {"bilstm_attention"};
constexpr std::array<std::string_view, 6> kMeasureNames = {
    "random", "attention", "gradient", "input_times_gradient", "integrated_gradient", "mutual_information"};
constexpr std::array<std::string_view, 2> kVariantNames = {"published", "textbook"};
constexpr std::array<std::string_view, 2> kEmbeddingsNames = {"random", "zeros"};
constexpr std::array<std::string_view, 2> kStrategyNames = {"roar", "recursive"};
constexpr std::array<std::string_view, 2> kMaskUnitNames = {"ratios", "counts"};
constexpr std::array<std::string_view, 3> kSplitNames = {"train", "validation", "test"};
constexpr std::array<std::string_view, 4> kMetricNames = {"accuracy", "macro_f1", "micro_f1", "auroc"};

template <typename Enum, std::size_t N>
std::optional<Enum> FromName(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view Name(Model model) { return kModelNames[static_cast<std::size_t>(model)]; }
std::string_view Name(Measure measure) { return kMeasureNames[static_cast<std::size_t>(measure)]; }
std::string_view Name(IntegratedGradientVariant variant) { return kVariantNames[static_cast<std::size_t>(variant)]; }
std::string_view Name(Embeddings embeddings) { return kEmbeddingsNames[static_cast<std::size_t>(embeddings)]; }
std::string_view Name(Strategy strategy) { return kStrategyNames[static_cast<std::size_t>(strategy)]; }
std::string_view Name(MaskUnit unit) { return kMaskUnitNames[static_cast<std::size_t>(unit)]; }
std::string_view Name(Split split) { return kSplitNames[static_cast<std::size_t>(split)]; }
std::string_view Name(Metric metric) { return kMetricNames[static_cast<std::size_t>(metric)]; }

std::optional<Model> ModelFromName(std::string_view name) { return FromName<Model>(kModelNames, name); }
std::optional<Measure> MeasureFromName(std::string_view name) { return FromName<Measure>(kMeasureNames, name); }
std::optional<IntegratedGradientVariant> IntegratedGradientVariantFromName(std::string_view name) {
  return FromName<IntegratedGradientVariant>(kVariantNames, name);
}
std::optional<Embeddings> EmbeddingsFromName(std::string_view name) {
  return FromName<Embeddings>(kEmbeddingsNames, name);
}
std::optional<Strategy> StrategyFromName(std::string_view name) { return FromName<Strategy>(kStrategyNames, name); }
std::optional<MaskUnit> MaskUnitFromName(std::string_view name) { return FromName<MaskUnit>(kMaskUnitNames, name); }
std::optional<Metric> MetricFromName(std::string_view name) { return FromName<Metric>(kMetricNames, name); }

std::span<const std::string_view> ModelNames() { return kModelNames; }
std::span<const std::string_view> MeasureNames() { return kMeasureNames; }
std::span<const std::string_view> IntegratedGradientVariantNames() { return kVariantNames; }
std::span<const std::string_view> EmbeddingsNames() { return kEmbeddingsNames; }
std::span<const std::string_view> StrategyNames() { return kStrategyNames; }
std::span<const std::string_view> MetricNames() { return kMetricNames; }

bool NeedsExplanation(Measure measure) { return measure != Measure::kRandom; }

bool NeedsModel(Measure measure) { return NeedsExplanation(measure) && measure != Measure::kMutualInformation; }

bool IsWorthSplitting(Measure measure) { return measure == Measure::kIntegratedGradient; }

}  // namespace roar
