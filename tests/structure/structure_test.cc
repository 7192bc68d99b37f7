// The rules of the layout that can be checked are checked here: which layer may include which, how long files and
// functions may be, which names say nothing. CONTRIBUTING.md has the reasons.

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace roar {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ROAR_SOURCE_DIR;

struct SourceFile {
  std::string path;  // from the repository's root
  std::vector<std::string> lines;
};

std::vector<std::string> ReadLines(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<SourceFile> SourceFiles() {
  static const std::vector<std::string> kFolders = {"core",   "proto",  "datasets", "worker", "server",
                                                    "client", "deploy", "tests",    "bench"};
  std::vector<SourceFile> files;
  for (const std::string& folder : kFolders) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      static const std::set<std::string> kEndings = {".cc", ".h", ".proto", ".sh"};
      if (!entry.is_regular_file() || !kEndings.contains(entry.path().extension())) continue;
      files.push_back({fs::relative(entry.path(), kRoot).string(), ReadLines(entry.path())});
    }
  }
  return files;
}

bool IsIn(const std::string& path, const std::string& folder) { return path.starts_with(folder + "/"); }

// A layer, and the first parts of what its files may include besides the standard library, absl and their own folder.
// The longest matching layer is a file's. Test and bench may include anything and nobody includes them.
struct Layer {
  std::string folder;
  std::set<std::string> allowed;
};

const std::vector<Layer>& Layers() {
  static const std::vector<Layer> kLayers = {
      {"core/experiment", {"openssl/sha.h"}},
      {"core/masks", {"core/experiment"}},
      {"core/faithfulness", {"core/experiment", "boost/math"}},
      {"core/sweep", {"core/experiment", "core/faithfulness"}},
      {"core/schedule", {"core/experiment", "core/sweep"}},
      {"proto", {"core", "google/protobuf"}},
      {"proto/transport", {"core", "proto", "google/protobuf", "grpcpp", "openssl", "POSIX"}},
      {"datasets",
       {"core", "proto/roar", "proto/convert", "proto/transport/durable_file.h", "proto/transport/length_prefix.h",
        "zstd.h", "google/protobuf", "nlohmann", "POSIX"}},
      {"worker/ml/fused", {"core/experiment", "core/masks", "worker/ml/encoded_dataset.h", "cblas.h", "immintrin.h"}},
      {"worker/ml", {"core", "torch", "ATen", "c10", "POSIX"}},
      {"worker/agent", {"core", "proto", "grpcpp", "google/protobuf", "spdlog", "CLI/", "POSIX"}},
      {"worker/runner",
       {"core", "proto/roar", "proto/convert", "proto/transport/durable_file.h", "proto/transport/framing.h",
        "datasets", "worker/ml/run_job.h", "google/protobuf", "CLI/", "POSIX"}},
      {"server",
       {"core", "proto", "grpcpp", "grpc/", "google/protobuf", "SQLiteCpp", "sqlite3.h", "zstd.h", "prometheus",
        "httplib.h", "openssl", "nlohmann", "spdlog", "CLI/", "POSIX"}},
      {"client", {"core", "proto", "datasets", "grpcpp", "google/protobuf", "CLI/", "nlohmann", "yaml-cpp", "POSIX"}},
  };
  return kLayers;
}

const Layer* LayerOf(const std::string& path) {
  const Layer* found = nullptr;
  for (const Layer& layer : Layers()) {
    if (IsIn(path, layer.folder) && (found == nullptr || layer.folder.size() > found->folder.size())) found = &layer;
  }
  return found;
}

// Headers of the C library and the operating system: do I/O, hence not for core.
bool IsPosixHeader(const std::string& header) {
  return header.ends_with(".h") && (header.find('/') == std::string::npos || IsIn(header, "sys") ||
                                    IsIn(header, "netinet") || IsIn(header, "arpa") || IsIn(header, "linux"));
}

bool IsStandardHeader(const std::string& header) {
  return header.find('/') == std::string::npos && header.find('.') == std::string::npos;
}

bool MayInclude(const Layer& layer, const std::string& header) {
  if (IsStandardHeader(header) || IsIn(header, "absl") || IsIn(header, layer.folder)) return true;
  for (const std::string& allowed : layer.allowed) {
    if (header.starts_with(allowed)) return true;
  }
  return layer.allowed.contains("POSIX") && IsPosixHeader(header);
}

std::vector<std::string> IncludesOf(const SourceFile& file) {
  static const std::regex kInclude(R"(^\s*#include [<"]([^>"]+)[>"])");
  std::vector<std::string> headers;
  for (const std::string& line : file.lines) {
    if (std::smatch match; std::regex_search(line, match, kInclude)) headers.push_back(match[1]);
  }
  return headers;
}

TEST(Layers, IncludeOnlyWhatTheirRowNames) {
  for (const SourceFile& file : SourceFiles()) {
    const Layer* layer = LayerOf(file.path);
    if (layer == nullptr) continue;
    for (const std::string& header : IncludesOf(file)) {
      EXPECT_TRUE(MayInclude(*layer, header)) << file.path << " includes " << header;
    }
  }
}

TEST(Layers, EveryFolderWithCodeHasOne) {
  for (const SourceFile& file : SourceFiles()) {
    if (IsIn(file.path, "tests") || IsIn(file.path, "bench") || IsIn(file.path, "deploy")) continue;
    EXPECT_NE(LayerOf(file.path), nullptr) << file.path;
  }
}

TEST(Layers, CoreTouchesNoClockThreadOrDevice) {
  static const std::set<std::string> kImpure = {"thread",   "mutex",      "random", "fstream",
                                                "iostream", "filesystem", "future", "condition_variable"};
  static const std::regex kImpureCall(R"(\b(absl::Now|system_clock|steady_clock|random_device|getenv|rand)\b)");
  for (const SourceFile& file : SourceFiles()) {
    if (!IsIn(file.path, "core")) continue;
    for (const std::string& header : IncludesOf(file)) {
      EXPECT_FALSE(kImpure.contains(header)) << file.path << " includes <" << header << ">";
    }
    for (const std::string& line : file.lines) {
      EXPECT_FALSE(std::regex_search(line, kImpureCall)) << file.path << ": " << line;
    }
  }
}

TEST(Layers, OnlySourcesBelowWorkerMlSeeLibTorch) {
  for (const SourceFile& file : SourceFiles()) {
    const bool is_public_header = file.path == "worker/ml/run_job.h" || file.path == "worker/ml/encoded_dataset.h";
    if (IsIn(file.path, "worker/ml") && !is_public_header) continue;
    if (IsIn(file.path, "tests/ml") || IsIn(file.path, "bench")) continue;
    for (const std::string& header : IncludesOf(file)) {
      EXPECT_FALSE(IsIn(header, "torch") || IsIn(header, "ATen") || IsIn(header, "c10")) << file.path;
    }
  }
}

TEST(Sizes, FilesStayReadable) {
  for (const SourceFile& file : SourceFiles()) {
    const std::size_t lines_most = IsIn(file.path, "tests") ? 600 : 400;
    EXPECT_LE(file.lines.size(), lines_most) << file.path;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_LE(file.lines[i].size(), 140u) << file.path << ":" << i + 1;
    }
  }
}

// A function's body is found by the formatting: it opens at the end of an unindented line and closes with an unindented
// brace.
TEST(Sizes, FunctionsStayReadable) {
  static const std::regex kNotAFunction(R"(^(namespace|class|struct|enum|extern|union)\b)");
  for (const SourceFile& file : SourceFiles()) {
    if (!file.path.ends_with(".cc")) continue;
    std::size_t opened_at = 0;
    bool open = false;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      if (line.empty()) continue;
      const bool is_indented = line[0] == ' ' || line[0] == '#' || line[0] == '/';
      if (!is_indented && line.ends_with("{") && !std::regex_search(line, kNotAFunction)) {
        open = true;
        opened_at = i;
      }
      if (open && line == "}") {
        EXPECT_LE(i - opened_at, 62u) << file.path << ":" << opened_at + 1;
        open = false;
      }
    }
  }
}

TEST(Names, SaySomething) {
  static const std::regex kEmptyWords(R"((^|[/_.-])(util|utils|helper|helpers|common|manager|misc)([/_.-]|$))");
  for (const SourceFile& file : SourceFiles()) {
    EXPECT_FALSE(std::regex_search(file.path, kEmptyWords)) << file.path;
  }
}

TEST(Names, HeadersHaveAGuardAndNothingIsLeftForLater) {
  const std::regex later(std::string(R"(\b(TO)") + R"(DO|FIX)" + R"(ME|XX)" + R"(X|HA)" + R"(CK)\b)");
  for (const SourceFile& file : SourceFiles()) {
    if (file.path.ends_with(".h")) {
      EXPECT_THAT(file.lines, testing::Contains("#pragma once")) << file.path;
    }
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_FALSE(std::regex_search(file.lines[i], later)) << file.path << ":" << i + 1;
    }
  }
}

std::string ReadText(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A heading's anchor: its words in lower case, joined by hyphens, without what is neither letter, digit nor hyphen.
std::set<std::string> AnchorsOf(const fs::path& document) {
  std::set<std::string> anchors;
  for (const std::string& line : ReadLines(document)) {
    if (!line.starts_with("#")) continue;
    std::string anchor;
    for (const char c : line.substr(std::min(line.find_first_not_of("# "), line.size()))) {
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') {
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(Documents, LinksLeadSomewhere) {
  static const std::regex kLink(R"(\]\(([^)#\s]*)(#[^)\s]*)?\))");
  std::vector<fs::path> documents = {kRoot / "README.md", kRoot / "ARCHITECTURE.md", kRoot / "CONTRIBUTING.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  }
  int links = 0;
  for (const fs::path& document : documents) {
    const std::string text = ReadText(document);
    for (std::sregex_iterator link(text.begin(), text.end(), kLink), end; link != end; ++link) {
      if (link->str(1).find(':') != std::string::npos) continue;
      ++links;
      const fs::path target = link->str(1).empty() ? document : document.parent_path() / link->str(1);
      EXPECT_TRUE(fs::exists(target)) << document << " links to " << link->str(1);
      if (link->str(2).empty()) continue;
      EXPECT_THAT(AnchorsOf(target), testing::Contains(link->str(2).substr(1))) << document;
    }
  }
  EXPECT_GT(links, 50);
}

// The rules above can fail: each is shown one file that breaks it.
TEST(Layers, TheRulesBite) {
  const Layer& core = *LayerOf("core/masks/ranking.cc");
  EXPECT_FALSE(MayInclude(core, "unistd.h"));
  EXPECT_FALSE(MayInclude(core, "core/schedule/scheduler.h"));
  EXPECT_TRUE(MayInclude(core, "core/experiment/names.h"));
  EXPECT_FALSE(MayInclude(*LayerOf("worker/agent/agent.cc"), "torch/torch.h"));
  EXPECT_FALSE(MayInclude(*LayerOf("server/coordinator.cc"), "client/connection.h"));
  EXPECT_FALSE(MayInclude(*LayerOf("worker/runner/job_runner.cc"), "grpcpp/grpcpp.h"));
  EXPECT_FALSE(MayInclude(*LayerOf("worker/ml/fused/kernels.cc"), "torch/torch.h"));
  EXPECT_FALSE(MayInclude(*LayerOf("worker/ml/fused/kernels.cc"), "worker/ml/run_job.h"));
  EXPECT_EQ(LayerOf("proto/transport/channel.cc")->folder, "proto/transport");
}

}  // namespace
}  // namespace roar
