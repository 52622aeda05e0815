#!/bin/sh
# Every public header compiles alone, as C11 with -pedantic and as C++17: headers.sh INCLUDE GENERATED CC CXX
set -u
include=$1 generated=$2 cc=$3 cxx=$4
bad=0 seen=0
for header in "$include"/ordergate/*.h "$generated"/ordergate/*.h; do
    name=ordergate/$(basename "$header")
    seen=$((seen + 1))
    echo "#include \"$name\"" | "$cc" -std=c11 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only -I"$include" \
        -I"$generated" -x c - || { echo "$name: not as C11"; bad=$((bad + 1)); }
    echo "#include \"$name\"" | "$cxx" -std=c++17 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$include" -I"$generated" \
        -x c++ - || { echo "$name: not as C++17"; bad=$((bad + 1)); }
done
echo "$seen headers, $bad faults"
[ "$bad" -eq 0 ] && [ "$seen" -ge 8 ]
