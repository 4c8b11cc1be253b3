#!/usr/bin/env bash
# What is missing when make begins does not show in what it builds: from git and make alone, from a
# compiler without LuaJIT's headers, and with all there (BUILD), 'make demo' makes the same bytes.
# In a namespace of its own compiler, LuaJIT, headers and pkg-config are hidden, and an apt-get that
# is none brings them back; tools/clean_root.sh does the same with a root that never had them.
# From the environment: BUILD
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

if [ -z "${NDBUF_HIDDEN:-}" ]; then
  NDBUF_HIDDEN=$(mktemp -d)
  export NDBUF_HIDDEN
  trap 'rm -rf "$NDBUF_HIDDEN"' EXIT
  if ! unshare -rm true 2>/dev/null; then
    echo "skipped: no namespace can be made here, so that nothing can be hidden from make"
    echo "0 passed, 0 failed"
    exit 0
  fi
  unshare -rm "$0"
  exit
fi

scratch=$NDBUF_HIDDEN
built=$(realpath "${BUILD:-build}")
passed=0

stop() {
  echo "first-build: $1" >&2
  [ ! -s "$scratch/log" ] || tail -n 40 "$scratch/log" >&2
  exit 1
}
fine() { passed=$((passed + 1)) && echo "ok - $1"; }

# ---- what is hidden, and how it comes back ----

# hide PATH…: a program is covered by what cannot be run, a folder by an empty one.
hide() {
  local path
  for path; do
    if [ -d "$path" ]; then mount -t tmpfs none "$path"; else mount --bind /dev/null "$path"; fi ||
      stop "cannot hide $path"
    echo "$path" >>"$scratch/hidden"
  done
}
programs() { # NAME…: where they are, links followed
  local name
  for name; do type -aP "$name"; done | xargs -r realpath | sort -u
}
headers() { find /usr/include -maxdepth 1 -name 'lua*'; }

mkdir "$scratch/bin"
cat >"$scratch/bin/apt-get" <<'SH'
#!/bin/sh
case " $* " in
  *" install "*) while read -r path; do umount "$path"; done <"$NDBUF_HIDDEN/hidden" ;;
esac
SH
chmod +x "$scratch/bin/apt-get"
export PATH=$scratch/bin:$PATH
unset MAKEFLAGS MAKELEVEL MFLAGS LUA_PATH LUA_CPATH

copy() { # FOLDER: the last commit, with what has changed since in its files
  local commit
  commit=$(git -c user.name=ndbuf -c user.email= stash create)
  mkdir "$scratch/$1" && git archive "${commit:-HEAD}" | tar -C "$scratch/$1" -x ||
    stop "cannot copy the checkout"
}
same() { # FOLDER
  local file
  for file in ndbuf/core.so libndbuf.a; do
    cmp "$built/$file" "$scratch/$1/build/$file" || stop "$1: another $file"
  done
}
make_in() { make -C "$scratch/$1" BUILD=build "${@:2}" >"$scratch/log" 2>&1; }
line() { # TEXT: the log has this, and one line besides make's own
  if ! grep -qF "$1" "$scratch/log" || [ "$(grep -c -v '^make' "$scratch/log")" != 1 ]; then
    stop "it does not say: $1"
  fi
}

# ---- git and make alone ----

copy a
copy b
mapfile -t compilers < <(programs cc gcc c99 clang)
mapfile -t rest < <(programs pkg-config "${LUAJIT:-luajit}" && headers)
hide "${compilers[@]}" "${rest[@]}"
if make_in a all; then stop "make passes without a compiler"; fi
line "ndbuf needs a C compiler: 'cc' compiles nothing here"
fine "no compiler is said in one sentence"
make_in a demo || stop "git and make alone"
same a
fine "git and make alone: the same bytes"

# ---- a compiler, and no headers of LuaJIT's ----

: >"$scratch/hidden"
hide "${rest[@]}"
make_in b build/libndbuf.a || stop "the C library needs no Lua"
nm "$scratch/b/build/libndbuf.a" 2>/dev/null | grep -q luaopen && stop "the headers are not hidden"
if make_in b all; then stop "make passes without LuaJIT's headers"; fi
grep -q "ndbuf needs LuaJIT's headers" "$scratch/log" || stop "it says nothing of missing headers"
make_in b demo || stop "a compiler without headers"
same b
fine "a compiler without LuaJIT's headers: the same bytes"
echo "$passed passed, 0 failed"
