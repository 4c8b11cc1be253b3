#!/usr/bin/env bash
# What LuaRocks does with ndbuf, from lint to a packed rock in a clean tree, as Debian sets LuaRocks
# up: for PUC Lua 5.1. There is no network; a copy of this checkout is released and tagged, as
# CONTRIBUTING.md has it, and installed from that tag.
# From the environment: LUAJIT
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Without a network of its own where that is allowed, else with proxies that nobody answers at.
if [ -z "${NDBUF_OFFLINE:-}" ]; then
  export NDBUF_OFFLINE=1 http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 no_proxy=
  if unshare -rn true 2>/dev/null; then exec unshare -rn "$0"; fi
fi

lua=${LUAJIT:-luajit}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
export HOME=$scratch/home
unset LUAROCKS_CONFIG LUA_PATH LUA_CPATH LUA_INIT

stop() {
  echo "rocks: $1" >&2
  [ ! -s "$scratch/log" ] || cat "$scratch/log" >&2
  exit 1
}
fine() { passed=$((passed + 1)) && echo "ok - $1"; }
rocks() { # TREE COMMAND…
  luarocks --lua-version=5.1 --tree="$scratch/$1" "${@:2}" >"$scratch/log" 2>&1
}

# In the tree: the module works in LuaJIT, and so does the command.
works() {
  local paths="$scratch/$1/share/lua/5.1"
  (cd / && export LUA_PATH="$paths/?.lua;$paths/?/init.lua" &&
    export LUA_CPATH="$scratch/$1/lib/lua/5.1/?.so" && "$lua" -e '
      local nd = require "ndbuf"
      local a = nd.arange(1, 6):reshape(2, 3).T
      assert(a(3, 2) == 6 and tostring(a[3]) == "f64 2 cpu\n[3, 6]", tostring(a))
      assert(package.loaded["ndbuf.core"].version == nd._VERSION)') &&
    [ "$(cd / && LUAJIT=$lua "$scratch/$1/bin/ndbuf" -e 'io.write(nd.ones(3).size)')" = 3 ]
}

# In the tree: documents, whose links lead somewhere, and the examples.
documented() {
  local doc pages
  doc=$(dirname "$(find "$scratch/$1/lib/luarocks" -name README.md -path '*/doc/README.md')") &&
    [ -e "$doc/examples/speech.lua" ] || stop "$1 has no documents"
  mapfile -t pages < <(find "$doc" -name '*.md')
  "$lua" - "${pages[@]}" >"$scratch/log" <<'LUA' || stop "$1: cannot look for links"
local links = require "tools.manual.links"
for _, page in ipairs(arg) do
  for _, to in ipairs(links.broken(page)) do print(page, to) end
end
LUA
  [ ! -s "$scratch/log" ] || stop "$1 has dead links"
}

# In the tree: other Luas are told why not.
refused() {
  local paths="$scratch/$1/share/lua/5.1" other said count=0
  for other in lua5.1 lua5.2 lua5.3 lua5.4; do
    command -v $other >/dev/null || continue
    for module in ndbuf ndbuf.core; do
      if [ $module = ndbuf.core ] && [ $other != lua5.1 ]; then continue; fi
      said=$(cd / && LUA_PATH="$paths/?.lua;$paths/?/init.lua" \
        LUA_CPATH="$scratch/$1/lib/lua/5.1/?.so" $other -e "require '$module'" 2>&1)
      [[ $said == *"ndbuf needs LuaJIT"*"this is Lua "* ]] || stop "$other says of $module: $said"
      count=$((count + 1))
    done
  done
  ((count >= 2)) || stop "there is no lua5.1 to try"
}

# ---- a copy of the checkout, as a repository with the tag ----

mkdir -p "$HOME" "$scratch/copy"
git ls-files -z --cached --others --exclude-standard |
  xargs -0 sh -c 'for f; do [ ! -e "$f" ] || cp --parents -P "$f" "$0"; done' "$scratch/copy"
cd "$scratch/copy" || exit 1
version=$(sed -n 's/^#define ND_VERSION "\([0-9.]*\).*"$/\1/p' src/base/platform.h)
release=rockspec/ndbuf-$version-1.rockspec tag=v$version
if [ ! -e "$release" ]; then # what has a rockspec is released as it is
  sed -i "s/^#define ND_VERSION .*/#define ND_VERSION \"$version\"/" src/base/platform.h
  sed -i "s/^## \[Unreleased\]$/&\n\n## [$version]/" CHANGELOG.md
  sed "s/^version = .*/version = \"$version-1\"/; s/^  url = .*/&\n  tag = \"$tag\",/" \
    rockspec/ndbuf-dev-1.rockspec >"$release"
fi
"$lua" tools/lint.lua >"$scratch/log" || stop "the release does not agree with itself"
{ git init -q . && git add -A && git -c user.name=ndbuf -c user.email= commit -qm copy &&
  git tag "$tag"; } || stop "cannot make a repository"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.$scratch/copy.insteadOf
export GIT_CONFIG_VALUE_0=https://github.com/ndbuf/ndbuf.git

# ---- the jobs ----

for spec in rockspec/*.rockspec; do
  rocks a lint "$spec" || stop "lint $spec"
done
fine "lint: $(echo rockspec/*)"

V=1 rocks a make rockspec/ndbuf-dev-1.rockspec || stop "make"
grep -q ' -I/usr/include/lua5.1 .*src/bind' "$scratch/log" || stop "make by other headers"
works a || stop "what make installed does not work"
refused a
fine "make, by the headers of PUC Lua 5.1, which is told that it takes LuaJIT"

# All specs are another job's; this is that they start, find their tools, and are counted.
NDBUF_CASES=0.02 rocks a test rockspec/ndbuf-dev-1.rockspec \
  -- CORE_SPECS=spec/core/view_spec.c BUSTED_FLAGS=--filter=reshape || stop "test"
sum=$(grep -E '^[1-9][0-9]* passed, 0 failed$' "$scratch/log") || stop "test counts nothing"
fine "test: $sum"

rocks a pack ndbuf dev-1 || stop "pack"
rocks a remove ndbuf || stop "remove"
left=$(find "$scratch/a" -name '*ndbuf*')
[ -z "$left" ] || stop "remove leaves $left"
rocks b install ndbuf-dev-1.linux-*.rock || stop "install of the packed rock"
works b || stop "the packed rock does not work in a clean tree"
documented b
fine "pack, remove, install of $(echo ndbuf-dev-1.linux-*.rock) into a clean tree"

rocks c install "$release" || stop "install by the release's rockspec"
works c || stop "the release does not work in a clean tree"
documented c
[ "$(LUAJIT=$lua "$scratch/c/bin/ndbuf" -e 'io.write(nd._VERSION)')" = "$version" ] ||
  stop "rockspec and module have different versions"
fine "install by $release, from tag $tag"

rocks d pack "$release" || stop "pack of the sources"
rocks d install "ndbuf-$version-1.src.rock" || stop "install of the source rock"
works d || stop "the source rock does not work in a clean tree"
fine "pack and install of ndbuf-$version-1.src.rock"

if rocks e install "$release" CC=none; then stop "install passes without a compiler"; fi
grep -q "ndbuf needs a C compiler: 'none' compiles nothing here" "$scratch/log" ||
  stop "install does not say that there is no compiler"
fine "a missing compiler is said"
echo "$passed passed, 0 failed"
