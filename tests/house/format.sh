#!/bin/sh
# format.sh ROOT CLANG-FORMAT: every C file is as clang-format makes it, by .clang-format.  Another version has another
# taste: then nothing is said (exit 77).
set -eu
cd "$1"
case $("$2" --version) in
*" version 14."*) ;;
*) echo "the tree is formatted by clang-format 14; this is $("$2" --version)"; exit 77 ;;
esac
find include rules src tests tools \( -name "*.[ch]" -o -name "*.cc" -o -name "*.cpp" \) -print0 |
    xargs -0 "$2" --dry-run -Werror
# the test itself: what is not so is seen
for wrong in 'int  a ;' '#include <stdio.h>\n#include "base/buf.h"\n#include <errno.h>'; do
    # shellcheck disable=SC2059 (it is the format)
    if printf "$wrong\n" | "$2" --dry-run -Werror --assume-filename=a.c 2>/dev/null; then
        echo "clang-format accepts: $wrong"
        exit 1
    fi
done
