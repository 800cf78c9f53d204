# bash completion of memsvc
_memsvc() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    printf -v candidate %q "$candidate"
    COMPREPLY+=("$candidate")
  done < <(memsvc complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _memsvc memsvc
