#include "worker/agent/agent.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/transport/framing.h"
#include "worker/agent/runner_process.h"

namespace roar::agent {
namespace {

constexpr absl::Duration kBackoffFirst = absl::Milliseconds(500);
constexpr absl::Duration kBackoffLongest = absl::Seconds(15);
// Beyond the time for which the coordinator may hold a call.
constexpr absl::Duration kCallTimeout = absl::Seconds(15);
constexpr absl::Duration kDrainTimeout = absl::Seconds(5);
// The least between calls that bring nothing, whatever the coordinator says.
constexpr absl::Duration kPollInterval = absl::Milliseconds(250);

std::string RandomHex(std::random_device& random_device) {
  std::string text;
  for (int i = 0; i < 4; ++i) absl::StrAppendFormat(&text, "%08x", random_device());
  return text;
}

RunnerOptions RunnerOf(const AgentOptions& options, const std::string& log_name) {
  return {.program = options.runner_program,
          .arguments = {absl::StrCat("--threads=", options.threads_per_slot)},
          .threads = options.threads_per_slot,
          .log_path = options.cache_folder / "log" / (options.name + "-" + log_name + ".log")};
}

absl::Status MakeFolders(const AgentOptions& options) {
  for (const char* name : {"log", "scratch"}) {
    std::error_code error;
    std::filesystem::create_directories(options.cache_folder / name, error);
    if (error) {
      return absl::InternalError(absl::StrCat("make ", (options.cache_folder / name).string(), ": ", error.message()));
    }
  }
  return absl::OkStatus();
}

// Holds the worker's name on this machine: two of one name would take each other's leases and scratch files.
// The lock lives as long as the process.
absl::Status TakeName(const AgentOptions& options) {
  const std::string lock = (options.cache_folder / "scratch" / (options.name + ".lock")).string();
  const int descriptor = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("another worker named ", options.name, " uses ",
                                          options.cache_folder.string(),
                                          " (or its lock cannot be taken); give this one another --name"));
}

absl::StatusOr<v1::Provenance> DescribeRunner(const AgentOptions& options) {
  RunnerOptions runner = RunnerOf(options, "describe");
  runner.arguments.push_back("--describe");
  absl::StatusOr<std::unique_ptr<RunnerProcess>> process = RunnerProcess::Start(runner);
  if (!process.ok()) return absl::InternalError(std::string(process.status().message()));
  v1::Provenance description;
  if (!ReadFrame((*process)->socket(), description).ok()) {
    const std::string end = (*process)->Reap(kDrainTimeout);
    return absl::InternalError(
        absl::StrCat(runner.program.string(), " does not work: ", end, "; its log is ", runner.log_path.string()));
  }
  return description;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Agent>> Agent::Create(AgentOptions options) {
  absl::StatusOr<std::unique_ptr<CoordinatorLink>> link =
      CoordinatorLink::Open(options.access_path, options.server_address);
  if (!link.ok()) return link.status();
  if (absl::Status made = MakeFolders(options); !made.ok()) return made;
  if (absl::Status taken = TakeName(options); !taken.ok()) return taken;
  const absl::StatusOr<v1::Provenance> runner = DescribeRunner(options);
  if (!runner.ok()) return runner.status();
  return std::unique_ptr<Agent>(new Agent(std::move(options), *std::move(link), runner->device_kind()));
}

Agent::Agent(AgentOptions options, std::unique_ptr<CoordinatorLink> link, std::string device_kind)
    : options_(std::move(options)),
      link_(std::move(link)),
      device_kind_(std::move(device_kind)),
      incarnation_(RandomHex(random_device_)),
      state_(options_.slots),
      cache_(options_.cache_folder / "artifacts", link_->Transfer()),
      next_call_(SteadyNow()),
      last_busy_(next_call_) {
  for (int i = 0; i < options_.slots; ++i) {
    const std::string slot_name = absl::StrCat("slot-", i);
    slots_.push_back(std::make_unique<Slot>(
        SlotOptions{.index = i,
                    .worker = options_.name,
                    .runner = RunnerOf(options_, slot_name),
                    .scratch_folder = options_.cache_folder / "scratch" / options_.name / slot_name},
        cache_, [this](int slot, const v1::FinishedJob* finished) {
          mailbox_.Post(
              SlotEnded{.slot = slot, .finished = finished == nullptr ? std::optional<v1::FinishedJob>() : *finished});
        }));
  }
}

absl::Status Agent::Run(int stop_signals) {
  spdlog::info("{}: {} slots on {}", options_.name, options_.slots, device_kind_);
  while (true) {
    if (absl::Status stepped = Step(); !stepped.ok()) return stepped;
    const std::string reason = ReasonToEnd(stop_signals, SteadyNow());
    if (!reason.empty()) return Drain(reason);
    WaitReadable(mailbox_.fd(), stop_signals, NextDeadline() - SteadyNow());
  }
}

absl::Status Agent::Step() {
  if (absl::Status handled = HandleEvents(); !handled.ok()) return handled;
  const Instant now = SteadyNow();
  CarryOut(state_.StopExpired(now));
  if (!state_.AllFree()) last_busy_ = now;
  if (call_ == nullptr && now >= next_call_) Call(next_hold_, next_hold_ + kCallTimeout);
  // A completion does not wait for a held call's end.
  if (call_ != nullptr && held_for_ > absl::ZeroDuration() && state_.HasUnreported()) call_->Cancel();
  return absl::OkStatus();
}

absl::Status Agent::HandleEvents() {
  for (const Event& event : mailbox_.Take()) {
    if (const auto* reply = std::get_if<SynchronizeReply>(&event)) {
      if (absl::Status taken = OnReply(*reply); !taken.ok()) return taken;
      continue;
    }
    const auto& ended = std::get<SlotEnded>(event);
    state_.OnEnded(ended.slot, ended.finished.has_value() ? &*ended.finished : nullptr);
    if (backoff_ == absl::ZeroDuration()) next_call_ = SteadyNow();
  }
  return absl::OkStatus();
}

absl::Status Agent::OnReply(const SynchronizeReply& reply) {
  const bool cancelled = call_->cancelled();
  call_.reset();
  if (reply.status.ok()) {
    OnResponse(reply);
    return absl::OkStatus();
  }
  if (cancelled) {
    next_call_ = SteadyNow();
    return absl::OkStatus();
  }
  return OnCallFailed(reply.status);
}

absl::Status Agent::OnCallFailed(const absl::Status& status) {
  const bool access_is_new = link_->Reopen();
  const bool refused = absl::IsUnauthenticated(status) || absl::IsPermissionDenied(status);
  if (absl::IsFailedPrecondition(status) || absl::IsInvalidArgument(status) || (refused && !access_is_new)) {
    return status;
  }
  if (away_since_ == absl::InfiniteDuration()) {
    away_since_ = SteadyNow();
    spdlog::warn("the coordinator at {} is away ({}); trying again for ever", link_->Current().access.address(),
                 std::string(status.message()));
  }
  backoff_ = std::clamp(2 * backoff_, kBackoffFirst, kBackoffLongest);
  next_hold_ = absl::ZeroDuration();
  next_call_ = SteadyNow() + Jittered(backoff_);
  return absl::OkStatus();
}

void Agent::OnResponse(const SynchronizeReply& reply) {
  const Instant now = SteadyNow();
  if (away_since_ != absl::InfiniteDuration()) spdlog::info("the coordinator is back");
  away_since_ = absl::InfiniteDuration();
  backoff_ = absl::ZeroDuration();
  const Actions actions = state_.OnResponse(reply.response, reply.sent);
  CarryOut(actions);

  const auto interval = absl::Milliseconds(reply.response.next_call_in_milliseconds());
  next_hold_ = absl::ZeroDuration();
  next_call_ = now + Jittered(std::max(interval, kPollInterval));
  if (state_.HasFreeSlot()) {
    // A lease must see several calls.
    next_hold_ = std::min(interval, absl::Milliseconds(reply.response.lease_ttl_milliseconds()) / 3);
    const bool came_early_for_nothing = now < reply.sent + held_for_ && actions.start.empty();
    next_call_ = came_early_for_nothing ? now + kPollInterval : now;
  }
  if (state_.HasUnreported()) next_call_ = now;
}

void Agent::CarryOut(const Actions& actions) {
  for (const StopJob& stop : actions.stop) {
    spdlog::info("slot {}: stopping its job: {}", stop.slot, stop.reason);
    slots_[static_cast<std::size_t>(stop.slot)]->Stop();
  }
  for (const StartJob& start : actions.start) slots_[static_cast<std::size_t>(start.slot)]->Start(start.job);
}

void Agent::Call(absl::Duration hold, absl::Duration timeout) {
  // News that came since the hold was chosen is not for holding.
  held_for_ = state_.HasFreeSlot() && !state_.HasUnreported() ? hold : absl::ZeroDuration();
  call_ = std::make_unique<SynchronizeCall>(link_->Current(), Request(), timeout,
                                            [this](SynchronizeReply reply) { mailbox_.Post(std::move(reply)); });
}

v1::SynchronizeRequest Agent::Request() {
  v1::SynchronizeRequest request;
  request.set_worker(options_.name);
  request.set_incarnation(incarnation_);
  request.set_protocol_version(kProtocolVersion);
  request.set_software_version(ROAR_VERSION);
  request.set_slots(options_.slots);
  request.set_device_kind(device_kind_);
  request.set_drain_reason(drain_reason_);
  request.set_wait_milliseconds(absl::ToInt64Milliseconds(held_for_));
  std::vector<v1::RunningJob> progress;
  for (const std::unique_ptr<Slot>& slot : slots_) progress.push_back(slot->progress());
  state_.Report(progress, request);
  return request;
}

std::string Agent::ReasonToEnd(int stop_signals, Instant now) const {
  if (IsReadable(stop_signals)) return "the worker was told to end";
  if (!options_.idle_exit.has_value()) return "";
  if (now - last_busy_ >= *options_.idle_exit) return "the worker has had nothing to do";
  if (now - away_since_ >= *options_.idle_exit) return "the coordinator is away";
  return "";
}

// One last call that says it all, then the runners' end; neither is waited for longer than its time.
absl::Status Agent::Drain(const std::string& reason) {
  spdlog::info("{}: ending: {}", options_.name, reason);
  drain_reason_ = reason;
  CarryOut(state_.Drain(reason));
  if (call_ != nullptr) call_->Cancel();
  bool said = false;
  const Instant deadline = SteadyNow() + 2 * kDrainTimeout;
  while (SteadyNow() < deadline && (call_ != nullptr || !said || !state_.AllFree())) {
    if (call_ == nullptr && !said) {
      Call(absl::ZeroDuration(), kDrainTimeout);
      said = true;
    }
    WaitReadable(mailbox_.fd(), -1, deadline - SteadyNow());
    if (absl::Status handled = HandleEvents(); !handled.ok()) spdlog::warn("{}", std::string(handled.message()));
  }
  return absl::OkStatus();
}

Instant Agent::NextDeadline() const {
  Instant deadline = state_.NextLeaseEnd();
  if (call_ == nullptr) deadline = std::min(deadline, next_call_);
  if (options_.idle_exit.has_value()) {
    deadline = std::min(deadline, std::min(last_busy_, away_since_) + *options_.idle_exit);
  }
  return deadline;
}

absl::Duration Agent::Jittered(absl::Duration interval) {
  return interval * std::uniform_real_distribution<double>(0.8, 1.0)(random_device_);
}

}  // namespace roar::agent
