#!/usr/bin/env bash
# The README's way through a fresh Debian, with nothing but git and make in it: a clone of HEAD, the
# demo, the specs, the packed rock in a clean tree, the examples from there, 'make install', and
# what 'make uninstall' leaves. Root, debootstrap and the machine's own Debian mirror are needed.
#   tools/clean_root.sh [FOLDER]     keeps the root in FOLDER; else it is removed at the end
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=${1:-$(mktemp -d)}
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)

leave() {
  umount -q -R -l "$root/dev" "$root/proc" || true
  if [ -z "${1:-}" ]; then rm -rf --one-file-system "$root"; fi
}
trap 'leave "'"${1:-}"'"' EXIT

if [ ! -e "$root/usr/bin/apt-get" ]; then
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log" && exit 1; }
fi
chmod 755 "$root" # users other than root are to get in, as on any machine
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
cp /etc/resolv.conf "$root/etc/"
rm -rf "$root/root/ndbuf"
git clone -q --no-hardlinks . "$root/root/ndbuf"

# Each step prints its name, its seconds and the last line of what it said; the first that fails
# prints all and ends the walk.
cat >"$root/root/walk" <<'WALK'
set -euo pipefail
export HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive
cd /root/ndbuf
passed=0
files() {
  find / -xdev \( -path /proc -o -path /dev -o -path /root -o -path /tmp \) -prune -o -print | sort
}
fetch() { apt-get update -q && apt-get install -y -q --no-install-recommends git make; }
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
  make rocks && apt-get install -y -q --no-install-recommends luarocks &&
    git tag v0.1.0 2>/dev/null
  luarocks --lua-version=5.1 --tree=/root/built make rockspec/ndbuf-dev-1.rockspec &&
    (cd /root && luarocks --lua-version=5.1 --tree=/root/built pack ndbuf) &&
    luarocks --lua-version=5.1 --tree=/root/rocks install /root/ndbuf-*.rock
}
examples() { # by the 'ndbuf' of the rock, away from the checkout's Lua files
  eval "$(luarocks --lua-version=5.1 --tree=/root/rocks path)"
  for example in examples/*.lua; do
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
step "git and make" fetch
git config --global --add safe.directory /root/ndbuf
step "make demo" make demo
step "make check" make check
step "tools for rocks" tools/setup.sh ci
step "packed rock" rock
step "examples by the rock" examples
files >/root/before
step "make install" installed
files | diff /root/before - | grep '^>' >/root/changed || true
step "make uninstall" uninstalled
echo "$passed passed, 0 failed"
WALK
chroot "$root" bash /root/walk
