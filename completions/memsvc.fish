# fish completion of memsvc
function __memsvc_complete
  set -l words (commandline -opc) (commandline -ct)
  memsvc complete -- $words[2..] 2>/dev/null
end
complete -c memsvc -f -a '(__memsvc_complete)'
