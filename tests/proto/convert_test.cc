// Every field of every message that has a domain type survives message -> domain -> message. The messages are filled by
// reflection, so a field added to a .proto and forgotten in the translation fails here.

#include "proto/convert.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>

#include <set>
#include <string>

#include "core/experiment/random_stream.h"

namespace roar {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;

// Fills fields with values that differ from their defaults and that the domain can hold.
class Filler {
 public:
  // Fields of the names in `left_empty` have no counterpart in the domain.
  explicit Filler(std::int64_t seed, std::set<std::string> left_empty = {})
      : stream_(seed, "fill message"), left_empty_(std::move(left_empty)) {}

  void Fill(Message& message) {
    FillFields(message);
    // What a measure explains is not any.
    if (auto* explain = dynamic_cast<v1::ExplainSpec*>(&message)) {
      if (explain->has_data()) explain->set_measure("mutual_information");
    }
  }

 private:
  void FillFields(Message& message) {
    const auto* descriptor = message.GetDescriptor();
    for (int i = 0; i < descriptor->real_oneof_decl_count(); ++i) {
      const auto* oneof = descriptor->oneof_decl(i);
      FillField(message, *oneof->field(static_cast<int>(stream_.Below(oneof->field_count()))));
    }
    for (int i = 0; i < descriptor->field_count(); ++i) {
      if (descriptor->field(i)->real_containing_oneof() == nullptr) FillField(message, *descriptor->field(i));
    }
  }

  void FillField(Message& message, const FieldDescriptor& field) {
    if (left_empty_.contains(field.name())) return;
    const auto& reflection = *message.GetReflection();
    if (field.is_map()) {
      auto* map = dynamic_cast<v1::Provenance&>(message).mutable_seconds_by_phase();
      (*map)["staging"] = 0.5;
      (*map)["training"] = 2.25;
      return;
    }
    if (field.is_repeated()) {
      for (int i = 0; i < 2; ++i) AddValue(message, field);
      return;
    }
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT64:
        return reflection.SetInt64(&message, &field, Integer());
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return reflection.SetDouble(&message, &field, 0.125 + stream_.Uniform());
      case FieldDescriptor::CPPTYPE_BOOL:
        return reflection.SetBool(&message, &field, true);
      case FieldDescriptor::CPPTYPE_STRING:
        return reflection.SetString(&message, &field, Text(field));
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Fill(*reflection.MutableMessage(&message, &field));
      default:
        FAIL() << "no filler for " << field.full_name();
    }
  }

  void AddValue(Message& message, const FieldDescriptor& field) {
    const auto& reflection = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT64:
        return reflection.AddInt64(&message, &field, Integer());
      case FieldDescriptor::CPPTYPE_STRING:
        return reflection.AddString(&message, &field, Text(field));
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        Message& added = *reflection.AddMessage(&message, &field);
        Fill(added);
        MakeUnique(added);
        return;
      }
      default:
        FAIL() << "no filler for " << field.full_name();
    }
  }

  // Metrics are a map by split in the domain: two of the same split would collapse, and the map has an order.
  void MakeUnique(Message& added) {
    if (auto* metrics = dynamic_cast<v1::SplitMetrics*>(&added)) {
      metrics->set_split(splits_used_++ % 2 == 0 ? "validation" : "test");
    }
  }

  std::int64_t Integer() { return 1 + static_cast<std::int64_t>(stream_.Below(1'000'000)); }

  // Text that the field's meaning allows.
  std::string Text(const FieldDescriptor& field) {
    const std::string& name = field.name();
    if (name == "model") return "bilstm_attention";
    if (name == "measure") return stream_.Below(2) == 0 ? "attention" : "gradient";
    if (name == "strategy") return stream_.Below(2) == 0 ? "roar" : "recursive";
    if (name == "unit") return stream_.Below(2) == 0 ? "ratios" : "counts";
    if (name == "metric" || name == "test_metric" || name == "checkpoint_metric")
      return stream_.Below(2) == 0 ? "macro_f1" : "micro_f1";
    if (name == "split") return "train";
    if (name == "embeddings") return stream_.Below(2) == 0 ? "random" : "zeros";
    if (name == "ig_variant") return stream_.Below(2) == 0 ? "published" : "textbook";
    if (name.ends_with("sha256") || name.ends_with("key")) {
      std::string hex;
      for (int i = 0; i < 64; ++i) hex.push_back("0123456789abcdef"[stream_.Below(16)]);
      return hex;
    }
    return "text " + std::to_string(Integer());
  }

  RandomStream stream_;
  std::set<std::string> left_empty_;
  int splits_used_ = 0;
};

template <typename MessageType>
void ExpectSurvives(const std::set<std::string>& fields_without_domain = {}) {
  for (std::int64_t seed = 0; seed < 50; ++seed) {
    MessageType message;
    Filler(seed, fields_without_domain).Fill(message);
    auto domain = FromProto(message);
    ASSERT_TRUE(domain.ok()) << domain.status() << "\n" << message.DebugString();
    std::string difference;
    MessageDifferencer differencer;
    differencer.ReportDifferencesToString(&difference);
    EXPECT_TRUE(differencer.Compare(message, ToProto(*domain))) << difference;
  }
}

TEST(Convert, EveryFieldOfATrainSpecSurvives) { ExpectSurvives<v1::TrainSpec>(); }
TEST(Convert, EveryFieldOfAJobSpecSurvives) { ExpectSurvives<v1::JobSpec>(); }
TEST(Convert, EveryFieldOfAJobResultSurvives) { ExpectSurvives<v1::JobResult>(); }
TEST(Convert, EveryFieldOfASweepSpecSurvives) { ExpectSurvives<v1::SweepSpec>(); }
TEST(Convert, EveryFieldOfResultsSurvives) { ExpectSurvives<v1::GetResultsResponse>({"sweep"}); }

template <typename MessageType>
void ExpectRefused(MessageType message, const std::string& words) {
  const auto result = FromProto(message);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(result.status().message()), testing::HasSubstr(words));
}

TEST(Convert, RefusesByNameWhatItDoesNotKnow) {
  v1::TrainSpec good;
  Filler(1).Fill(good);
  v1::TrainSpec spec = good;
  spec.set_model("perceptron");
  ExpectRefused(spec, "\"perceptron\"");
  spec = good;
  spec.mutable_training()->set_checkpoint_metric("rouge");
  ExpectRefused(spec, "\"rouge\"");
  spec = good;
  spec.mutable_mask()->Clear();
  ExpectRefused(spec, "mask has no kind");
  spec = good;
  spec.mutable_dataset()->set_content_sha256("ABC");
  ExpectRefused(spec, "dataset.content_sha256");
  spec = good;
  spec.mutable_training()->set_embeddings("word2vec");
  ExpectRefused(spec, "\"word2vec\"");
  ExpectRefused(v1::JobSpec(), "no kind");
  ExpectRefused(v1::JobResult(), "no outcome");
}

TEST(Convert, RefusesAnExplanationOfWhatTheMeasureDoesNotExplain) {
  v1::JobSpec of_model;
  of_model.mutable_explain()->set_train_key(std::string(64, 'a'));
  of_model.mutable_explain()->set_measure("mutual_information");
  ExpectRefused(of_model, "measure mutual_information does not explain a model");
  v1::JobSpec of_data;
  of_data.mutable_explain()->mutable_data();
  of_data.mutable_explain()->set_measure("gradient");
  ExpectRefused(of_data, "measure gradient does not explain data without a model");
}

// Else a spec from outside could name an input that its key, and all who go by keys, know nothing of.
TEST(Convert, ReadsAMaskOfNothingOrAllAsThat) {
  const JobKey unknown(std::string(64, 'b'));
  const std::pair<Mask, Mask> cases[] = {
      {RankedMask{unknown, MaskUnit::kRatioPercent, 0}, NoMask{}},
      {RankedMask{unknown, MaskUnit::kCount, 0}, NoMask{}},
      {RankedMask{unknown, MaskUnit::kRatioPercent, 100}, AllMasked{}},
      {RandomMask{MaskUnit::kRatioPercent, 100, 7}, AllMasked{}},
      {RankedMask{unknown, MaskUnit::kCount, 100}, RankedMask{unknown, MaskUnit::kCount, 100}},
  };
  for (const auto& [written, read] : cases) {
    const DatasetReference dataset{std::string(64, 'a')};
    EXPECT_EQ(FromProto(ToProto(TrainSpec{.dataset = dataset, .mask = written})).value().mask, read);
    const ExplainSpec explanation{MaskedData{dataset, written}, {Measure::kMutualInformation}};
    EXPECT_EQ(std::get<MaskedData>(FromProto(ToProto(explanation)).value().source).mask, read);
  }
}

// Specs and results are stored as messages, and outlive the version that wrote them.
TEST(Convert, ReadsWhatWasWrittenBeforeAFieldWasThere) {
  v1::TrainSpec train = ToProto(TrainSpec{.dataset = {std::string(64, 'a')}});
  train.mutable_training()->clear_embeddings();
  EXPECT_EQ(FromProto(train)->training.embeddings, Embeddings::kRandom);

  v1::JobSpec job;
  job.mutable_explain()->set_train_key(std::string(64, 'a'));
  job.mutable_explain()->set_measure("gradient");
  EXPECT_EQ(*FromProto(job), JobSpec(ExplainSpec{JobKey(std::string(64, 'a')), {Measure::kGradient}}));
}

}  // namespace
}  // namespace roar
