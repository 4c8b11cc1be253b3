#!/usr/bin/env bash
# Runs on a card what does not steer the simulated driver: the driver's contract, those of resources
# and devices, the specs of CUDA arrays, and the array specs on its memory. Without a card it fails:
# what did not run has not passed.
# From the environment: NDBUF_CUDA_DRIVER (the system's), NDBUF_REQUIRE_CUDA (1): so many GPUs,
# BUILD LUAJIT PYTHON SEED.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

export NDBUF_CUDA_DRIVER=${NDBUF_CUDA_DRIVER:-libcuda.so.1}
export NDBUF_REQUIRE_CUDA=${NDBUF_REQUIRE_CUDA:-1}
build=${BUILD:-build}

LUA_PATH="./?.lua;./lua/?.lua;./lua/?/init.lua;${LUA_PATH:-;}" \
  LUA_CPATH="$build/?.so;${LUA_CPATH:-;}" "${LUAJIT:-luajit}" - <<'LUA' || exit 1
local need = tonumber(os.getenv "NDBUF_REQUIRE_CUDA")
local found, why = require "spec.gpu.card".find(require "ndbuf", os.getenv "NDBUF_CUDA_DRIVER")
local count = found and found.count or 0
if found then print(table.concat(found.lines, "\n")) end
if count == 1 then print "one GPU: what goes from one to another is left out" end
if not need or count < need then
  local text = "gpu-check: FAILED: %s of %s GPUs%s\n0 passed, 1 failed\n"
  io.write(text:format(count, os.getenv "NDBUF_REQUIRE_CUDA", why and ": " .. why or ""))
  os.exit(1, true)
end
LUA

# Without what needs the simulated driver (#sim) or a compiler (#cc), which a packed copy may lack.
JOBS=1 BUSTED_FLAGS="--exclude-tags=sim,cc ${BUSTED_FLAGS:-}" \
  tools/check.sh "$build"/spec/cudasim/contract*_spec "$build"/spec/dev/*_spec \
  -- spec/dev
