#!/usr/bin/env bash
# The README's way through a fresh Debian with git, make and sudo in it: a user's clone of HEAD, the
# demo, the specs, of which none is skipped; what git and make alone built against what is built
# when all is there, and when LuaJIT's headers are not; the packed rock in a clean tree, the
# examples from there, 'make install', and what 'make uninstall' leaves. Root, debootstrap and the
# machine's own Debian mirror are needed.
#   tools/clean_root.sh [FOLDER]     keeps the root in FOLDER; else it is removed at the end
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=${1:-$(mktemp -d)}
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)
if [ -z "${1:-}" ]; then trap 'rm -rf --one-file-system "$root" "$root.log"' EXIT; fi

if [ ! -e "$root/usr/bin/apt-get" ]; then
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log" && exit 1; }
fi
chmod 755 "$root" # users other than root are to get in, as on any machine
cp /etc/resolv.conf "$root/etc/"
rm -rf "$root/root/ndbuf"
git clone -q --no-hardlinks . "$root/root/ndbuf"

# Each step prints its name, its seconds and the last line of what it said; the first that fails
# prints all and ends the walk.
cat >"$root/root/walk" <<'WALK'
set -euo pipefail
export HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive
unset MAKEFLAGS MAKELEVEL MFLAGS WERROR CCACHE JOBS
passed=0
files() {
  find / -xdev \( -path /proc -o -path /dev -o -path /root -o -path /home -o -path /tmp \) -prune \
    -o -print | sort
}
fetch() {
  apt-get update -q && apt-get install -y -q --no-install-recommends git make sudo || return 1
  id newcomer 2>/dev/null || useradd -m -s /bin/bash newcomer
  echo 'newcomer ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/newcomer
  rm -rf /home/newcomer/ndbuf && cp -r /root/ndbuf /home/newcomer/ &&
    chown -R newcomer: /home/newcomer/ndbuf
}
newcomer() { su newcomer -c "cd ~/ndbuf && $*"; }
demo() {
  newcomer make demo && mkdir -p /root/first &&
    cp /home/newcomer/ndbuf/build/{ndbuf/core.so,libndbuf.a} /root/first/
}
check() { newcomer make check | tee /root/said && ! grep -a '^skipped: ' /root/said; }
same() { # FOLDER
  cmp /root/first/core.so "$1/build/ndbuf/core.so" &&
    cmp /root/first/libndbuf.a "$1/build/libndbuf.a"
}
all_there() { git clone -q /root/ndbuf /root/second && make -C /root/second && same /root/second; }
no_headers() {
  apt-get purge -y -q libluajit-5.1-dev pkg-config && apt-get autoremove -y -q &&
    git clone -q /root/ndbuf /root/third && make -C /root/third build/libndbuf.a &&
    ! nm /root/third/build/libndbuf.a | grep luaopen &&
    make -C /root/third demo && same /root/third
}
step() {
  local name=$1 from=$SECONDS
  shift
  if ! "$@" >/root/log 2>&1; then
    cat /root/log
    echo "FAILED: $name" && echo "$passed passed, 1 failed" && exit 1
  fi
  passed=$((passed + 1))
  echo "ok - $name ($((SECONDS - from)) s): $(tail -n 1 /root/log)"
}
rock() {
  newcomer make rocks && apt-get install -y -q --no-install-recommends luarocks || return 1
  luarocks --lua-version=5.1 --tree=/root/built make rockspec/ndbuf-dev-1.rockspec &&
    (cd /root && luarocks --lua-version=5.1 --tree=/root/built pack ndbuf) &&
    luarocks --lua-version=5.1 --tree=/root/rocks install /root/ndbuf-*.rock
}
examples() { # by the 'ndbuf' of the rock, away from the checkout's Lua files; one needs a GPU
  eval "$(luarocks --lua-version=5.1 --tree=/root/rocks path)"
  for example in examples/*.lua; do
    unset NDBUF_CUDA_DRIVER
    case $example in
      */gpu_streams.lua) export NDBUF_CUDA_DRIVER=build/cudasim/libcuda.so.1 ;;
    esac
    echo "$example" && luajit -e 'nd = require "ndbuf"' "$example" || return 1
  done
  luajit -e 'print(package.searchpath("ndbuf.core", package.cpath))' | grep -q /root/rocks/
}
installed() {
  make install PREFIX=/usr && (cd / && ndbuf -e 'print(nd.zeros(2, 2))') &&
    pkg-config --modversion ndbuf
}
uninstalled() {
  make uninstall PREFIX=/usr && files >/root/after && diff /root/before /root/after &&
    echo "nothing is left of $(wc -l </root/changed) files"
}
rm -rf /root/{second,third,built,rocks,first,ndbuf-*.rock}
step "git, make and sudo" fetch
git config --global --add safe.directory '*'
step "make demo" demo
step "make check, nothing is skipped" check
step "the same bytes when all is there" all_there
step "the same bytes from a compiler without headers" no_headers
cd /home/newcomer/ndbuf
step "tools for rocks" tools/setup.sh ci
step "packed rock" rock
step "examples by the rock" examples
files >/root/before
step "make install" installed
files | diff /root/before - | grep '^>' >/root/changed || true
step "make uninstall" uninstalled
echo "$passed passed, 0 failed"
WALK

# The root becomes one for good: in a mere chroot no namespaces can be made, which some specs do.
# shellcheck disable=SC2016
unshare -m bash -c 'set -e
  mount --rbind "$0" "$0" && cd "$0"
  mount -t proc proc proc && mount --rbind /dev dev
  mkdir -p old && pivot_root . old && umount -l old
  exec bash /root/walk' "$root"
