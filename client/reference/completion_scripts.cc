#include "client/reference/completion_scripts.h"

#include <map>

namespace roar::reference {
namespace {

// Each asks `roar completion words` for what may come next, and leaves paths to the shell.

constexpr char kBash[] = R"script(# bash completion for roar; to have it: source <(roar completion bash)
_roar() {
  local kind word rest current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == = ]] && current=
  COMPREPLY=()
  {
    read -r kind
    while IFS=$'\t' read -r word rest; do COMPREPLY+=("$word"); done
  } < <("${COMP_WORDS[0]/#\~/$HOME}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  local action
  case $kind in
    files) action=-f ;;
    folders) action=-d ;;
    *) return ;;
  esac
  compopt -o filenames 2>/dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$action" -- "$current")
}
complete -F _roar roar
)script";

constexpr char kZsh[] = R"script(#compdef roar
# zsh completion for roar; to have it: source <(roar completion zsh), after compinit
_roar() {
  local -a lines described
  local line
  lines=("${(@f)$("${(Q)words[1]/#\~/$HOME}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do
    described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  (( $#described )) && _describe 'roar' described
  case $lines[1] in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _roar ]]; then _roar "$@"; else compdef _roar roar; fi
)script";

constexpr char kFish[] = R"script(# fish completion for roar; to have it: roar completion fish | source
function __roar_candidates
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l lines ($words[1] completion words -- $words[2..-1] "$current" 2>/dev/null)
  printf '%s\n' $lines[2..-1]
  switch "$lines[1]"
    case files
      __fish_complete_path "$current"
    case folders
      __fish_complete_directories "$current" ''
  end
end
complete -c roar -f -a '(__roar_candidates)'
)script";

const std::map<std::string, std::string>& Scripts() {
  static const std::map<std::string, std::string> kScripts = {{"bash", kBash}, {"fish", kFish}, {"zsh", kZsh}};
  return kScripts;
}

}  // namespace

const std::vector<std::string>& CompletionShells() {
  static const std::vector<std::string> kShells = {"bash", "zsh", "fish"};
  return kShells;
}

std::string CompletionScript(const std::string& shell) { return Scripts().at(shell); }

}  // namespace roar::reference
