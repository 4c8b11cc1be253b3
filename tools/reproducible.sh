#!/usr/bin/env bash
# Two builds of one source are the same bytes, whatever the folder, locale, time zone and umask.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
places=("$scratch/a" "$scratch/another folder/of ndbuf")
for place in "${places[@]}"; do mkdir -p "$place" && cp -r Makefile src "$place"; done

make -s -C "${places[0]}" all
find "${places[1]}" -exec touch -d '2001-02-03 04:05:06' {} +
(umask 077 && make -s -C "${places[1]}" LC_ALL=C.UTF-8 TZ=Asia/Tokyo all)
for file in ndbuf/core.so libndbuf.a; do
  cmp "${places[0]}/build/$file" "${places[1]}/build/$file"
  if grep -F "$scratch" "${places[0]}/build/$file"; then exit 1; fi
  (cd "${places[0]}/build" && sha256sum "$file")
done
