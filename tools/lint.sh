#!/usr/bin/env bash
# The checks of 'make lint' that other programs do.
#   tools/lint.sh format FILE…           clang-format has nothing to change (CLANG_FORMAT)
#   tools/lint.sh exports MODULE LIBRARY the module exports src/exports.txt, the library our names
#   tools/lint.sh hosts                  32-bit and big-endian machines are refused (CLANG)
set -uo pipefail

format() {
  local file bad=0
  for file; do
    if ! "${CLANG_FORMAT:-clang-format}" "$file" | cmp -s - "$file"; then
      echo "$file: not as 'make format' has it" && bad=1
    fi
  done
  return $bad
}

exports() { # MODULE LIBRARY
  nm -D --defined-only "$1" | sed 's/.* //' | LC_ALL=C sort | diff -u src/exports.txt - || return 1
  ! nm -g --defined-only "$2" | awk 'NF == 3 {print $3}' |
    grep -vE '^nd[ib]?_|^luaopen_ndbuf_core$|^DW\.ref\.__gcc_'
}

# clang has the targets, and needs no libc of theirs to look at the header. TARGET:WHAT IT LACKS
hosts() {
  local host said want
  for host in aarch64-linux-gnu: riscv64-linux-gnu: i386-linux-gnu:64-bit \
    x86_64-linux-gnux32:64-bit arm-linux-gnueabi:64-bit aarch64_be-linux-gnu:little-endian \
    s390x-linux-gnu:little-endian powerpc64-linux-gnu:little-endian; do
    said=$("${CLANG:-clang}" --target="${host%:*}" -ffreestanding -fsyntax-only \
      src/base/platform.h 2>&1 | grep -o 'error: .*')
    want=${host#*:} && want=${want:+"error: \"ndbuf needs a $want host\""}
    if [ "$said" != "$want" ]; then echo "lint-hosts: $host: said '$said'" && return 1; fi
  done
}

"$@"
