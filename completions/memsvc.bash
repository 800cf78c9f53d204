# bash completion of memsvc
_memsvc() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <(memsvc complete --bash -- "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
}
complete -o default -F _memsvc memsvc
