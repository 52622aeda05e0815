#!/bin/sh
# A rule file without a line in the register, or a line without a file, stops CMake: register.sh ROOT CMAKE
set -eu
root=$1 cmake=$2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$root/rules" "$copy/"
cat >"$copy/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(register LANGUAGES NONE)
include($root/tools/cmake/rules_register.cmake)
END
fail() { echo "register.sh: $*" >&2; exit 1; }
configure() { "$cmake" -G Ninja -S "$copy" -B "$copy/build" >"$copy/out" 2>&1; }

configure || { cat "$copy/out"; fail "the register as it is does not configure"; }
echo '/* none */' >"$copy/rules/not_registered.c"
if configure; then fail "a rule without a line configures"; fi
grep -q "rules/not_registered.c has no line" "$copy/out" || fail "it does not say which rule"
rm "$copy/rules/not_registered.c"
echo 'OG_RULE(998, no_such_file)' >>"$copy/rules/rules.def"
if configure; then fail "a line without a rule configures"; fi
grep -q "there is no rules/no_such_file.c" "$copy/out" || fail "it does not say which line"
