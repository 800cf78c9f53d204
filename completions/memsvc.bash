# bash completion of memsvc
_memsvc() {
  local IFS=$'\n'
  COMPREPLY=($(memsvc complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _memsvc memsvc
