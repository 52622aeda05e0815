#!/bin/sh
# Offline is a fact of linking: what is given links neither curl, libwebsockets, libuv nor SQLite, not even through
# another library; and the library shows nothing but its own functions.  offline.sh LIBRARY PROGRAM...
set -u
library=$1
bad=0
for file in "$@"; do
    needs=$(ldd "$file") || { echo "$file: ldd cannot read it"; exit 1; }
    echo "$needs" | grep -q 'libcrypto' || { echo "$file: not even libcrypto is linked: is it the right file?"; bad=1; }
    if echo "$needs" | grep -E 'libcurl|libwebsockets|libuv|libsqlite3'; then
        echo "$file: links the libraries above, and may not"
        bad=1
    fi
done
shown=$(nm -D --defined-only "$library" | awk '{ print $3 }')
echo "$shown" | grep -qx og_check || { echo "$library: og_check is not shown"; bad=1; }
if echo "$shown" | grep -vE '^(og_|_init$|_fini$|__(asan|odr_asan|ubsan|tsan|sanitizer|start|stop|bss|llvm|gcov))'; then
    echo "$library: shows the names above, and may show og_ alone"
    bad=1
fi
exit $bad
