#include "client/output/job_times.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "client/output/format.h"
#include "client/output/table.h"

namespace roar::output {
namespace {

// In the order of a job. "staging" is what older workers called fetching and decoding together.
constexpr std::pair<const char*, const char*> kPartOfPhase[] = {
    {"starting", "start-up"},     {"staging", "data"},        {"fetching", "data"},
    {"decoding", "data"},         {"training", "arithmetic"}, {"evaluating", "arithmetic"},
    {"explaining", "arithmetic"}, {"writing", "upload"},      {"uploading", "upload"},
};
constexpr const char* kParts[] = {"start-up", "data", "arithmetic", "upload"};

struct Part {
  std::string name;
  double seconds = 0;
  std::vector<std::pair<std::string, double>> phases;

  void Add(const std::string& phase, double phase_seconds) {
    seconds += phase_seconds;
    phases.emplace_back(phase, phase_seconds);
  }
};

// All of kParts, and those phases that the job had; "other" only where there is some.
std::vector<Part> PartsOf(const v1::Provenance& provenance) {
  std::map<std::string, double> rest(provenance.seconds_by_phase().begin(), provenance.seconds_by_phase().end());
  std::vector<Part> parts;
  for (const char* name : kParts) {
    Part& part = parts.emplace_back(Part{name});
    for (const auto& [phase, part_name] : kPartOfPhase) {
      if (part.name != part_name || !rest.contains(phase)) continue;
      part.Add(phase, rest.at(phase));
      rest.erase(phase);
    }
  }
  if (rest.empty()) return parts;
  Part& other = parts.emplace_back(Part{"other"});
  for (const auto& [phase, seconds] : rest) other.Add(phase, seconds);
  return parts;
}

double TotalOf(const std::vector<Part>& parts) {
  double total = 0;
  for (const Part& part : parts) total += part.seconds;
  return total;
}

}  // namespace

std::string TimeTable(const v1::Provenance& provenance) {
  const std::vector<Part> parts = PartsOf(provenance);
  const double total = TotalOf(parts);
  if (total == 0) return "";
  Table table({{"TIME"}, {"SECONDS", Table::Align::kRight}, {"SHARE %", Table::Align::kRight}});
  const auto add = [&](const std::string& name, double seconds) {
    table.AddRow({name, absl::StrFormat("%.3f", seconds), Percent(seconds / total)});
  };
  for (const Part& part : parts) {
    add(part.name, part.seconds);
    for (const auto& [phase, seconds] : part.phases) add("  " + phase, seconds);
  }
  add("total", total);
  return "\n" + table.Render();
}

Json SecondsByPart(const v1::Provenance& provenance) {
  const std::vector<Part> parts = PartsOf(provenance);
  Json json;
  for (const Part& part : parts) json[absl::StrReplaceAll(part.name, {{"-", "_"}})] = part.seconds;
  json["total"] = TotalOf(parts);
  return json;
}

}  // namespace roar::output
