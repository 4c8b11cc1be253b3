#!/usr/bin/env bash
# Copies what was built to where the Makefile says, or takes the same files away again.
#   tools/install.sh module|all|uninstall
# "module" is what a Lua needs (LuaRocks asks for it), "all" the C library's files as well.
# Both bring the documents, with the examples that they link to.
# From the environment: BUILD VERSION PREFIX DESTDIR INST_LIBDIR INST_LUADIR INST_BINDIR
# INST_DOCDIR HEADERS
set -euo pipefail

root=${DESTDIR:-}$PREFIX

# Each prints what goes where: MODE FILE TARGET, with tabs between them.
file() { printf '%s\t%s\t%s\n' "$@"; }

module_files() {
  local path
  file 755 "$BUILD/ndbuf/core.so" "$INST_LIBDIR/ndbuf/core.so"
  for path in bin/*; do file 755 "$path" "$INST_BINDIR/${path#bin/}"; done
  find lua -name '*.lua' | while IFS= read -r path; do
    file 644 "$path" "$INST_LUADIR/${path#lua/}"
  done
  for path in LICENSE *.md docs/{,reference/}*.md docs/*.svg examples/{,data/,python/}*.* \
    examples/data/README; do
    file 644 "$path" "$INST_DOCDIR/$path"
  done
}

library_files() {
  local path
  file 644 "$BUILD/libndbuf.a" "$root/lib/libndbuf.a"
  file 644 "$BUILD/ndbuf.pc" "$root/lib/pkgconfig/ndbuf.pc"
  for path in $HEADERS; do file 644 "$path" "$root/include/ndbuf/${path#src/}"; done
}

write_pc() {
  cat >"$BUILD/ndbuf.pc" <<END
prefix=$PREFIX
libdir=\${prefix}/lib
includedir=\${prefix}/include/ndbuf

Name: ndbuf
Description: Typed, strided n-d arrays over host memory and mapped files
URL: https://github.com/ndbuf/ndbuf
Version: $VERSION
Cflags: -I\${includedir}
Libs: -L\${libdir} -lndbuf -lm -lpthread
END
}

# A header of a folder names its kin from there, so that an embedder's own base/status.h does not
# come first.
copy() {
  while IFS=$'\t' read -r mode path target; do
    install -D -m "$mode" "$path" "$target"
    echo "  $target"
    case $path in
      src/*/*/*.h) sed -i 's|^#include "|&../../|' "$target" ;;
      src/*/*.h) sed -i 's|^#include "|&../|' "$target" ;;
    esac
  done
}

# The folders that the targets need and that are not there yet, the deepest last; a list of them
# stays with the documentation, so that they go away again.
list=$INST_DOCDIR/folders
missing_folders() {
  local target folder
  while IFS=$'\t' read -r _ _ target; do
    folder=$(dirname "$target")
    while [ ! -d "$folder" ]; do
      echo "${folder#"${DESTDIR:-}"}" && folder=$(dirname "$folder")
    done
  done | LC_ALL=C sort -u
}

take_away() {
  local target folder
  while IFS=$'\t' read -r _ _ target; do rm -f "$target"; done
  [ -e "$list" ] || return 0
  folders=$(LC_ALL=C sort -r "$list") && rm "$list"
  while IFS= read -r folder; do
    rmdir --ignore-fail-on-non-empty "${DESTDIR:-}$folder" 2>/dev/null || true
  done <<<"$folders"
}

case $1 in
  module) module_files | copy ;;
  all)
    write_pc
    folders=$({ module_files && library_files; } | missing_folders)
    { module_files && library_files; } | copy
    [ -e "$list" ] || install -m 644 /dev/stdin "$list" <<<"$folders"
    ;;
  uninstall) { module_files && library_files; } | take_away ;;
esac
