#include "server/coordinator.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace roar::server {
namespace {

constexpr absl::Duration kReloadPause = absl::Seconds(1);
constexpr std::int64_t kRepliesKeptSeconds = 24 * 60 * 60;

schedule::Instant SteadyNow() { return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch()); }
std::int64_t UnixNow() { return absl::ToUnixSeconds(absl::Now()); }

absl::Status NotCommitted() { return absl::UnavailableError("the coordinator could not commit, try again"); }
absl::Status Stopping() { return absl::UnavailableError("the coordinator is stopping"); }

}  // namespace

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Start(Options options, ArtifactStore& artifacts,
                                                                Metrics& metrics) {
  absl::StatusOr<std::unique_ptr<ControlStore>> store = ControlStore::Open(options.database);
  if (!store.ok()) return store.status();
  try {
    (*store)->ForgetRepliesBefore(UnixNow() - kRepliesKeptSeconds);
    (*store)->Commit();
    absl::StatusOr<std::unique_ptr<ServiceState>> state =
        ServiceState::Load(**store, artifacts, options.scheduler, SteadyNow());
    if (!state.ok()) return state.status();
    return std::unique_ptr<Coordinator>(
        new Coordinator(std::move(options), *std::move(store), *std::move(state), artifacts, metrics));
  } catch (const std::exception& error) {
    return absl::DataLossError("control.db: " + std::string(error.what()));
  }
}

Coordinator::Coordinator(Options options, std::unique_ptr<ControlStore> store, std::unique_ptr<ServiceState> state,
                         ArtifactStore& artifacts, Metrics& metrics)
    : options_(std::move(options)),
      store_(std::move(store)),
      state_(std::move(state)),
      artifacts_(artifacts),
      metrics_(metrics),
      thread_([this] { Loop(); }) {}

Coordinator::~Coordinator() { Stop(); }

void Coordinator::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Coordinator::Post(Task task) {
  {
    std::lock_guard lock(mutex_);
    if (!stopping_) {
      queue_.push_back(std::move(task));
      task = {};
    }
  }
  if (task.release) return task.release(Stopping());
  wake_.notify_one();
}

void Coordinator::Synchronize(SynchronizeCall call) {
  const absl::Duration most = std::min(options_.longest_hold, options_.scheduler.lease_ttl / 3);
  auto held = std::make_shared<HeldCall>();
  held->hold_until = SteadyNow() + std::clamp(call.wait, absl::ZeroDuration(), most);
  held->call = std::move(call);
  Post(TaskOf(held));
}

void Coordinator::Loop() {
  std::vector<Task> batch = TakeBatch();
  while (!IsStopping()) {
    RunBatch(batch);
    batch = TakeBatch();
  }
  for (Task& task : batch) task.release(Stopping());
  // Nothing is queued any more once stopping_ is set.
  for (Task& task : queue_) task.release(Stopping());
  queue_.clear();
  for (auto& [worker, held] : held_) Answer(*held, Stopping());
  held_.clear();
}

bool Coordinator::IsStopping() {
  std::lock_guard lock(mutex_);
  return stopping_;
}

schedule::Instant Coordinator::NextMoment() const {
  if (state_ == nullptr) return SteadyNow() + kReloadPause;
  schedule::Instant next = state_->scheduler().NextDeadline();
  for (const auto& [worker, held] : held_) next = std::min(next, held->hold_until);
  return next;
}

std::vector<Coordinator::Task> Coordinator::TakeBatch() {
  const schedule::Instant until = NextMoment();
  std::unique_lock lock(mutex_);
  const auto has_work = [this] { return stopping_ || !queue_.empty(); };
  if (until == absl::InfiniteDuration()) {
    wake_.wait(lock, has_work);
  } else {
    wake_.wait_for(lock, absl::ToChronoNanoseconds(std::max(until - SteadyNow(), absl::ZeroDuration())), has_work);
  }
  std::vector<Task> batch;
  while (!queue_.empty() && batch.size() < kBatchMost) {
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return batch;
}

absl::Status Coordinator::EnsureState() {
  if (state_ != nullptr) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<ServiceState>> state =
      ServiceState::Load(*store_, artifacts_, options_.scheduler, SteadyNow());
  if (!state.ok()) return state.status();
  state_ = *std::move(state);
  spdlog::info("read the state back from the data base");
  return absl::OkStatus();
}

void Coordinator::RunBatch(std::vector<Task>& batch) {
  const absl::Status status = RunAndCommit(batch);
  for (Task& task : batch) task.release(status);
}

absl::Status Coordinator::RunAndCommit(std::vector<Task>& batch) {
  try {
    if (absl::Status status = EnsureState(); !status.ok()) {
      spdlog::error("cannot read the state back: {}", std::string(status.message()));
      return NotCommitted();
    }
    const schedule::Instant started = SteadyNow();
    const std::int64_t version = state_->version();
    state_->SetNow(started, UnixNow());
    state_->Tick();
    for (Task& task : batch) task.run(*state_);
    RunHeld(batch, state_->version() != version);
    if (store_->Commit()) {
      metrics_.CountCommit(absl::ToDoubleSeconds(SteadyNow() - started), static_cast<std::int64_t>(batch.size()));
    }
    metrics_.Count(state_->TakeCounts());
    return absl::OkStatus();
  } catch (const std::exception& error) {
    spdlog::error("commit failed, memory is discarded: {}", error.what());
    store_->Rollback();
    state_.reset();
    return NotCommitted();
  }
}

Coordinator::Task Coordinator::TaskOf(const std::shared_ptr<HeldCall>& held) {
  const std::string worker = held->call.report.worker;
  auto run = [this, held, worker](ServiceState&) {
    if (const auto older = held_.extract(worker); !older.empty()) {
      Answer(*older.mapped(), absl::UnavailableError("a newer call of this worker took its place"));
    }
    GiveTurn(*held);
    // Held at once, so that what follows in this batch concerns it too.
    if (!held->answer) held_[worker] = held;
  };
  return {std::move(run), [this, held](const absl::Status& committed) { Release(held, committed); }};
}

void Coordinator::GiveTurn(HeldCall& held) {
  held.reply = state_->Synchronize(held.call.report, held.call.device);
  held.answer = held.hold_until <= state_->now() || HasNews(held);
  // The report's results have been judged; a held call has its next turn without them.
  held.call.report.finished.clear();
}

void Coordinator::Release(const std::shared_ptr<HeldCall>& held, const absl::Status& committed) {
  if (committed.ok()) {
    if (held->answer) Answer(*held, *held->reply);
    return;
  }
  const auto place = held_.find(held->call.report.worker);
  if (place != held_.end() && place->second == held) held_.erase(place);
  Answer(*held, committed);
}

void Coordinator::Answer(HeldCall& held, absl::StatusOr<SynchronizeReply> reply) {
  if (!std::exchange(held.answered, true)) held.call.reply(std::move(reply));
}

// Whether the reply differs from what the worker said it runs, or says anything else worth a call.
bool Coordinator::HasNews(const HeldCall& held) const {
  if (!held.reply->acknowledged.empty()) return true;
  std::set<std::pair<JobKey, std::int64_t>> running;
  for (const schedule::RunningReport& job : held.call.report.running) running.emplace(job.key, job.epoch);
  if (running.size() != held.reply->desired.size()) return true;
  return std::any_of(held.reply->desired.begin(), held.reply->desired.end(), [&](const Assignment& assignment) {
    return !running.contains({assignment.desired.key, assignment.desired.epoch});
  });
}

// Whether a change may have given the worker something new: a job that waits, or one that was taken from it.
bool Coordinator::MayConcern(const HeldCall& held) const {
  if (state_->JobsIn(schedule::JobStateKind::kReady) > 0) return true;
  const std::vector<schedule::DesiredJob> desired =
      state_->scheduler().DesiredJobs(held.call.report.worker, held.call.report.incarnation);
  return !std::equal(desired.begin(), desired.end(), held.reply->desired.begin(), held.reply->desired.end(),
                     [](const schedule::DesiredJob& now, const Assignment& told) {
                       return now.key == told.desired.key && now.epoch == told.desired.epoch;
                     });
}

// Gives the held calls that are due, or that a change may concern, another turn in this batch.
void Coordinator::RunHeld(std::vector<Task>& batch, bool changed) {
  for (auto next = held_.begin(); next != held_.end();) {
    const std::shared_ptr<HeldCall> held = next->second;
    const bool due = held->hold_until <= state_->now();
    if (due || (changed && MayConcern(*held))) GiveTurn(*held);
    if (!held->answer) {
      ++next;
      continue;
    }
    next = held_.erase(next);
    batch.push_back({nullptr, [this, held](const absl::Status& committed) { Release(held, committed); }});
  }
}

}  // namespace roar::server
