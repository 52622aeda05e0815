#!/bin/sh
# Every Python file passes pyflakes (unused or undefined names) and pycodestyle (PEP 8, at most 120 columns).
#   python.sh ROOT PYFLAKES PYCODESTYLE
set -eu
root=$1 pyflakes=$2 pycodestyle=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

printf 'import os\n' >"$tmp/unused.py"
printf 'A = 1\n\n\ndef f():\n    return B\n' >"$tmp/undefined.py"
printf 'A = "%0120d" + str(1)\n' 0 >"$tmp/wide.py"
printf 'def f(a,b):\n    return a\n' >"$tmp/spaces.py"
for wrong in unused undefined; do
    ! "$pyflakes" "$tmp/$wrong.py" >/dev/null || { echo "pyflakes accepts $wrong.py"; exit 1; }
done
for wrong in wide spaces; do
    ! "$pycodestyle" --max-line-length=120 "$tmp/$wrong.py" >/dev/null || { echo "pycodestyle accepts $wrong.py"; exit 1; }
done

find "$root/tests" "$root/tools" -name '*.py' >"$tmp/files"
count=$(wc -l <"$tmp/files")
[ "$count" -gt 100 ] || { echo "found only $count Python files"; exit 1; }
status=0
xargs "$pyflakes" <"$tmp/files" || status=1
xargs "$pycodestyle" --max-line-length=120 <"$tmp/files" || status=1
echo "$count files"
exit $status
