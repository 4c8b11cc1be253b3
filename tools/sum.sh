#!/usr/bin/env bash
# Runs commands of a shell one after the other; ends with one line, the sum of their last lines
# "N passed, N failed". A command that ends badly without counting a failure is one failure.
#   tools/sum.sh COMMAND…
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0
for command; do
  f=0
  bash -c "$command" >"$log"
  status=$?
  while IFS= read -r line; do
    if [[ $line =~ ^([0-9]+)' passed, '([0-9]+)' failed' ]]; then
      passed=$((passed + BASH_REMATCH[1])) f=$((f + BASH_REMATCH[2]))
    else
      printf '%s\n' "$line"
    fi
  done <"$log"
  if ((status != 0 && f == 0)); then echo stopped && f=1; fi
  failed=$((failed + f))
done
echo "$passed passed, $failed failed"
((failed == 0))
