# fish completion of memsvc
function __memsvc_complete
  set -l raw (commandline -ct)
  set -l typed (string unescape -- $raw; or string unescape -- $raw\"; or string unescape -- $raw\')
  set -l words (commandline -opc) "$typed"
  set -l candidates (memsvc complete -- $words[2..] 2>/dev/null)
  if set -q candidates[1]
    string join \n -- $candidates
  else
    set -l flag (string match -r -- '^--[^=]+=' $raw)
    for path in (__fish_complete_path (string replace -- "$flag" '' $raw))
      echo "$flag$path"
    end
  end
end
complete -c memsvc -f -a '(__memsvc_complete)'
