# bash completion of memsvc
_memsvc() {
  local candidate typed="${COMP_WORDS[COMP_CWORD]}"
  local -a words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  words=("${words[@]#[\"\']}")
  COMPREPLY=()
  while IFS= read -r candidate; do
    [[ "$typed" == [\"\']* ]] || printf -v candidate %q "$candidate"
    COMPREPLY+=("$candidate")
  done < <(memsvc complete -- "${words[@]//\\/}" 2>/dev/null)
}
complete -o default -F _memsvc memsvc
