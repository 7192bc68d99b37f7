// A coordinator in one folder, reached over TCP with TLS and token by a client in another and by two agents of two
// slots each.

#include <gmock/gmock.h>
#include <httplib.h>
#include <signal.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "proto/transport/access_file.h"
#include "proto/transport/durable_file.h"
#include "tests/e2e/installation.h"

namespace roar::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Sums of every series by its name, labels left out, as Prometheus would scrape them.
class Scrape {
 public:
  explicit Scrape(const Installation& installation) : folder_(installation.folder()) {
    const v1::Access access = *ReadAccessFile(installation.access_file());
    const std::string ca_file = (folder_ / "ca.pem").string();
    EXPECT_TRUE(WriteFileDurably(ca_file, access.ca_certificate_pem()).ok());
    token_ = access.token();
    port_ = std::stoi(access.http_address().substr(access.http_address().rfind(':') + 1));
  }

  httplib::Result Get(const std::string& path, const std::string& token) const {
    httplib::SSLClient client("127.0.0.1", port_);
    client.set_ca_cert_path((folder_ / "ca.pem").c_str());
    // The certificate carries a fixed name, not this address; that it is signed by the authority is checked below.
    client.enable_server_certificate_verification(false);
    return client.Get(path.c_str(), {{"Authorization", "Bearer " + token}});
  }

  std::map<std::string, double> Sums() const {
    const httplib::Result result = Get("/metrics", token_);
    EXPECT_TRUE(result && result->status == 200);
    std::map<std::string, double> sums;
    std::istringstream lines(result ? result->body : "");
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] == '#') continue;
      sums[line.substr(0, line.find_first_of("{ "))] += std::stod(line.substr(line.rfind(' ')));
    }
    return sums;
  }

  const std::string& token() const { return token_; }

 private:
  std::filesystem::path folder_;
  std::string token_;
  int port_ = 0;
};

class RemoteTest : public testing::Test {
 protected:
  RemoteTest() : installation_({.listen = "127.0.0.1:0", .http = "127.0.0.1:0"}) { installation_.StartCoordinator(); }

  Installation installation_;
};

TEST_F(RemoteTest, TwoAgentsShareASweepSubmittedOverTls) {
  EXPECT_THAT(installation_.RoarJson({"server", "info"}).at("address").get<std::string>(), HasSubstr("127.0.0.1:"));
  const Scrape scrape(installation_);
  const std::map<std::string, double> before = scrape.Sums();
  installation_.StartAgent("w1");
  installation_.StartAgent("w2");
  installation_.Submit(SmallSweep());
  ASSERT_EQ(installation_.Roar({"wait", "1"}, 300).exit_status, 0);

  std::set<std::string> workers;
  const json worker_list = installation_.RoarJson({"worker", "list"});
  for (const json& worker : worker_list.at("workers")) {
    EXPECT_EQ(worker.at("slots"), 2);
    workers.insert(worker.at("name"));
  }
  EXPECT_EQ(workers, (std::set<std::string>{"w1", "w2"}));
  std::set<std::string> workers_with_results;
  const json job_list = installation_.RoarJson({"job", "list", "1"});
  for (const json& job : job_list.at("jobs")) {
    const json whole = installation_.RoarJson({"job", "show", job.at("key")});
    workers_with_results.insert(whole.at("result").at("provenance").at("worker"));
  }
  EXPECT_EQ(workers_with_results, workers);

  const std::map<std::string, double> after = scrape.Sums();
  for (const std::string series : {"roar_jobs", "roar_jobs_finished_total", "roar_leases_granted_total", "roar_workers",
                                   "roar_sweeps", "roar_commit_seconds_count", "roar_commit_batch_size_count",
                                   "roar_rpcs_total", "roar_artifact_bytes_total", "roar_job_device_seconds_total"}) {
    EXPECT_GT(after.at(series), before.contains(series) ? before.at(series) : 0) << series;
  }
}

TEST_F(RemoteTest, ALostWorkersLeasesExpireAndAreCounted) {
  const Scrape scrape(installation_);
  EXPECT_EQ(scrape.Sums().at("roar_lease_expirations_total"), 0);
  installation_.StartAgent("w1");
  installation_.Submit(SmallSweep());
  ASSERT_TRUE(WaitUntil(60, [&] { return scrape.Sums().at("roar_leases_granted_total") >= 2; }));
  installation_.agent("w1").Signal(SIGKILL);
  EXPECT_TRUE(WaitUntil(60, [&] { return scrape.Sums().at("roar_lease_expirations_total") >= 1; }));
}

TEST_F(RemoteTest, NobodyComesInWithoutTheToken) {
  v1::Access access = *ReadAccessFile(installation_.access_file());
  access.set_token("0000");
  const std::string forged = (installation_.folder() / "forged.json").string();
  ASSERT_TRUE(WriteAccessFile(forged, access).ok());
  const Output client = RunProgram("roar", {"list", "--access", forged});
  EXPECT_EQ(client.exit_status, 6);
  EXPECT_THAT(client.standard_error, HasSubstr("token"));
  EXPECT_EQ(RunProgram("roar-worker", {"--access", forged, "--slots", "1", "--name", "w", "--cache",
                                       (installation_.folder() / "c").string()})
                .exit_status,
            6);
  const Scrape scrape(installation_);
  EXPECT_EQ(scrape.Get("/metrics", "0000")->status, 401);
  EXPECT_EQ(scrape.Get("/metrics", scrape.token())->status, 200);
  EXPECT_EQ(scrape.Get("/healthz", "")->status, 200);
}

TEST_F(RemoteTest, ACoordinatorOfAnotherAuthorityIsNotTrusted) {
  Installation other({.listen = "127.0.0.1:0"});
  other.StartCoordinator();
  v1::Access access = *ReadAccessFile(installation_.access_file());
  access.set_ca_certificate_pem(ReadAccessFile(other.access_file())->ca_certificate_pem());
  const std::string mixed = (installation_.folder() / "mixed.json").string();
  ASSERT_TRUE(WriteAccessFile(mixed, access).ok());
  EXPECT_EQ(RunProgram("roar", {"list", "--access", mixed}).exit_status, 3);
}

}  // namespace
}  // namespace roar::e2e
