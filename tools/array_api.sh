#!/usr/bin/env bash
# Runs the public test suite of the Array API standard on ndbuf, through Python (spec/array_api/),
# in a virtual environment in BUILD/array-api.
#   tools/array_api.sh SUITE [arguments of pytest]
# SUITE is a clone of array-api-tests with its submodule. LAYOUTS are those that arrays have in
# turn, EXAMPLES is how many each test draws. What spec/array_api/differs.txt names may fail. Ends
# with one line, the sum over the layouts; it is a failure if fewer than 1300 pass in one of them.
set -euo pipefail

suite=$(cd "${1:?the folder of array-api-tests is missing}" && pwd)
shift
here=$PWD
build=$(cd "${BUILD:-build}" && pwd)
home=$build/array-api
least=1300
if (($# > 0)); then least=0; fi

if [ ! -e "$home/ready" ]; then
  "${PYTHON:-/usr/bin/python3}" -m venv "$home"
  "$home/bin/pip" install --quiet --disable-pip-version-check -r spec/array_api/requirements.txt
  touch "$home/ready"
fi

export PYTHONPATH=$here/spec/array_api PYTHONDONTWRITEBYTECODE=1
export ARRAY_API_TESTS_MODULE=ndbuf_array_api
export LUA_PATH="$here/lua/?.lua;$here/lua/?/init.lua;;" LUA_CPATH="$build/?.so;;"
NDBUF_MAPPED=$(mktemp -d)
export NDBUF_MAPPED
trap 'rm -rf "$NDBUF_MAPPED"' EXIT
sed '/^test_/s|^|array_api_tests/test_special_cases.py::|' spec/array_api/differs.txt \
  >"$NDBUF_MAPPED/differs"
passed=0 failed=0
cd "$suite"
for layout in ${LAYOUTS:-packed strided unaligned expanded mapped}; do
  said=$(NDBUF_LAYOUT=$layout "$home/bin/python" -m pytest array_api_tests -q --no-header \
    --tb=short -p no:cacheprovider --max-examples="${EXAMPLES:-100}" --disable-deadline \
    --xfails-file="$NDBUF_MAPPED/differs" "$@" 2>&1) || true
  last=${said##*$'\n'}
  p=$(grep -oE '[0-9]+ passed' <<<"$last" | grep -oE '[0-9]+' || echo 0)
  f=$(grep -oE '[0-9]+ (failed|error)' <<<"$last" | grep -oE '[0-9]+' | paste -sd+ || true)
  f=$((${f:-0}))
  if ((f > 0 || p < least)); then printf '%s\n' "$said"; fi
  if ((p < least)); then f=$((f + 1)); fi
  echo "$layout: $last"
  passed=$((passed + p)) failed=$((failed + f))
done
echo "$passed passed, $failed failed"
((failed == 0))
