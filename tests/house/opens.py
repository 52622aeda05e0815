#!/usr/bin/env python3
"""Files are opened in one place, src/base/file.c, which checks their owner.

opens.py ROOT      prints every call that opens a file elsewhere and is not in the table below; exit 1 if there is
one. It first checks calls known to be wrong, so that a broken check cannot pass.
"""
import os
import re
import sys

CALL = re.compile(r"\b(?:open|open64|openat|openat64|openat2|creat|fopen|fopen64|freopen|"
                  r"sqlite3_open(?:_v2|16)?|uv_fs_open)\s*\(")
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.S)  # comments and strings

# Files opened by other means: how often, and why that is allowed.
ALLOWED = {
    "src/base/file.c": (3, "the one place"),
    "src/base/atomic_file.c": (1, "the folder of a file just written, to sync it"),
    "src/base/file_socket.c": (1, "the folder of a socket, from a descriptor that was checked, to lock it"),
    "src/broker/budget.c": (1, "/proc: which boot this is"),
    "src/ledger/archive.c": (1, "SQLite, after og_file_try() made the file"),
    "src/ledger/ledger.c": (3, "SQLite, after og_ledger_place() or og_ledger_look()"),
    "src/ledger/parts.c": (1, "O_PATH, which only names a file that is open already"),
    "src/paper/db.c": (1, "SQLite, after og_file_open()"),
    "src/paper/log.c": (1, "the request log, written"),
    "src/paper/server.c": (1, "the port file, written"),
    "src/send/senders.c": (1, "/proc: which senders run"),
    "tools/cmd_check.c": (2, "orders, which their producer may say; refused orders, written"),
    "tools/cmd_policy_diff.c": (1, "orders"),
    "tools/cmd_policy_new.c": (1, "a policy and its test, which did not exist, written"),
    "tools/common/options.c": (1, "/dev/null in the place of a closed descriptor"),
    "tools/ordergate-send.c": (1, "orders"),
    "tools/send_console.c": (1, "the port file, written"),
}


def calls(text):
    return [text.count("\n", 0, m.start()) + 1
            for m in CALL.finditer(NO_CODE.sub(lambda c: re.sub(r"[^\n]", " ", c.group()), text))]


def judge(path, text):
    found, (most, _) = calls(text), ALLOWED.get(path, (0, ""))
    if len(found) == most:
        return []
    if len(found) < most:
        return [f"{path}: opens {len(found)} files, the table of this test says {most}"]
    return [f"{path}:{line}: files are opened by og_file_open() (ordergate/file.h)" for line in found[most:]]


WRONG = ["fd = open(path, O_RDONLY);", "f = fopen (path, \"r\");", "x(\n\nopenat(at, name, 0));",
         "/* a */ freopen(p, m, stdin);", "sqlite3_open(p, &db);"]
RIGHT = ['x = "is open (status)";', "og_file_open(path, 0, &fd, 0, 0);", "/* open(x) */", "open_memstream(&a, &b);",
         "og_policy_file_open(name);", "fdopen(fd, m);"]


def main():
    root, faults, count = sys.argv[1], [], 0
    for text in WRONG:
        assert judge("src/check/x.c", text), text
    for text in RIGHT:
        assert not judge("src/check/x.c", text), text
    for folder in ("src", "tools", "rules", "include"):
        for at, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(at, name), root)
                if name.endswith((".c", ".h")):
                    count += 1
                    with open(os.path.join(at, name)) as f:
                        faults += judge(path, f.read())
    print("\n".join(faults + [f"{count} files, {len(faults)} faults"]))
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
