#!/usr/bin/env bash
# 'make install' into a prefix that others use too: host programs compile and run on what lies
# there, and 'make uninstall' leaves all as it was.
# From the environment: BUILD LUAJIT CC
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

top=$PWD
lua=${LUAJIT:-luajit}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix stage="$scratch/a stage"
passed=0

stop() {
  echo "install-check: $1" >&2
  exit 1
}
fine() { passed=$((passed + 1)) && echo "ok - $1"; }

# What lies below a folder: kind, mode, name, and contents.
tree() {
  (cd "$1" && find . -printf '%y %m %p %l\n' && find . -type f -exec sha256sum {} +) | sort
}
files() { (cd "$1" && find . -type f) | sort; }
run_make() { make --no-print-directory -s BUILD="$BUILD" PREFIX="$prefix" "$@" >/dev/null; }

# ---- install ----

for path in bin/o lib/pkgconfig/o.pc lib/lua/5.1/ndbuf/o.so share/lua/5.1/o.lua share/doc/o/o; do
  install -D -m 644 /dev/null "$prefix/$path"
done
mkdir "$prefix/include" "$prefix/share/man"
tree "$prefix" >"$scratch/before"
files "$prefix" >"$scratch/others"

(umask 077 && run_make install && run_make install DESTDIR="$stage") || stop "make install failed"
files "$prefix" | diff "$scratch/others" - | sed -n 's/^> //p' >"$scratch/installed"
files "$stage$prefix" | diff "$scratch/installed" - || stop "with DESTDIR other files are installed"
[ -z "$(find "$stage" ! -perm -o=r)" ] || stop "others cannot read what umask 077 installed"
grep -rlF "$scratch" "$stage" | grep -vE '\.pc$|/folders$' && stop "these have the prefix in them"
fine "$(wc -l <"$scratch/installed") files go below PREFIX, and the same below DESTDIR"

# ---- host programs ----

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
mkdir -p "$scratch/src/base"
echo '#error "the host program has a header of this name"' |
  tee "$scratch"/src/base/{status,dtype,platform}.h >/dev/null
cd "$scratch/src" || exit 1

build() { # PROGRAM PACKAGE…
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c11 -Wall -Wextra -Werror -I. -o "$1" "$top/spec/embed/$1.c" \
    $(pkg-config --cflags --libs "${@:2}") || stop "$1 does not compile"
}

build core_host ndbuf
./core_host "$scratch/x.npy" || stop "core_host fails"
nm core_host | grep -q ' lua' && stop "core_host has Lua in it"
fine "a program without Lua"

export LUA_PATH="$prefix/share/lua/5.1/?.lua;$prefix/share/lua/5.1/?/init.lua"
export LUA_CPATH="$prefix/lib/lua/5.1/?.so"
build lua_host ndbuf luajit
./lua_host || stop "lua_host fails"
fine "a program with LuaJIT"

[ "$("$lua" -e 'print(require("ndbuf").ones(2, 3).shape[2])')" = 3 ] || stop "require fails"
unset LUA_PATH LUA_CPATH
echo 'print(nd.load(arg[1])(3, 2))' >script.lua
[ "$(LUAJIT=$lua "$prefix/bin/ndbuf" script.lua "$scratch/x.npy")" = 7 ] || stop "bin/ndbuf fails"
[ "$(pkg-config --modversion ndbuf)" = "$("$lua" -e "
  package.path, package.cpath = '$prefix/share/lua/5.1/?/init.lua;$prefix/share/lua/5.1/?.lua',
    '$prefix/lib/lua/5.1/?.so'
  io.write(require('ndbuf')._VERSION)")" ] || stop "ndbuf.pc has another version"
fine "luajit and bin/ndbuf, with the version of ndbuf.pc"

# ---- uninstall ----

cd "$top" || exit 1
{ run_make uninstall && run_make uninstall DESTDIR="$stage"; } || stop "make uninstall failed"
tree "$prefix" | diff "$scratch/before" - || stop "make uninstall leaves or takes something"
[ ! -d "$stage" ] || [ -z "$(ls -A "$stage")" ] || stop "left: $(find "$stage")"
run_make uninstall || stop "a second make uninstall fails"
fine "make uninstall leaves what was there, and nothing where nothing was"
echo "$passed passed, 0 failed"
