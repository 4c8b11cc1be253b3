#!/usr/bin/env bash
# Runs fuzzers, one after the other, each from the corpus in spec/fuzz/corpus; ends with one line,
# their sum. A finding is a failure, and so is a fuzzer that hardly runs.
#   tools/fuzz.sh NAME…
# From the environment: BUILD, SECONDS_EACH, SEED. What a fuzzer learns goes to
# BUILD/corpus/NAME, its log to BUILD/NAME.log, an input that it fails on to BUILD/finding/.
set -uo pipefail

build=${BUILD:-build/fuzz}
seconds=${SECONDS_EACH:-10}
seed=${SEED:-$(date +%s)}
passed=0 failed=0

# The number after "stat::NAME:" in a log.
stat() { sed -n "s/^stat::$1: *//p" "$2"; }

echo "seed: $seed, $seconds s each"
mkdir -p "$build/finding"
for name in "$@"; do
  log=$build/$name.log
  mkdir -p "$build/corpus/$name"
  leaks=1 # after each input; a script's garbage waits for the collector: at the end only
  if [ -e "spec/fuzz/$name.lua" ]; then leaks=0; fi
  UBSAN_OPTIONS=print_stacktrace=1 "$build/spec/fuzz/$name" "$build/corpus/$name" \
    "spec/fuzz/corpus/$name" -max_total_time="$seconds" -seed="$((seed % 2147483647))" \
    -max_len=20000 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -detect_leaks=$leaks \
    -artifact_prefix="$build/finding/$name-" >"$log" 2>&1 </dev/null
  status=$?
  runs=$(stat number_of_executed_units "$log")
  coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  echo "$name: ${runs:-0} executions, ${coverage:-0} edges, status $status"
  if ((status == 0 && ${runs:-0} >= 1000)); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    grep -v '^#[0-9]*[[:space:]]' "$log" | tail -n 40
  fi
done
echo "$passed passed, $failed failed"
((failed == 0))
