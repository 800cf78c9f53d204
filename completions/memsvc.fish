# fish completion of memsvc
function __memsvc_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates (memsvc complete -- $words[2..] 2>/dev/null)
  if set -q candidates[1]
    string join \n -- $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c memsvc -f -a '(__memsvc_complete)'
