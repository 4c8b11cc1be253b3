#!/usr/bin/env bash
# Makes a folder with all that 'make gpu-check' and 'make bench-gpu' need but the CUDA driver, for a
# machine with a card on which nothing can be built or installed:
#   spec/gpu/pack.sh FOLDER     here
#   FOLDER/gpu-check            there, from wherever it was copied to
#   FOLDER/bench-gpu
# There it needs bash, coreutils, findutils, grep, util-linux, this processor family and a C library
# no older than this one.
# From the environment: BUILD LUAJIT PYTHON.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${1:?usage: spec/gpu/pack.sh FOLDER}
build=${BUILD:-build}
luajit=${LUAJIT:-luajit}
python=${PYTHON:-/usr/bin/python3}

if [ -e "$target" ] && [ -n "$(ls -A "$target")" ]; then
  echo "pack: $target is there, and not empty" >&2
  exit 1
fi
make -C "$root" --no-print-directory BUILD="$build" gpu-parts
mkdir -p "$target"
target=$(cd "$target" && pwd)
cd "$root"

# ---- ndbuf: what git knows of these folders, and what was built ----

git ls-files -z lua spec/{bind,dev,gpu,cudasim,bench} spec/helper.lua \
  spec/mem/stacks{,_compare,_model,_walk}.lua spec/xchg/dlpack.lua tools LICENSE |
  tar --null --files-from=- -cf - | tar -C "$target" -xf -
mkdir -p "$target"/build/{ndbuf,cudasim,spec/cudasim,spec/dev,spec/bench}
cp "$build/ndbuf/core.so" "$target/build/ndbuf/"
cp "$build/cudasim/libcuda.so.1" "$target/build/cudasim/"
cp "$build/spec/bench/gpu.so" "$target/build/spec/bench/"
for source in spec/cudasim/contract*_spec.c spec/dev/*_spec.c; do
  cp "$build/${source%.c}" "$target/build/${source%.c}"
done
find "$target/build" -type f -exec strip --strip-debug {} +

# ---- the interpreter, and the modules that a run of busted loads ----

run=$target/runtime
mkdir -p "$run"/{bin,lib,lua}
cp -L "$(command -v "$luajit")" "$run/bin/luajit"

# A line for each module that was loaded: its name and its file.
list_modules() {
  local list=$target/modules
  LUA_PATH="./lua/?.lua;./lua/?/init.lua;${LUA_PATH:-;}" LUA_CPATH="$build/?.so;${LUA_CPATH:-;}" \
    MODULES=$list "$luajit" spec/gpu/modules.lua >/dev/null
  cat "$list"
  rm "$list"
}
list_modules | while read -r module file; do
  path=${module//.//}
  case $file in
    */init.lua) path=$path/init.lua ;;
    *.lua) path=$path.lua ;;
    *) path=$path.so ;;
  esac
  mkdir -p "$(dirname "$run/lua/$path")"
  cp -L "$file" "$run/lua/$path"
done

# ---- Python and NumPy, whose answers the array specs compare with ----

cp -L "$(command -v "$python")" "$run/bin/python3"
modules=$run/lib/$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
"$python" spec/gpu/modules.py | while read -r file path; do
  mkdir -p "$modules/$(dirname "$path")"
  cp -L "$file" "$modules/$path"
done

# The libraries that all those need, but the C library's own, which has to fit the machine's kernel.
find "$run" "$target/build" -type f \( -name '*.so*' -o -path '*/bin/*' -o -name '*_spec' \) \
  -exec ldd {} + 2>/dev/null |
  awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u | grep -vE \
  '/(libc|libm|libmvec|libdl|librt|libpthread|libcuda|ld-linux[^/]*)\.so' |
  xargs -r -I{} cp -L {} "$run/lib/"

# ---- how it is started ----

cat >"$run/start" <<'SH'
# Sets what the packed programs find each other by.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
runtime=$PWD/runtime
export LUAJIT=$runtime/bin/luajit BUILD=$PWD/build
export PYTHON=$runtime/bin/python3 PYTHONHOME=$runtime
export LUA_PATH="./lua/?.lua;./lua/?/init.lua;$runtime/lua/?.lua;$runtime/lua/?/init.lua"
export LUA_CPATH="$PWD/build/?.so;$runtime/lua/?.so"
export LD_LIBRARY_PATH="$runtime/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
SH
cat >"$target/gpu-check" <<'SH'
#!/bin/bash
. "${BASH_SOURCE[0]%/*}/runtime/start"
exec spec/gpu/check.sh
SH
cat >"$target/bench-gpu" <<'SH'
#!/bin/bash
. "${BASH_SOURCE[0]%/*}/runtime/start"
LUA_PATH="$LUA_PATH;./?.lua" exec "$LUAJIT" spec/bench/gpu.lua "$BUILD/spec/bench/gpu.so" "$@"
SH
chmod +x "$target/gpu-check" "$target/bench-gpu"
du -sh "$target" | cut -f1
