#!/usr/bin/env python3
"""Includes go in one direction, and a foreign library's header is included in one place only
(docs/architecture.md).

layering.py ROOT      prints every other include; exit 1 if there is one.

It first checks includes known to be wrong, so that a broken check cannot pass.
"""
import os
import re
import sys

OFFLINE = ("base text order mleg facts margin rules expr policy check solver lint policy_test diff schema show lsp"
           ).split()
SENDING = "base text order wire outcome ledger".split()

MAY = {s: OFFLINE[: i + 1] for i, s in enumerate(OFFLINE)}
MAY.update({s: SENDING[: i + 1] for i, s in enumerate(SENDING) if s in ("wire", "outcome", "ledger")})
MAY["check"] = MAY["check"] + ["wire"]  # a linked program hands its book the broker's rows
MAY["broker"] = SENDING + ["broker"]
MAY["stream"] = SENDING + ["stream"]
MAY["send"] = sorted(set(OFFLINE + SENDING + ["broker", "stream", "send"]))
MAY["serve"] = ["base", "serve"]
MAY["console"] = ["base", "text", "serve", "console"]
MAY["paper"] = ["base", "text", "wire", "serve", "paper"]

# Foreign header -> the places, as prefixes of paths below the root.  cJSON's types may be passed on, so the headers
# that declare readers of documents name it.
FOREIGN = {
    r"yaml\.h": ["src/text/yaml"],
    r"cjson/.*": ["src/text/", "src/wire/", "src/facts/facts_book.h", "src/paper/fault.h"],
    r"pcre2.*": ["src/text/pattern"],
    r"openssl/.*": ["src/base/crypto", "src/broker/", "src/paper/", "src/stream/"],
    r"curl/.*": ["src/broker/"],
    r"libwebsockets.*": ["src/stream/ws", "src/serve/"],
    r"uv(/.*|\.h)": ["src/send/", "src/broker/", "src/stream/", "src/paper/"],
    r"sqlite3.*": ["src/ledger/", "src/paper/db"],
    r"xxh.*": ["src/facts/"],
    r"zlib\.h": ["src/paper/gzip"],
}
# Every directive that makes the compiler read another file, and its only allowed form.
INCLUDE = re.compile(r"^[ \t]*(?:/\*.*?\*/[ \t]*)*(?:#|%:|\?\?=)[ \t]*(?:/\*.*?\*/[ \t]*)*(?:include|import).*$", re.M)
WRITTEN = re.compile(r'\s*#\s*include (<[^<>"]+>|"[^<>"]+")\s*(//.*|/\*.*)?')


def station(path):
    """Returns the name of the folder of src that a file belongs to. rules, tools and include count as folders too.
    """
    parts = path.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def judge_foreign(path, name):
    for pattern, places in FOREIGN.items():
        if re.fullmatch(pattern, name) and not any(path.startswith(p) for p in places):
            return f"<{name}> belongs to {', '.join(places)}"
    return None


def judge_own(path, name):
    at, folder = station(path), name.split("/")[0]
    if "/" not in name:
        return f'"{name}" names no folder: includes are written "folder/file.h"'
    if ".." in name.split("/") or "." in name.split("/") or folder == "src":
        return f'"{name}" is no path from the house'
    if folder == "ordergate":
        return None
    if at == "include":
        return f'"{name}": a public header includes public headers only'
    if at == "tools":
        paper = os.path.basename(path).startswith("ordergate-paper") and folder in MAY["paper"]
        server = path == "tools/ordergate-lsp.c" and folder == "lsp"
        console = path == "tools/ordergate-console.c" and folder in MAY["console"]
        return None if paper or server or console or name.startswith("tools/common/") else \
            f'"{name}": tools see ordergate/ and tools/common/ (the paper program what src/paper sees)'
    if at not in MAY:
        return f"folder {at} is not in the plan of the house"
    if folder not in MAY[at]:
        return f'"{name}": {at} may include {", ".join(MAY[at])}'
    return None


def judge_line(path, line):
    written = WRITTEN.fullmatch(line)
    if not written:
        return f'{line.strip()}: includes are written #include "folder/file.h" or #include <file.h>'
    name = written.group(1)[1:-1]
    if written.group(1)[0] == '"':
        return judge_foreign(path, name) or judge_own(path, name)
    if name.split("/")[0] in MAY or name.split("/")[0] in ("src", "tools", "ordergate", ".", ".."):
        return f'<{name}> is a file of the house: "{name}"'
    return judge_foreign(path, name)


def judge(path, text):
    faults = []
    for found in INCLUDE.finditer(text):
        fault = judge_line(path, found.group())
        if fault:
            line = text.count("\n", 0, found.start()) + 1
            faults.append(f"{path}:{line}: {fault}")
    return faults


WRONG = [
    ("src/base/buf.c", '#include "order/order.h"'),
    ("src/order/order.h", '#include "mleg/mleg.h"'),
    ("rules/limit_price.c", '#include "policy/policy.h"'),
    ("src/expr/eval.c", '#include "policy/policy.h"'),
    ("src/facts/load.c", '#include "wire/row.h"'),
    ("src/paper/decide.c", '#include "rules/rule.h"'),
    ("src/paper/decide.c", '#include "order/order.h"'),
    ("src/serve/server.c", '#include "paper/paper.h"'),
    ("src/paper/server.c", "#include <libwebsockets.h>"),
    ("src/broker/client.c", '#include "stream/ws.h"'),
    ("src/ledger/ledger.c", '#include "check/check.h"'),
    ("include/ordergate/book.h", '#include "check/check.h"'),
    ("tools/cmd_check.c", '#include "base/buf.h"'),
    ("tools/cmd_check.c", '#include "paper/paper.h"'),
    ("src/check/check.c", '#include "find.h"'),
    ("src/new/new.c", '#include "base/buf.h"'),
    ("src/check/check.c", "#include <sqlite3.h>"),
    ("src/ledger/ledger.c", "  # include <curl/curl.h>"),
    ("src/text/json.c", "#include <yaml.h>"),
    ("rules/limit_price.c", "#include <cjson/cJSON.h>"),
    ("src/facts/load.c", '#include"wire/row.h"'),
    ("src/check/check.c", "#include<sqlite3.h>"),
    ("src/facts/load.c", "#include <wire/row.h>"),
    ("src/facts/load.c", "#include <src/wire/row.h>"),
    ("src/facts/load.c", '#include "check/../wire/row.h"'),
    ("src/facts/load.c", '#include /* x */ "wire/row.h"'),
    ("src/facts/load.c", '/* x */ #include "wire/row.h"'),
    ("src/facts/load.c", '#include \\\n"wire/row.h"'),
    ("src/facts/load.c", '%:include "wire/row.h"'),
    ("src/facts/load.c", '#include_next "wire/row.h"'),
    ("src/facts/load.c", '#import "wire/row.h"'),
    ("src/facts/load.c", "#include ROW_H"),
]
RIGHT = [
    ("src/send/send.c", '#include "check/check.h"'),
    ("rules/limit_price.c", '#include "rules/rule.h"'),
    ("src/text/yaml_read.c", "#include <yaml.h>"),
    ("tools/ordergate-paper.c", '#include "paper/paper.h"'),
    ("src/base/buf.c", "#include <sys/socket.h> /* what it is for */"),
]


def sources(root):
    for top in ("include", "src", "rules", "tools"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".def")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def main():
    root = sys.argv[1]
    for path, line in WRONG:
        if not judge(path, line):
            sys.exit(f"layering.py is broken: it lets {path} say {line}")
    for path, line in RIGHT:
        if judge(path, line):
            sys.exit(f"layering.py is broken: it does not let {path} say {line}")
    seen, faults = 0, []
    for path in sources(root):
        seen += 1
        with open(os.path.join(root, path), encoding="utf-8") as f:
            faults += judge(path, f.read())
    print("\n".join(faults + [f"{seen} files, {len(faults)} includes go elsewhere"]))
    sys.exit(1 if faults or seen < 50 else 0)


if __name__ == "__main__":
    main()
