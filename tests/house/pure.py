#!/usr/bin/env python3
"""Rules are pure: an object file of rules/ calls only functions that read, and owns no variable data. What an order is
worth is computed in src/margin, by one function for all limits: rules multiply no price or quantity themselves.

pure.py ROOT CC OBJECT...   prints every symbol and product that is not allowed; exit 1 if there is one.

It first compiles a rule that is not pure, and demands that its faults are found.
"""
import os
import re
import subprocess
import sys
import tempfile

# Headers whose functions only read their arguments (lookup_keys.h also stores the hashes it computes).
READERS = [
    "rules/rule.h",
    "rules/collar.h",
    "rules/list_age.h",
    "rules/margin.h",
    "src/facts/calendar.h",
    "src/facts/facts.h",
    "src/facts/lookup_keys.h",
    "src/margin/cost.h",
    "src/margin/cover.h",
    "src/margin/daytrade.h",
    "src/margin/margin.h",
    "src/margin/net.h",
    "src/margin/notional.h",
    "src/mleg/mleg.h",
    "src/order/occ.h",
    "src/order/roots.h",
    "src/order/spelling.h",
    "src/order/symbol.h",
    "src/base/time.h",
    "include/ordergate/calendar.h",
    "include/ordergate/money.h",
]
ALSO = r"""og_order_legs_may_open |
    og_case_(opening|opening_legs|sells_short|closes|adds|adds_to|uncovers|uncovers_alone) |
    og_(security|side|open_close|order_type|tif)_(name|of) |
    og_(leg_)?key_(names|types|pointers|required) | og_key_meant | og_fail | og_endpoints | og_meant | og_nearest |
    bcmp | mem(cmp|chr|cpy|move|set) | str(len|n?cmp|r?chr|c?spn) | _GLOBAL_OFFSET_TABLE_ | __stack_chk_fail |
    __(asan|ubsan|tsan|sanitizer|odr_asan|gcov|llvm)\w*(\..*)? | __popcountdi2 |
    og_collar_reasons | og_quote_fault_says"""
# A sanitizer keeps its own data in the object; it does not belong to the rule.
BOOKS = re.compile(r"^(\.L|__unnamed_\d+$|__(odr_asan|asan|ubsan|tsan|gcov|llvm)|asan\.|_ZN?\d*__)")
CHANGES = re.compile(r"^(\.data|\.bss|\.tdata|\.tbss|\*COM\*|\.common)")

MULTIPLIES = re.compile(r"\b(og_money_(?:times|mul)|og_cents_of)\b|(?:quantity|limit|price|stop)(?:\.coef)? \*[^/]|"
                        r"\* (?:\w+->)?(?:quantity|limit|price|stop)\b")
# Multiplications that rules may contain: the product is not an order's worth, or only shows that an order is surely
# within the limit.
PRODUCTS = {
    "rules/collar_quote.c": 2,  # the width of a market, as a share of its middle
    "rules/collar_spread.c": 2,  # a price per share, computed from that of a unit
    "rules/locate_accept.c": 1,  # the price of a locate times the located shares
    "rules/mleg_strategy.c": 2,  # a width and a payoff in thousandths
    "rules/option_level.c": 1,  # contracts of a leg
    "rules/order_notional.c": 1,  # is_within() only accepts
    "rules/weighted_exposure.c": 1,  # a sum in millionths of a dollar, as dollars
}


def readers(root):
    names = set()
    for path in READERS:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            names |= set(re.findall(r"\b(og_\w+)\s*\(", f.read()))
    return names


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def judge(path, allowed):
    """Returns the symbols of an object file that a rule must not use or define. Constant tables of pointers
    (.data.rel.ro) are allowed, because they are read-only once the program is loaded."""
    faults = []
    also = re.compile(re.sub(r"\s", "", ALSO))
    for line in output("nm", "--undefined-only", path).splitlines():
        name = line.split()[-1]
        if name not in allowed and not also.fullmatch(name):
            faults.append(f"{path}: calls or reads {name}, which a rule may not")
    for line in output("objdump", "-t", path).splitlines():
        found = re.match(r"^[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+(?: \.hidden)? (\S+)$", line)
        if not found or "d" in found[1] or "f" in found[1] or "F" in found[1]:
            continue
        section, name = found[2], found[3]
        if CHANGES.match(section) and not section.startswith(".data.rel.ro") and not BOOKS.match(name):
            faults.append(f"{path}: {name} in {section} can change")
    return faults


IMPURE = """
#include <stdlib.h>
#include <time.h>
static int counted;
int shared[4];
static _Thread_local int mine = 1;
static int started = 7;
const char *const fine[] = { "a", "b" };
int impure(void);
int impure(void)
{
    void *p = malloc((unsigned)counted);
    free(p);
    mine++;
    started++;
    return ++counted + (int)time(NULL) + shared[1];
}
"""


def products(text):
    """Returns the numbers of the lines that multiply a price or a quantity, which only src/margin may do."""
    code = re.sub(r"/\*.*?\*/|\"(?:\\\\.|[^\"\n])*\"", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.DOTALL)
    return [number for number, line in enumerate(code.splitlines(), 1) if MULTIPLIES.search(line)]


def multiplied(root):
    faults = []
    for name in sorted(os.listdir(os.path.join(root, "rules"))):
        path = "rules/" + name
        if not name.endswith(".c"):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as f:
            seen = products(f.read())
        if len(seen) != PRODUCTS.get(path, 0):
            faults += [f"{path}:{line}: multiplies a price or a quantity: what an order is worth is computed in "
                       "src/margin/notional.c" for line in seen]
            faults += [] if seen else [f"{path}: multiplies nothing: take it out of PRODUCTS"]
    return faults


WORTH = """
static void f(const struct og_order *o) /* o->quantity * 2 */
{
    int64_t all = o->quantity * 100;
    all = o->limit.coef * all;
    if (!og_money_times(price, 1, &price))
        say("price * quantity");
    return 100 * o->quantity;
}
"""


def prove(cc, allowed):
    if products(WORTH) != [4, 5, 6, 8]:
        sys.exit(f"pure.py is broken: it takes {products(WORTH)} for products")
    with tempfile.TemporaryDirectory() as folder:
        source, made = os.path.join(folder, "impure.c"), os.path.join(folder, "impure.o")
        with open(source, "w", encoding="utf-8") as f:
            f.write(IMPURE)
        output(cc, "-std=c11", "-fPIC", "-O0", "-c", source, "-o", made)
        faults = "\n".join(judge(made, allowed))
    for word in ("reads time,", "reads malloc,", "reads free,", "counted in", "shared in", "mine in", "started in"):
        if word not in faults:
            sys.exit(f"pure.py is broken: it does not find '{word}' in\n{faults}")
    if "fine in" in faults:
        sys.exit("pure.py is broken: a constant table counts as changing")


def main():
    root, cc, objects = sys.argv[1], sys.argv[2], sys.argv[3:]
    allowed = readers(root)
    prove(cc, allowed)
    faults = multiplied(root)
    for path in objects:
        if not path.endswith("/register.c.o"):
            faults += judge(path, allowed)
    print("\n".join(faults + [f"{len(objects)} objects, {len(faults)} faults"]))
    sys.exit(1 if faults or len(objects) < 10 else 0)


main()
