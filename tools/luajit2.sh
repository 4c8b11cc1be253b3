#!/usr/bin/env bash
# Runs the Lua specs by the LuaJIT of Debian's package luajit2 (OpenResty's). It cannot be installed
# together with the package luajit, so it is fetched and unpacked into BUILD/luajit2.
#   tools/luajit2.sh [folder…]
# From the environment: BUILD, and what tools/check.sh takes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=${BUILD:-build}/luajit2
packages=(luajit2 libluajit2-5.1-2 libluajit2-5.1-common)
if [ ! -x "$place/usr/bin/luajit" ]; then
  rm -rf "$place" && mkdir -p "$place"
  (cd "$place" && apt-get -q download "${packages[@]}" >/dev/null)
  for file in "$place"/*.deb; do dpkg -x "$file" "$place"; done
fi

# Only luajit2's has this; the library beside it is for programs that embed it.
LUAJIT=$(readlink -f "$place/usr/bin/luajit")
export LUAJIT LUA_PATH="$place/usr/share/luajit-2.1.0-beta3/?.lua;;"
"$LUAJIT" -e 'require "table.isarray"' || { echo "luajit2: $LUAJIT is another LuaJIT" && exit 1; }
"$LUAJIT" -v
tools/check.sh -- "${@:-spec}"
