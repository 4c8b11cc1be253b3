#!/usr/bin/env bash
# Runs spec/peers against the libraries of spec/peers/requirements.txt, in a virtual environment in
# BUILD/peers, in which Debian's lupa is seen, and once with another lupa; ends with one line, the
# sum of what the scripts say.
#   tools/peers.sh          the specs
#   tools/peers.sh bench    times instead, of spec/bench/exchange.py
#
# PyTorch's wheel for Linux links CUDA's libraries. For what is done here, on the CPU, empty ones
# take their place, with the names that it asks for.
set -euo pipefail

build=${BUILD:-build}
python=${PYTHON:-/usr/bin/python3}
home=$build/peers
torch=2.15.0
lupa=2.8

if [ ! -e "$home/ready" ]; then
  "$python" -m venv --system-site-packages "$home"
  "$home/bin/pip" install --quiet --disable-pip-version-check -r spec/peers/requirements.txt
  "$home/bin/pip" install --quiet --disable-pip-version-check --no-deps "torch==$torch"
  "$home/bin/pip" install --quiet --disable-pip-version-check --target "$home/lupa" "lupa==$lupa"
  touch "$home/ready"
fi

# ---- PyTorch without CUDA ----

# stub FILE PREFIXES VERSION: a library with the functions of those names that are missing.
stub() {
  local file=$1 names
  names=$(grep -oE "^($2)[A-Za-z0-9_]*" "$home/undefined" | sort -u |
    grep -vxFf "$home/defined" || true)
  {
    echo 'static long empty[64];'
    # the one whose result is looked at
    for name in $names; do
      local result=0
      if [ "$name" = __cudaRegisterFatBinary ]; then result=empty; fi
      echo "void *$name(void) { return $result; }"
    done
  } >"$home/stub.c"
  echo "${3:-NONE} { global: *; };" >"$home/stub.map"
  cc -w -shared -fPIC -Wl,-soname,"$file" ${3:+-Wl,--version-script="$home/stub.map"} \
    -o "$home/stubs/$file" "$home/stub.c"
}

make_stubs() {
  local site
  site=$("$home/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/torch
  mkdir -p "$home/stubs"
  nm -D --undefined-only "$site"/lib/*.so "$site"/_C*.so 2>/dev/null | awk '{print $NF}' |
    sort -u >"$home/undefined"
  nm -D --defined-only "$site"/lib/*.so | awk '{print $3}' | sed 's/@.*//' | sort -u \
    >"$home/defined"
  stub libcudart.so.13 'cuda|__cuda' libcudart.so.13
  stub libcusparse.so.12 'cusparse[^L]' libcusparse.so.12
  stub libcufft.so.12 cufft libcufft.so.12
  stub libcublas.so.13 'cublas[^L]' libcublas.so.13
  stub libcublasLt.so.13 cublasLt libcublasLt.so.13
  stub libcudnn.so.9 cudnn libcudnn.so.9
  stub libnvrtc.so.13 nvrtc libnvrtc.so.13
  stub libcupti.so.13 cupti libcupti.so.13
  stub libcusolver.so.12 cusolver libcusolver.so.12
  stub libcusparseLt.so.0 cusparseLt
  stub libcufile.so.0 cuFile
  stub libnccl.so.2 'nccl|pnccl'
  stub libnvshmem_host.so.3 nvshmem NVSHMEM
}

[ -e "$home/stubs/libnvshmem_host.so.3" ] || make_stubs

# ---- the specs ----

export LUA_PATH="./lua/?.lua;./lua/?/init.lua;;" LUA_CPATH="$build/?.so;;"
export NDBUF_SEED=${NDBUF_SEED:-${SEED:-}}
if [ "${1:-}" = bench ]; then exec "$home/bin/python" spec/bench/exchange.py; fi
passed=0 failed=0
run() {
  local said status=0 p f
  said=$("$@" 2>&1) || status=$?
  printf '%s\n' "$said"
  p=$(sed -n 's/^\([0-9]*\) passed, [0-9]* failed$/\1/p' <<<"$said" | tail -n 1)
  f=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed$/\1/p' <<<"$said" | tail -n 1)
  if ((status != 0 && ${f:-0} == 0)); then f=1; fi
  passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0}))
}
run "$home/bin/python" spec/peers/dlpack.py
PYTHONPATH=$home/lupa NDBUF_CASES=0.1 run "$home/bin/python" spec/peers/dlpack.py
LD_LIBRARY_PATH=$home/stubs run "$home/bin/python" spec/peers/dlpack.py torch
run "$home/bin/python" spec/peers/arrow.py
run "$home/bin/python" spec/peers/files.py numpy safetensors pillow
LD_LIBRARY_PATH=$home/stubs run "$home/bin/python" spec/peers/files.py torch
run "$home/bin/python" spec/bench/exchange.py smoke
echo "$passed passed, $failed failed"
((failed == 0))
