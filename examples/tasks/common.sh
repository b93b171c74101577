# For the scripts beside it: a folder of its own that goes away, made-up data, and commands that are shown
# before they are run. SOTTO names the program (default: build/sotto of this tree).
set -euo pipefail
tasks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${SOTTO:-$tasks/../../build/sotto}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
sotto() { "$program" "$@"; }

# Shows a command as a person would type it, and runs it.
try() {
  local word line='$'
  for word in "$@"; do
    case $word in *[\ \<\>\;\'\"\*\&]*) line+=" \"$word\"" ;; *) line+=" $word" ;; esac
  done
  echo "$line"
  "$@" 2>errors || { cat errors >&2; return 1; }
  echo
}
