#!/usr/bin/env bash
# Copies what was built to where the Makefile says, or takes the same files away again.
#   tools/install.sh module|all|uninstall
# "module" is what a Lua needs (LuaRocks asks for it), "all" the C library's files as well.
# From the environment: BUILD VERSION PREFIX DESTDIR INST_LIBDIR INST_LUADIR INST_BINDIR HEADERS
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
}

library_files() {
  local path
  file 644 "$BUILD/libndbuf.a" "$root/lib/libndbuf.a"
  file 644 "$BUILD/ndbuf.pc" "$root/lib/pkgconfig/ndbuf.pc"
  for path in $HEADERS; do file 644 "$path" "$root/include/ndbuf/${path#src/}"; done
  for path in LICENSE {README,CHANGELOG,SECURITY}.md docs/{,reference/}*.md; do
    file 644 "$path" "$root/share/doc/ndbuf/$path"
  done
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
      src/*/*.h) sed -i 's|^#include "|&../|' "$target" ;;
    esac
  done
}

# Folders that are empty then go too: all but bin, include, lib and share, which go together, when
# there is nothing else below the prefix.
take_away() {
  local target folder
  while IFS=$'\t' read -r _ _ target; do
    rm -f "$target"
    folder=$(dirname "$target")
    while [[ $folder == "$root"/*/* || $folder == */ndbuf ]]; do
      rmdir "$folder" 2>/dev/null || break
      folder=$(dirname "$folder")
    done
  done
  [ -d "$root" ] || return 0
  if [ "$(cd "$root" && echo * && find . -mindepth 2)" = "bin include lib share" ]; then
    rmdir "$root"/{bin,include,lib,share} && cd "${DESTDIR:-}/" &&
      rmdir -p --ignore-fail-on-non-empty "${PREFIX#/}"
  fi
}

case $1 in
  module) module_files | copy ;;
  all) write_pc && { module_files && library_files; } | copy ;;
  uninstall) { module_files && library_files; } | take_away ;;
esac
