#include "client/global_options.h"

#include "absl/strings/str_cat.h"
#include "client/address.h"
#include "client/state_folder.h"

namespace roar {

void AddGlobalOptions(CLI::App& app, GlobalOptions& options) {
  CLI::Option* state = app.add_option("--state", options.state_folder,
                                      "State folder of a coordinator on this machine, which is joined or started "
                                      "[$XDG_STATE_HOME/roar or ~/.local/state/roar]")
                           ->type_name("DIR");
  app.add_option("--access", options.access_file, "Access file of a coordinator elsewhere")
      ->type_name("FILE")
      ->excludes(state);
  app.add_option("--server", options.server_address,
                 "Its address instead of that in the access file: HOST:PORT, [IPv6]:PORT or unix:/PATH")
      ->type_name("ADDRESS");
  app.add_flag("--json", options.is_json, "Print JSON instead of tables");
}

absl::StatusOr<Target> TargetOf(const GlobalOptions& options) {
  Target target{.access_file = options.access_file, .server_address = options.server_address};
  if (!options.server_address.empty()) {
    if (auto address = ParseAddress(options.server_address); !address.ok()) return address.status();
  }
  if (!options.state_folder.empty()) {
    target.state_folder = std::filesystem::absolute(options.state_folder).lexically_normal();
    return target;
  }
  absl::StatusOr<std::filesystem::path> folder = DefaultStateFolder();
  if (!folder.ok()) return options.access_file.empty() ? folder.status() : absl::StatusOr<Target>(target);
  target.state_folder = *folder;
  return target;
}

std::string Repeated(const GlobalOptions& options) {
  std::string text;
  if (!options.state_folder.empty()) absl::StrAppend(&text, " --state ", options.state_folder);
  if (!options.access_file.empty()) absl::StrAppend(&text, " --access ", options.access_file);
  if (!options.server_address.empty()) absl::StrAppend(&text, " --server ", options.server_address);
  return text;
}

}  // namespace roar
