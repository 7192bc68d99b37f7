#include "client/sweep_selector.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {
namespace {

absl::StatusOr<std::int64_t> FindLast(const Coordinator& coordinator) {
  v1::ListSweepsRequest request;
  request.set_page_size(1);
  const auto page = coordinator.Call<v1::SweepService>(&v1::SweepService::Stub::ListSweeps, request);
  if (!page.ok()) return page.status();
  if (page->sweeps().empty()) return absl::NotFoundError("there is no sweep yet; start one with: roar run FILE");
  return page->sweeps(0).id();
}

absl::StatusOr<std::int64_t> FindByName(const Coordinator& coordinator, const std::string& name) {
  const auto sweeps = coordinator.List<v1::SweepService>(&v1::SweepService::Stub::ListSweeps, v1::ListSweepsRequest(),
                                                         &v1::ListSweepsResponse::sweeps);
  if (!sweeps.ok()) return sweeps.status();
  const auto found = std::ranges::find(*sweeps, name, [](const v1::SweepInfo& sweep) { return sweep.name(); });
  if (found == sweeps->end()) {
    return absl::NotFoundError(absl::StrCat("there is no sweep \"", name, "\"; see them with: roar list"));
  }
  return found->id();
}

}  // namespace

absl::StatusOr<SweepSelector> ParseSweepSelector(const std::string& text) {
  if (text.empty()) return absl::InvalidArgumentError("no sweep; give its number, its name, or last");
  if (text == "last") return LastSweep{};
  const bool is_number = std::ranges::all_of(text, absl::ascii_isdigit) && (text == "0" || text[0] != '0');
  if (!is_number) return text;
  std::int64_t id = 0;
  if (absl::SimpleAtoi(text, &id) && id > 0) return id;
  return absl::InvalidArgumentError(absl::StrCat("no sweep has the number ", text, "; see them with: roar list"));
}

absl::StatusOr<std::int64_t> FindSweep(const Coordinator& coordinator, const std::string& text) {
  const absl::StatusOr<SweepSelector> selector = ParseSweepSelector(text);
  if (!selector.ok()) return selector.status();
  if (const auto* id = std::get_if<std::int64_t>(&*selector)) return *id;
  if (const auto* name = std::get_if<std::string>(&*selector)) return FindByName(coordinator, *name);
  return FindLast(coordinator);
}

}  // namespace roar
