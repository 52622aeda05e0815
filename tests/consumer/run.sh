#!/bin/sh
# The installed library as strangers use it: installed to a folder that is then moved, found by find_package and by
# pkg-config, linked, run.   run.sh BUILD_DIR CC
set -eu
build=$1 cc=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/moved"

cmake -S "$here" -B "$work/by-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_C_COMPILER="$cc" >"$work/cmake.log"
cmake --build "$work/by-cmake" >"$work/build.log"
"$work/by-cmake/gate" >"$work/out.cmake" || [ $? -eq 1 ]

libdir=$(dirname "$(find "$work/moved" -name ordergate.pc)")
export PKG_CONFIG_PATH=$libdir
# shellcheck disable=SC2046
$cc -o "$work/gate" "$here/gate.c" $(pkg-config --cflags --libs ordergate)
LD_LIBRARY_PATH=$(dirname "$libdir") "$work/gate" >"$work/out.pc" || [ $? -eq 1 ]
cmp "$work/out.cmake" "$work/out.pc"
grep -q 'refused: symbol-pattern' "$work/out.pc"

# the installed programs run where they were moved to, and find their libraries
"$work/moved/bin/ordergate" --version
echo '{"securityType":"Stock"}' | "$work/moved/bin/ordergate" check >"$work/decision" || [ $? -eq 1 ]
grep -q '"verdict":"refuse"' "$work/decision"
[ ! -e "$work/moved/bin/ordergate-send" ] || "$work/moved/bin/ordergate" send --help >"$work/help"

# the documents that the installed headers cite are installed too
cited=$(cat "$work"/moved/include/ordergate/*.h | grep -o 'docs/[a-z]*[.]md' | sort -u)
[ -n "$cited" ]
for document in $cited; do
    [ -f "$work/moved/share/doc/ordergate/$document" ] || { echo "headers cite $document, which is not installed"; exit 1; }
done

# what their first lines name for editors is there, and else they are as they were
policies=$(find "$work/moved/share" -name '*.yaml' -path '*/policies/*')
[ -n "$policies" ]
for policy in $policies; do
    named=$(sed -n '1s/^# yaml-language-server: [$]schema=//p' "$policy")
    [ -f "$(dirname "$policy")/$named" ]
    tail -n +2 "$policy" >"$work/tail"
    tail -n +2 "$here/../../policies/${policy#*/policies/}" | cmp - "$work/tail"
done
