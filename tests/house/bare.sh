#!/bin/sh
# README's set-up goes by what tools/setup installs without --tests: no cmocka, no simdjson, no C++.  bare.sh ROOT CMAKE
set -eu
root=$1 cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "bare.sh: $*" >&2; exit 1; }
grep -qF 'cmake --preset release -DBUILD_TESTING=OFF' "$root/README.md" || fail "README sets up in another way"

mkdir "$work/pc"
pkg-config --variable pc_path pkg-config | tr : '\n' | while read -r folder; do
    for file in "$folder"/*.pc; do
        [ ! -e "$file" ] || ln -sf "$file" "$work/pc/"
    done
done
rm "$work/pc/cmocka.pc" "$work/pc/simdjson.pc"
configure() {
    CXX=/nonexistent PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$work/pc "$cmake" -S "$root" -B "$work/build" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING="$1" >"$work/out" 2>&1
}
if configure ON; then fail "the tests are set up without what they need"; fi
configure OFF || { cat "$work/out"; fail "the programs are not set up without what only tests need"; }
"$cmake" --build "$work/build" --target ordergate-program ordergate-send-program ordergate-paper -- -n >"$work/out" ||
    { cat "$work/out"; fail "what tools/demo builds is not there"; }
