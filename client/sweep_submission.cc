#include "client/sweep_submission.h"

#include <filesystem>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/dataset_publisher.h"
#include "proto/convert.h"
#include "proto/roar/v1/rich_error.pb.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {
namespace {

// A large sweep is planned and stored within the call.
constexpr absl::Duration kSubmitTimeout = absl::Minutes(5);
constexpr char kBadRequestType[] = "type.googleapis.com/google.rpc.BadRequest";

absl::Status AsStatus(const std::string& path, const std::vector<LineProblem>& problems) {
  std::vector<std::string> lines;
  for (const auto& [line, message] : problems) lines.push_back(absl::StrCat(path, ":", line, ": ", message));
  return absl::InvalidArgumentError(absl::StrJoin(lines, "\n"));
}

// The field violations of a coordinator's error, at their lines; empty when it has none.
std::vector<LineProblem> ViolationsAtLines(const absl::Status& status, const FieldLines& lines) {
  std::vector<LineProblem> problems;
  v1::RichStatus rich;
  rich.ParseFromString(std::string(status.GetPayload(kRichErrorPayload).value_or(absl::Cord())));
  for (const google::protobuf::Any& detail : rich.details()) {
    v1::BadRequest bad_request;
    if (detail.type_url() != kBadRequestType || !bad_request.ParseFromString(detail.value())) continue;
    for (const v1::BadRequest::FieldViolation& violation : bad_request.field_violations()) {
      problems.push_back({lines.LineOf(violation.field()), violation.description()});
    }
  }
  return problems;
}

}  // namespace

absl::StatusOr<SweepFile> LoadSweepFile(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadSweepText(path);
  if (!text.ok()) return text.status();
  SweepFileReading reading = ParseSweepFile(*text, std::filesystem::path(path).stem().string());
  if (!reading.problems.empty()) return AsStatus(path, reading.problems);
  return std::move(reading.file);
}

absl::StatusOr<v1::SubmitSweepResponse> SubmitSweep(const Coordinator& coordinator, SweepFile file,
                                                    const std::string& path) {
  if (absl::Status status = ResolveDatasets(coordinator, file); !status.ok()) return status;
  v1::SubmitSweepRequest request;
  *request.mutable_spec() = ToProto(file.spec);
  request.set_request_id(NewRequestId());
  auto response = coordinator.Call<v1::SweepService>(&v1::SweepService::Stub::SubmitSweep, request, kSubmitTimeout);
  const std::vector<LineProblem> problems = ViolationsAtLines(response.status(), file.lines);
  if (!problems.empty()) return AsStatus(path, problems);
  return response;
}

}  // namespace roar
