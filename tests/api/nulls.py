#!/usr/bin/env python3
"""Writes a C program that calls every public function with NULL and with values out of range: nulls.py ROOT >
nulls.c

The functions are those declared in include/ordergate, so that a new one cannot be forgotten. A type of parameter
that has no entry below is an error: add a valid value for it.
"""
import glob
import re
import sys

# A valid argument for each type: an expression over the fixtures in nulls.h. "NULL" means that no such value is cheap
# to make, and the function is called without one.
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
    "struct og_basket *": "a_basket()", "const struct og_basket *": "a_basket()",
    "struct og_policy_test *": "tests", "const struct og_policy_test *": "tests",
    "struct og_policy_test **": "&tests_out",
    "struct og_lint_report **": "&report_out", "const struct og_lint_report *": "report",
    "struct og_lint_report *": "report",
    "struct og_diff **": "&diff_out", "struct og_origins **": "&origins_out",
    "const struct og_origins *": "a_origins()", "struct og_origins *": "a_origins()",
    "og_ledger_listener *": "hear", "og_emergency_listener *": "hear", "og_file_listener *": "hear_path",
    "og_usage_listener *": "hear_usage", "og_desk_listener *": "hear", "og_runs_listener *": "hear_run",
    "og_pulse_listener *": "hear_pulse", "const struct og_usage *": "a_usage()",
    # each call makes a new object, since many functions move or end one
    "struct og_sender *": "a_sender()", "const struct og_sender *": "a_sender()", "struct og_client *": "a_client()",
    "struct og_run_watch *": "a_runs()", "struct og_run_watch **": "&runs_out",
    "struct og_ledger *": "a_ledger()", "struct og_watch *": "a_watch()", "struct og_diff *": "a_diff()",
    "const struct og_diff *": "a_diff()", "struct og_policy_source *": "a_source()",
    "const struct og_policy_source *": "a_source()", "struct og_halt_watch *": "a_halt_watch()",
    "const struct og_halt_watch *": "a_halt_watch()", "struct og_policy_coverage *": "a_coverage()",
    "const struct og_policy_coverage *": "a_coverage()", "struct og_show *": "a_show()",
}
# Structs that a caller fills in, with valid members: each member is then tried with other values. og_senders_question
# is left out, because its question goes to every sender of the machine.
GIVEN = {
    "og_send_options": "SEND_OPTIONS", "og_client_options": "CLIENT_OPTIONS", "og_watch_options": "WATCH_OPTIONS",
    "og_window": "{ .start = \"2026-01-15\", .days = 1 }",
    "og_locate_wish": "{ .symbol = \"AAPL\", .quantity = 100, .most = { 1, 2 }, .wait_ns = 1, .every_ns = 1 }",
    "og_waiver": "{ .client_order_id = \"a\", .rule = \"buying-power\", .by = \"b\", .reason = \"c\", "
                 ".until_ns = now + 1, .digest = digest }",
    "og_ledger_waiver": "WAIVER",
    "og_ledger_settlement": "{ .id = \"a\", .outcome = \"filled\", .reason = \"c\", .by = \"b\" }",
    "og_ledger_archive": "{ .before = \"2026-01-15\" }",
    "og_lint_options": "{ .now = now, .no_witness = true }", "og_policy_test_options": "{ 0 }",
    "og_pnl_peak": "{ .day = 20260115, .peak = { 1, 0 } }",
    "og_halt": "{ .trading = OG_TRADING_HALTED, .reason = \"c\" }",
}
# Which pointers may be NULL according to the headers: functions, and names of their arguments.
MAY_BE_NULL = {
    "og_.*": "err with listener line",
    "og_book_(apply|apply_answers|row|default_account|usage)": "account_id name",
    "og_book_replaced": "by_id",
    "og_book_client_tag": "tag",
    "og_client_.*|og_emergency_.*|og_ledger_.*|og_diff_account": "account",
    "og_client_cancel_all": "symbol",
    "og_decision_write": "source",
    "og_(diff|sender)_facts|og_sender_read|og_(policy|policy_test|lint)_read": "name",
    "og_emergency_cancel_own": "ledger",
    "og_file_(open|read)": "st",
    "og_explain": "policy",
    "og_halt_(read|write|add)|og_halt_watch_new|og_book_halt_source|og_ledger_peek": "path",
    "og_runs_(open|orders)": "ledger unknown",
    "og_ledger_print": "id",  # another view than OG_LEDGER_SHOW
    "og_ledger_(list|story|report)": "filter look",
    "og_ledger_verify": "expected",
    "og_lint(_read)?": "options",
    "og_order_set_.*": "symbol route account_id client_order_id tag",  # takes the field away
    "og_policy_load_all": "floor_path",
    "og_policy_sign": "signed_path",
    "og_list_sign": "out_path signed_path",
}
ZEROED = re.compile(r"(?:const )?struct (og_\w+) \*$")  # a struct of the caller's, all zero
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


def members(root):
    """Returns {struct: [(type, member)]} for the structs of the public headers that are in GIVEN."""
    out = {}
    for path in sorted(glob.glob(root + "/include/ordergate/*.h")):
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S)
        for name, body in re.findall(r"^struct (og_\w+) \{(.*?)^\};", text, flags=re.S | re.M):
            body = re.sub(r"enum \{.*?\}", "enum unnamed", body, flags=re.S)
            found = []
            for base, names in re.findall(r"((?:const |struct |enum |long |unsigned )*\w+)\s+([^;]+);", body):
                for one in names.split(","):
                    one = one.strip()
                    found.append((base + (" *" if one.startswith("*") else ""), one.lstrip("*")))
            if name in GIVEN:
                out[name] = found
    if out.keys() != GIVEN.keys():
        sys.exit(f"nulls.py: no header has {GIVEN.keys() - out.keys()}")
    return out


def strange(t):
    """Returns unusual values of a type, to be tried for a member or an argument."""
    if t.endswith("*"):
        return ["NULL"] + (['""', "text", "long_text"] if t == "const char *" else [])
    if t.startswith("enum "):
        return ["1000", "UINT_MAX"] if t == "enum unnamed" else [f"({t})-1", f"({t})1000"]
    return NUMBERS.get(t, ["NULL"] if t.endswith("listener") else [])


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
    """Returns a valid value for argument i, to be passed while another argument is tested."""
    t = type_of(args[i])
    if t == "size_t":
        before = type_of(args[i - 1]) if i else ""
        return {"const char *": "strlen(text)", "char *": "sizeof room", "void *": "sizeof room"}.get(before, "1")
    if t in PLAIN:
        return PLAIN[t]
    if t.startswith("enum ") and not t.endswith("*"):
        return f"({t})1"
    if t in VALID:
        return VALID[t]
    m = ZEROED.match(t)
    if m or re.match(r"(const )?struct og_\w+ \*\*$", t) or re.match(r"enum \w+ \*$", t):
        return "zeros"
    if t.startswith("og_") and t.endswith("listener *"):
        return "NULL"  # nobody listens
    sys.exit(f"nulls.py: no valid '{t}' is known, for {name}()")


def tries(name, args):
    """Yield every list of arguments with which the function is called."""
    usual = [valid(name, args, i) for i in range(len(args))]
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
        for value in strange(t) if t == "const char *" or not t.endswith("*") else []:
            sized = t == "const char *" and value != "NULL" and i + 1 < len(args) and type_of(args[i + 1]) == "size_t"
            yield usual[:i] + [value] + ([f"strlen({value})"] + usual[i + 2:] if sized else usual[i + 1:])


def given(name, args, structs):
    """For each struct that the caller fills in, yield calls in which one member has an unusual value, as (code
    before the call, arguments)."""
    for i, a in enumerate(args):
        m = ZEROED.match(type_of(a))
        if not m or m.group(1) not in GIVEN:
            continue
        usual = [valid(name, args, k) for k in range(len(args))]
        usual[i] = "&given"
        made = f"struct {m.group(1)} given = {GIVEN[m.group(1)]}; "
        yield made, usual
        for t, member in structs[m.group(1)]:
            array = re.match(r"(\w+)\[", member)
            if array:  # of characters: the array is full and not terminated
                yield made + f"memset(given.{array.group(1)}, 'x', sizeof given.{array.group(1)}); ", usual
            for value in [] if array else strange(t):
                yield made + f"given.{member} = {value}; ", usual


def may_be_null(name, arg):
    """Returns True if the headers allow NULL for the argument, or the value is opaque to the library (a caller's
    own pointer)."""
    arg = re.search(r"\w+$", re.sub(r"\[\w*\]$", "", arg))[0]
    return any(re.fullmatch(functions, name) and arg in allowed.split() for functions, allowed in MAY_BE_NULL.items())


def refused(ret, name, args, values):
    """Returns True if the call must return OG_EINVAL: exactly one argument differs from the valid ones, and it is a
    NULL that is not allowed, or not a value of its enum."""
    usual = [valid(name, args, i) for i in range(len(args))]
    changed = [i for i in range(len(args)) if values[i] != usual[i]]
    if ret != "enum og_status" or len(changed) != 1:
        return False
    t = type_of(args[changed[0]])
    if t.endswith("*"):
        return values[changed[0]] == "NULL" and not may_be_null(name, args[changed[0]])
    return t.startswith("enum ")


def main():
    names, calls, structs = [], [], members(sys.argv[1])
    for path, ret, name, args in functions(sys.argv[1]):
        names.append(name)
        reads = any(type_of(a) == "const char *" and type_of(b) == "size_t" for a, b in zip(args, args[1:]))
        for before, values in [("", v) for v in tries(name, args)] + list(given(name, args, structs)):
            call = f"{name}({', '.join(values)})"
            ends = "" if ret == "void" else "(void)!"
            if re.match(r"struct \w+$", ret):
                ends = "(void)"
            if not before and refused(ret, name, args, values):
                ends = "answered = "
            calls.append((before, call, ends, reads))
    print('/* Made by nulls.py. */\n#include "nulls.h"\n')
    for n, (before, call, ends, _) in enumerate(calls):
        print(f"static void try_{n}(void)\n{{\n    {before}{ends}{call};\n}}\n")
    print("const struct attempt attempts[] = {")
    for n, (before, call, _, reads) in enumerate(calls):
        print("    { try_%d, \"%s\", %s }," % (n, (before + call).replace('"', '\\"'), str(reads).lower()))
    print("};\nconst int functions = %d, calls = %d;" % (len(names), len(calls)))


main()
