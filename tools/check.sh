#!/usr/bin/env bash
# Runs C spec programs and, after "--", busted on each folder or file given, in a process of its
# own; ends with one line, their sum.
#   tools/check.sh [program…] [-- folder…]
# From the environment: BUILD LUAJIT LUAJIT_FLAGS SEED BUSTED_FLAGS, RUN (before every program),
# LUA_RUN (one more before luajit), LIMIT (seconds for one program), JOBS (how many run at a time;
# as many as there are processors), NDBUF_REQUIRE_CUDA: with it a skip is a failure, but with 1 that
# of what needs two GPUs.
# The output of each comes whole when it ends; folders start first, in the order given. A program
# counts what its last "N passed, N failed" says, or its groups if it lists such ("ok 1 - name").
# One that dies, or says nothing, is a failure more.
set -uo pipefail

export BUILD=${BUILD:-build} LUAJIT=${LUAJIT:-luajit}
programs=()
while (($# > 0)) && [[ $1 != -- ]]; do programs+=("$1") && shift; done
if (($# > 0)); then shift; fi

export SEED=${SEED:-$(date +%s)}
if (($# > 0)); then echo "seed: $SEED (again with: make check SEED=$SEED)"; fi
scratch=$(mktemp -d)
export scratch
trap 'rm -rf "$scratch"' EXIT

# ---- what one process does ----

run_busted() {
  local flags=() run=() lua_run=() lua
  read -ra run <<<"${RUN:-}"
  read -ra lua_run <<<"${LUA_RUN:-}"
  read -ra lua <<<"$LUAJIT ${LUAJIT_FLAGS:-}"
  read -ra flags <<<"${BUSTED_FLAGS:-}"
  NDBUF_SEED=$SEED NDBUF_BUILD=$BUILD LUA_PATH="./lua/?.lua;./lua/?/init.lua;${LUA_PATH:-;}" \
    LUA_CPATH="$BUILD/?.so;${LUA_CPATH:-;}" timeout --foreground "${LIMIT:-900}" \
    "${run[@]}" "${lua_run[@]}" "${lua[@]}" tools/busted.lua \
    --ignore-lua --helper=spec/helper.lua --output=tools/report.lua --pattern='_spec%.lua$' \
    --shuffle --seed="$SEED" "${flags[@]}" "$1"
}

run_program() {
  local run=()
  read -ra run <<<"${RUN:-}"
  timeout --foreground "${LIMIT:-900}" "${run[@]}" "$1"
}

# count LOG NAME STATUS sets p and f from the sum at the end of the log.
count() {
  local log=$1 name=$2 status=$3 last line
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
    case ${NDBUF_REQUIRE_CUDA:-}$line in
      skipped:* | 1'skipped: one device,'*) ;;
      *) f=$((f + 1)) ;;
    esac
  done < <(grep -a '^skipped: ' "$log")
}

# run_one KIND NUMBER NAME: "PASSED FAILED" goes to a file; the output has its times of the clock
# and of a processor. A program that passes has nothing else to say.
run_one() {
  local kind=$1 log=$scratch/$2.log name=$3 p=0 f=0 n status said clock user system
  local TIMEFORMAT='%1R %1U %1S'
  { time "run_$kind" "$name" >"$log" 2>&1; } 2>"$log.time"
  status=$?
  if [ "$kind" = program ]; then name=$(basename "$name"); fi
  said=$(count "$log" "$name" "$status"; echo "$p $f" >"$scratch/$2.sum")
  read -r p f <"$scratch/$2.sum"
  read -r clock user system < <(tail -n 1 "$log.time")
  n=$((10#${user/[.,]/} + 10#${system/[.,]/}))
  {
    flock 9
    if [ "$kind" = busted ] || ((f > 0)); then
      grep -avE '^(skipped: |[0-9]+ passed, [0-9]+ failed$)' "$log"
    fi
    if [ -n "$said" ]; then printf '%s\n' "$said"; fi
    echo "$name: $p passed, $f failed ($clock s, $((n / 10)).$((n % 10)) s of a processor)"
  } 9>"$scratch/lock"
}
export -f run_busted run_program count run_one

# ---- all of them ----

n=0
{
  for place; do printf '%s\0' busted $((n++)) "$place"; done
  for program in "${programs[@]}"; do printf '%s\0' program $((n++)) "$program"; done
} >"$scratch/list"
units=$(($# + ${#programs[@]}))
xargs -0 -r -n 3 -P "${JOBS:-$(nproc)}" bash -c 'run_one "$@"' run_one <"$scratch/list"

passed=0 failed=0
for ((n = 0; n < units; n++)); do
  p=0 f=1 # counts where a unit was killed
  if [ -e "$scratch/$n.sum" ]; then read -r p f <"$scratch/$n.sum"; fi
  passed=$((passed + p)) failed=$((failed + f))
  if [ -e "$scratch/$n.log" ]; then grep -a '^skipped: ' "$scratch/$n.log"; fi
done
echo "$passed passed, $failed failed"
((failed == 0))
