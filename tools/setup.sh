#!/usr/bin/env bash
# Looks for what a target needs, and installs what is missing by apt-get, as root or by sudo.
#   tools/setup.sh demo|check|ci
# Elsewhere than on Debian and its kin it prints what to run, and stops.
set -uo pipefail

what=${1:-check}
lua=${LUAJIT:-luajit}
python=${PYTHON:-/usr/bin/python3}
compiler=${CC:-cc}

# ---- what is needed: a test, and the packages that make it true ----

has() { command -v "$1" >/dev/null 2>&1; }
loads() { "$lua" -e "require '$1'" >/dev/null 2>&1; }
compiles() { echo '#include <stdio.h>' | "$compiler" -fsyntax-only -x c - >/dev/null 2>&1; }
has_lua_headers() { [ -n "${LUA_INCDIR:-}" ] || [ -e /usr/include/luajit-2.1/lua.h ]; }
has_fuzzer() {
  local out made=1
  out=$(mktemp) && echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -fsanitize=fuzzer -x c - -o "$out" >/dev/null 2>&1 && made=0
  rm -f "$out"
  return $made
}
has_numpy() { "$python" -c 'import numpy' >/dev/null 2>&1; }
has_venv() { "$python" -c 'import ensurepip' >/dev/null 2>&1; }
has_lupa() { "$python" -c 'import lupa' >/dev/null 2>&1; }
has_locales() { [ -e /usr/share/i18n/locales/de_DE ]; }
has_library() { compgen -G "/usr/lib/*/$1" >/dev/null || compgen -G "/usr/lib*/$1" >/dev/null; }
has_header() { echo "#include <$1>" | "$compiler" -fsyntax-only -x c - >/dev/null 2>&1; }
compiles_aarch64() { compiler=aarch64-linux-gnu-gcc compiles; }

needs() { # TEST, PACKAGE…: when the test fails, the packages are missing
  local test=$1
  shift
  $test || { missing+=("$@") && failing+=("$test"); }
}

look() {
  local version
  missing=() failing=()
  needs compiles gcc libc6-dev
  needs 'has make' make
  needs "has $lua" luajit
  needs has_lua_headers libluajit-5.1-dev
  [ "$what" = demo ] && return
  needs 'loads busted.runner' lua-busted
  needs has_numpy python3 python3-numpy
  needs 'has pkg-config' pkg-config
  needs has_locales locales
  needs 'loads readline' lua-readline
  needs 'has valgrind' valgrind
  # what formats are loaded and saved by, and what exchanges arrays with other libraries
  needs 'has_library libpng16.so.16' libpng16-16
  needs 'has_library libturbojpeg.so.0' libturbojpeg0
  needs has_lupa python3-lupa
  # what multiplies large matrices, and factorises them
  needs 'has_library libopenblas.so.0' libopenblas0-pthread
  # what computes Fourier transforms
  needs 'has_library libfftw3.so.3' libfftw3-double3
  needs 'has_library libfftw3f.so.3' libfftw3-single3
  [ "$what" = check ] && return
  needs 'has ccache' ccache
  needs 'has clang' clang
  version=$(has clang && clang -dumpversion | cut -d. -f1)
  needs has_fuzzer "libclang-rt-${version:-14}-dev" # Debian 12's clang is 14
  needs 'has clang-format' clang-format
  needs 'has clang-tidy' clang-tidy
  needs 'has cppcheck' cppcheck
  needs 'has luacheck' lua-check
  needs 'has luarocks' luarocks
  needs 'has lua5.1' lua5.1
  needs 'has lua5.4' lua5.4
  needs compiles_aarch64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross
  needs 'has qemu-aarch64' qemu-user
  needs 'has debootstrap' debootstrap
  needs has_venv python3-venv
  needs 'has_header mpfr.h' libmpfr-dev # what mathematical functions are measured against
  # peers of 'make bench'; libmimalloc2.0 is Debian 12's name
  needs 'has_library libmimalloc.so.2' libmimalloc2.0
  needs 'has_library libjemalloc.so.2' libjemalloc2
}

# ---- how it is installed ----

stop() {
  printf 'ndbuf: %s\n' "$@" >&2
  exit 1
}

case $what in
  demo | check | ci) ;;
  *) stop "setup.sh: '$what' is not one of demo, check, ci" ;;
esac

look
((${#missing[@]} == 0)) && exit 0
line="apt-get install -y --no-install-recommends ${missing[*]}"

if ! has apt-get; then
  stop "'make $what' needs more than is here (${failing[*]}), and this system has no apt-get." \
    "On Debian or Ubuntu:  sudo $line" \
    "On Fedora:            sudo dnf install gcc make luajit luajit-devel python3-numpy luarocks" \
    "                      luarocks --lua-version=5.1 install busted" \
    "On Arch:              sudo pacman -S gcc make luajit luarocks python-numpy" \
    "                      luarocks --lua-version=5.1 install busted" \
    "On macOS:             not supported yet"
fi

if [ "$(id -u)" = 0 ]; then
  as_root=()
elif ! has sudo; then
  stop "missing: ${missing[*]}; this is not root, and there is no sudo. As root run:" "  $line"
elif sudo -n true 2>/dev/null || { [ -t 0 ] && [ -t 2 ]; }; then
  as_root=(sudo)
else
  stop "missing: ${missing[*]}; sudo wants a password, and there is no terminal. Run:" \
    "  sudo $line"
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

echo "ndbuf: installing ${missing[*]}"
apt update || echo "ndbuf: 'apt-get update' failed; trying with the lists that are there" >&2
apt install -y --no-install-recommends "${missing[@]}" ||
  stop "could not install ${missing[*]} (on Ubuntu, 'universe' has to be enabled):" "  $line"

hash -r
look
((${#missing[@]} == 0)) && exit 0
stop "installed, but not found: ${failing[*]} (compiler $compiler, LuaJIT $lua, Python $python)"
