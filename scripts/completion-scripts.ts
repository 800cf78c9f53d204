/** The completion scripts. They ask the program itself, so they know every command, flag and stored name. */
export function completionScripts(): Record<string, string> {
  return { "completions/memsvc.bash": bash, "completions/_memsvc": zsh, "completions/memsvc.fish": fish };
}

const bash = `# bash completion of memsvc
_memsvc() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <(memsvc complete --bash -- "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
}
complete -o default -F _memsvc memsvc
`;

// The word at the cursor is matched without its quotes, the last of which may still be open. On macOS, compinit has not
// been run unless the user's own configuration runs it.
const zsh = `#compdef memsvc
# zsh completion of memsvc
_memsvc() {
  local typed=$PREFIX
  [[ $compstate[quote] == \\' ]] || typed=\${(Q)typed}
  local -a candidates
  candidates=("\${(@f)$(memsvc complete -- "\${(@Q)words[2,CURRENT-1]}" "$typed" 2>/dev/null)}")
  if [[ -n "\${candidates[*]}" ]]; then
    compadd -- "\${candidates[@]}"
  else
    compset -P '--*='
    _files
  fi
}
if [[ "\${funcstack[1]}" = "_memsvc" ]]; then
  _memsvc "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _memsvc memsvc
fi
`;

const fish = `# fish completion of memsvc
function __memsvc_complete
  set -l raw (commandline -ct)
  set -l typed (string unescape -- $raw; or string unescape -- $raw\\"; or string unescape -- $raw\\')
  set -l words (commandline -opc) "$typed"
  set -l candidates (memsvc complete -- $words[2..] 2>/dev/null)
  if set -q candidates[1]
    string join \\n -- $candidates
  else
    set -l flag (string match -r -- '^--[^=]+=' $raw)
    for path in (__fish_complete_path (string replace -- "$flag" '' $raw))
      echo "$flag$path"
    end
  end
end
complete -c memsvc -f -a '(__memsvc_complete)'
`;
