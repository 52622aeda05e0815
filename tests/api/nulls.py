#!/usr/bin/env python3
"""Writes a C program that calls every public function with NULL and with values out of range: nulls.py ROOT > nulls.c

The functions are those that the headers of include/ordergate declare, so that a new one cannot be forgotten.  A type of
parameter that has no entry below ends this program with an error: say what a valid one is.
"""
import glob
import re
import sys

# What a valid argument of a type is: an expression over the fixtures in nulls.h.  "NULL": there is no cheap one, the
# function is called without.
VALID = {
    "const char *": "text", "char *": "room", "const char **": "&text_out", "char **": "&room_out",
    "const char *const *": "texts", "void *": "room",
    "struct og_error *": "&err", "struct og_book *": "book", "const struct og_book *": "book",
    "struct og_book **": "&book_out", "const struct og_order *": "order", "struct og_order *": "order",
    "struct og_order *const *": "orders", "struct og_scratch *": "scratch", "struct og_scratch *const *": "scratches",
    "struct og_decision *": "decision", "const struct og_decision *": "decision",
    "og_ticket": "ticket", "og_ticket *": "&ticket_out",
    "const struct og_policy *": "policy", "struct og_policy *": "own_policy", "struct og_policy **": "&policy_out",
    "const struct og_rule *": "rule", "struct og_money *": "&money", "size_t *": "&size", "int *": "&number",
    "bool *": "&flag", "int64_t *": "&instant", "long long *": "&long_number", "struct stat *": "&status_of_file",
    "const struct og_request *": "request", "struct og_request *": "request",
    "struct og_policy_test *": "tests", "const struct og_policy_test *": "tests",
    "struct og_policy_test **": "&tests_out",
    "struct og_lint_report **": "&report_out", "const struct og_lint_report *": "report",
    "struct og_lint_report *": "report",
    "struct og_diff *": "NULL", "const struct og_diff *": "NULL", "struct og_diff **": "&diff_out",
}
ZEROED = re.compile(r"(?:const )?struct (og_\w+) \*$")  # a struct of the caller's, all zero
OPAQUE = {"og_client", "og_sender", "og_ledger", "og_watch", "og_policy_source", "og_answer", "og_halt_watch",
          "og_policy_coverage", "og_diff"}  # NULL alone
NUMBERS = {
    "int64_t": ["INT64_MIN", "-1", "0", "INT64_MAX"], "int": ["INT_MIN", "-1", "0", "INT_MAX"],
    "long long": ["LLONG_MIN", "LLONG_MAX"], "int32_t": ["INT32_MIN", "-1", "INT32_MAX"],
    "unsigned": ["0", "UINT_MAX"], "uint64_t": ["0", "UINT64_MAX"], "og_ticket": ["0", "ULLONG_MAX", "7"],
    "bool": ["false", "true"], "size_t": ["0"],
    "struct og_money": ["(struct og_money){ INT64_MIN, 0 }", "(struct og_money){ INT64_MAX, 18 }",
                        "(struct og_money){ -1, 0 }", "(struct og_money){ 1, 40 }"],
}
PLAIN = {"int64_t": "now", "int": "1", "int32_t": "1", "long long": "1", "unsigned": "1", "uint64_t": "1",
         "og_ticket": "ticket", "bool": "false", "struct og_money": "og_money_from(1)"}


def split(args):
    out, depth, now = [], 0, ""
    for c in args:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            out.append(now.strip())
            now = ""
        else:
            now += c
    return out + [now.strip()] if args != "void" else []


def functions(root):
    for path in sorted(glob.glob(root + "/include/ordergate/*.h")):
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S)
        declared = re.findall(r"\bOG_API\b", text)
        found = re.findall(r"OG_API\s+(?:OG_MUST_USE\s+)?([^;{}()]*?)(\w+)\(([^;{}]*)\)\s*;", text)
        if len(declared) != len(found):
            sys.exit(f"nulls.py is broken: {path} declares {len(declared)} functions, {len(found)} were understood")
        for ret, name, args in found:
            yield path, ret.strip(), name, split(" ".join(args.split()))


def type_of(arg):
    arg = re.sub(r"\w+\[\w*\]$", "*", arg)  # an array of the caller's
    if arg.endswith("*"):
        return arg
    t = re.sub(r"\w+$", "", arg).strip()
    return t if t else arg


def valid(name, args, i):
    """What stands for argument i where another is tried."""
    t = type_of(args[i])
    if t == "size_t":
        before = type_of(args[i - 1]) if i else ""
        return {"const char *": "strlen(text)", "char *": "sizeof room", "void *": "sizeof room"}.get(before, "1")
    if t in PLAIN:
        return PLAIN[t]
    if t.startswith("enum "):
        return f"({t})1"
    if t in VALID:
        return VALID[t]
    m = ZEROED.match(t)
    if m and m.group(1) in OPAQUE:
        return "NULL"
    if m or re.match(r"(const )?struct og_\w+ \*\*$", t) or re.match(r"enum \w+ \*$", t):
        return "zeros"
    if t.startswith("og_") and t.endswith("listener *"):
        return "NULL"
    sys.exit(f"nulls.py: no valid '{t}' is known, for {name}()")


def tries(name, args):
    """Every list of arguments to call it with."""
    usual = [valid(name, args, i) for i in range(len(args))]
    if "NULL" not in usual:
        yield usual
    pointers = [i for i, a in enumerate(args) if type_of(a).endswith("*")]
    for i in pointers:
        yield usual[:i] + ["NULL"] + usual[i + 1:]
        if i + 1 < len(args) and type_of(args[i + 1]) == "size_t":
            yield usual[:i] + ["NULL", "0"] + usual[i + 2:]
            yield usual[:i] + ["NULL", "64"] + usual[i + 2:]
    if pointers:
        yield ["NULL" if i in pointers else u for i, u in enumerate(usual)]
    for i, a in enumerate(args):
        t = type_of(a)
        strange = [f"({t})-1", f"({t})1000"] if t.startswith("enum ") and not t.endswith("*") else []
        for value in NUMBERS.get(t, strange):
            yield usual[:i] + [value] + usual[i + 1:]


def main():
    names, calls = [], []
    for path, ret, name, args in functions(sys.argv[1]):
        names.append(name)
        for values in tries(name, args):
            call = f"{name}({', '.join(values)})"
            ends = "" if ret == "void" else "(void)!"
            if re.match(r"struct \w+$", ret):
                ends = "(void)"
            calls.append((call, ends))
    print('/* Made by nulls.py. */\n#include "nulls.h"\n')
    for n, (call, ends) in enumerate(calls):
        print(f"static void try_{n}(void)\n{{\n    {ends}{call};\n}}\n")
    print("const struct attempt attempts[] = {")
    for n, (call, _) in enumerate(calls):
        print("    { try_%d, \"%s\" }," % (n, call.replace('"', '\\"')))
    print("};\nconst int functions = %d, calls = %d;" % (len(names), len(calls)))


main()
