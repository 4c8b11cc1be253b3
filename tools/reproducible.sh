#!/usr/bin/env bash
# What lies in BUILD is, byte for byte, what the files that a tarball would have make in another
# folder, locale, time zone and umask, without a compiler's cache; and that works by itself.
#   make reproducible
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=$(realpath "${BUILD:-build}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
place="$scratch/another folder/of ndbuf"
mkdir -p "$place"

# The last commit, with what has changed since in the files that it has.
commit=$(git -c user.name=ndbuf -c user.email= stash create)
(umask 077 && git archive "${commit:-HEAD}" | tar -C "$place" -x)
find "$place" -exec touch -d '2001-02-03 04:05:06' {} +
(umask 077 && make -s -C "$place" LC_ALL=C.UTF-8 TZ=Asia/Tokyo BUILD=build CCACHE= all)
for file in ndbuf/core.so libndbuf.a; do
  cmp "$build/$file" "$place/build/$file"
  if grep -F -e "$PWD" -e "$scratch" "$place/build/$file"; then exit 1; fi
  (cd "$place/build" && sha256sum "$file")
done
[ "$("$place/bin/ndbuf" -e 'io.write(nd.arange(6):sum())')" = 21 ]
