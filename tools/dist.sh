#!/usr/bin/env bash
# Packs the files of the last commit into BUILD/ndbuf-VERSION.tar.gz.
#   tools/dist.sh VERSION [again]    with 'again' once more in another umask and time zone: the same
# From the environment: BUILD
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${BUILD:-build}
name=ndbuf-$1

pack() {
  mkdir -p "$build"
  git archive --prefix="$name/" -o "$build/$name.tar" HEAD
  gzip -9nf "$build/$name.tar"
  (cd "$build" && sha256sum "$name.tar.gz")
}

if [ "${2:-}" = again ]; then
  cp "$build/$name.tar.gz" "$build/dist-first"
  (umask 077 && TZ=Asia/Tokyo pack >/dev/null)
  cmp "$build/dist-first" "$build/$name.tar.gz"
  rm -f "$build/dist-first"
else
  pack
fi
