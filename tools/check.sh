#!/usr/bin/env bash
# Runs C spec programs and, after "--", busted on each folder or file given, in a process of its
# own; ends with one line, their sum.
#   tools/check.sh [program…] [-- folder…]
# From the environment: BUILD LUAJIT LUAJIT_FLAGS SEED BUSTED_FLAGS, RUN (before every program),
# LUA_RUN (one more before luajit), LIMIT (seconds for one program), NDBUF_REQUIRE_CUDA: with it a
# skip is a failure, but with 1 that of what needs two GPUs.
# A program counts what its last "N passed, N failed" says, or its groups if it lists such ("ok 1 -
# name"). One that dies, or says nothing, is a failure more.
set -uo pipefail

build=${BUILD:-build}
limit=${LIMIT:-900}
read -ra run <<<"${RUN:-}"
read -ra lua_run <<<"${LUA_RUN:-}"
read -ra lua <<<"${LUAJIT:-luajit} ${LUAJIT_FLAGS:-}"
read -ra busted_flags <<<"${BUSTED_FLAGS:-}"
passed=0 failed=0
skips=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# count NAME STATUS adds the sum at the end of the log, and notes its skips.
count() {
  local name=$1 status=$2 last p=0 f=0
  last=$(grep -aE '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
  if [[ $last =~ ^([0-9]+)' passed, '([0-9]+)' failed'$ ]]; then
    p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
    if grep -aqE '^(not )?ok [0-9]' "$log"; then
      p=$(grep -acE '^ok [0-9]' "$log") f=$(grep -acE '^not ok [0-9]' "$log")
    fi
    if ((p + f == 0)); then echo "$name: nothing was tested" && f=1; fi
  else
    echo "$name: ended without its sum" && f=1
  fi
  if ((status != 0 && f == 0)); then f=1; fi
  if ((status != 0)); then echo "$name: ended with status $status"; fi
  while IFS= read -r line; do
    skips+=("$line")
    case ${NDBUF_REQUIRE_CUDA:-}$line in
      skipped:* | 1'skipped: one device,'*) ;;
      *) f=$((f + 1)) ;;
    esac
  done < <(grep -a '^skipped: ' "$log")
  passed=$((passed + p)) failed=$((failed + f))
}

while (($# > 0)) && [[ $1 != -- ]]; do
  name=$(basename "$1")
  timeout --foreground "$limit" "${run[@]}" "$1" >"$log" 2>&1
  status=$?
  before=$passed failed_before=$failed
  count "$name" "$status"
  if ((failed > failed_before)); then cat "$log"; fi
  echo "$name: $((passed - before)) passed, $((failed - failed_before)) failed"
  shift
done

if (($# > 1)); then
  shift
  seed=${SEED:-$(date +%s)}
  echo "seed: $seed (again with: make check SEED=$seed)"
  export NDBUF_SEED=$seed NDBUF_BUILD=$build
  export LUA_PATH="./lua/?.lua;./lua/?/init.lua;${LUA_PATH:-;}"
  export LUA_CPATH="$build/?.so;${LUA_CPATH:-;}"
  for place; do
    timeout --foreground "$limit" "${run[@]}" "${lua_run[@]}" "${lua[@]}" tools/busted.lua \
      --ignore-lua --helper=spec/helper.lua --output=tools/report.lua --pattern='_spec%.lua$' \
      --shuffle --seed="$seed" "${busted_flags[@]}" "$place" 2>&1 | tee "$log" |
      grep -a --line-buffered -vE '^(skipped: |[0-9]+ passed, [0-9]+ failed$)'
    count "$place" "${PIPESTATUS[0]}"
  done
fi

if ((${#skips[@]})); then printf '%s\n' "${skips[@]}"; fi
echo "$passed passed, $failed failed"
((failed == 0))
