#!/usr/bin/env python3
"""ordergate policy diff against an SMT solver: for random pairs of policies, z3 looks for an order that contradicts
what is said to be proved.

The pairs are written as SMT-LIB here, by the manual's words on unknown values, without using anything of the prover; a
second test compares that with what check decides. The orders and facts that z3 may choose from are a part of those
that exist, so whatever it finds is a real order. Without z3 (Debian's package of that name) both are skipped. OG_SEED
and OG_COUNT select other pairs, and how many.
"""
import json
import os
import random
import shutil
import subprocess
import unittest

from policy_case import PolicyCase
from tries import tries

ROOTS = ["AAPL", "GME", "AMC", "F", "SPY"]
SYMBOLS = ROOTS + [f"{r}260320C00100000" for r in ROOTS]
SECURITIES, SIDES, CLOSES = ["Stock", "Option", "Mleg"], ["Buy", "Sell"], ["Open", "Close"]
TYPES, TERMS = ["Market", "Limit", "Stop", "StopLimit"], ["Day", "GoodTillCancel"]
ACTIONS = {("Buy", "Open"): "Buy", ("Sell", "Close"): "Sell", ("Sell", "Open"): "Short", ("Buy", "Close"): "Cover"}
KINDS = {("Stock", "Buy", "Open"): "stock buy", ("Stock", "Sell", "Close"): "stock sell",
         ("Stock", "Sell", "Open"): "stock short", ("Stock", "Buy", "Close"): "stock cover",
         ("Option", "Buy", "Open"): "option buy", ("Option", "Sell", "Open"): "option write",
         ("Option", "Sell", "Close"): "option close", ("Option", "Buy", "Close"): "option close"}
AT = "2026-01-15T15:00:00Z"

# What z3 may choose from. A spread has no side here, and its openClose is not given; prices have two decimals.
WORLD = """
(set-option :timeout 2000)
(declare-const sec Int) (declare-const side Int) (declare-const oc Int) (declare-const typ Int) (declare-const tif Int)
(declare-const sym Int) (declare-const qty Int) (declare-const cents Int)
(declare-const equity_c Int) (declare-const equity_k Bool)
(declare-const bid_c Int) (declare-const ask_c Int) (declare-const last_c Int) (declare-const quote_k Bool)
(declare-const minute Int)
(define-fun limit () Real (/ (to_real cents) 100.0))
(define-fun equity () Real (/ (to_real equity_c) 100.0))
(define-fun bid () Real (/ (to_real bid_c) 100.0))
(define-fun ask () Real (/ (to_real ask_c) 100.0))
(define-fun last () Real (/ (to_real last_c) 100.0))
(define-fun limit_k () Bool (or (= typ 1) (= typ 3)))
(assert (and (<= 0 sec 2) (<= 0 side 1) (<= 0 oc 1) (<= 0 typ 3) (<= 0 tif 1)))
(assert (ite (= sec 1) (<= 5 sym 9) (<= 0 sym 4)))
(assert (=> (= sec 2) (and (= side 0) (= oc 0) (<= typ 1) (not quote_k))))
(assert (and (<= 1 qty 1000000) (<= 1 cents 99999999)))
(assert (and (<= (- 1000000000) equity_c 1000000000) (<= 0 minute 100000)))
(assert (and (<= 1 bid_c 99999999) (<= bid_c ask_c 99999999) (<= 1 last_c 99999999)))
"""


class Maker:
    """Makes conditions as pairs: the text, and a tree for SMT-LIB."""

    def __init__(self, rng):
        self.rng = rng

    def number(self, whole):
        n = self.rng.choice([1, 2, 5, 9, 10, 11, 50, 100, 101, 1000])
        return str(n) if whole else f"{n}.{self.rng.choice(['0', '5', '25'])}"

    def sum(self):
        """(text, names, whole)"""
        kind = self.rng.randrange(8)
        if kind < 2:
            return ["name", "order.orderQuantity"], True
        if kind == 2:
            return ["name", "counters.ordersLastMinute"], True
        if kind == 3:
            return ["%", "order.orderQuantity", self.rng.choice(["7", "10", "100"])], True
        if kind == 4:
            a, b = self.rng.sample(["quote.bid", "quote.ask", "quote.last", "order.limitPrice"], 2)
            return [self.rng.choice("+-"), a, b], False
        return ["name", self.rng.choice(["order.limitPrice", "account.equity", "quote.bid", "quote.ask"])], False

    def atom(self):
        kind = self.rng.randrange(10)
        if kind < 5:
            left, whole = self.sum()
            if self.rng.random() < 0.2 and not whole:
                times = self.rng.choice(["2", "1.02", "0.9"])
                return ["times", self.rng.choice(["<", "<=", ">", ">="]), left, times,
                        self.rng.choice(["quote.bid", "quote.ask", "account.equity"])]
            return ["cmp", self.rng.choice(["<", "<=", ">", ">=", "==", "!="]), left, self.number(whole)]
        if kind == 5:
            return ["in", self.rng.choice(["lists.a", "lists.b", '["GME", "AMC"]'])]
        if kind == 6:
            return ["starts", self.rng.choice(["A", "G", "AAPL2", "F"])]
        if kind == 7:
            return ["flag", self.rng.choice(["order.opens", "has(order.limitPrice)"])]
        name, words = self.rng.choice([
            ("side", SIDES), ("securityType", SECURITIES), ("openClose", CLOSES), ("orderType", TYPES),
            ("action", list(ACTIONS.values())), ("timeInForce", TERMS), ("symbol", SYMBOLS)])
        return ["word", self.rng.choice(["==", "!="]), "order." + name, self.rng.choice(words)]

    def condition(self, depth=2):
        if depth and self.rng.random() < 0.1:  # true or unknown
            e = ["cmp", "<", ["name", self.rng.choice(["account.equity", "quote.bid", "order.limitPrice"])], "9.5"]
            return ["||", e, ["cmp", ">="] + e[2:]]
        if depth == 0 or self.rng.random() < 0.3:
            return self.atom()
        kind = self.rng.randrange(7)
        if kind < 3:
            return ["&&", self.condition(depth - 1), self.condition(depth - 1)]
        if kind < 5:
            return ["||", self.condition(depth - 1), self.condition(depth - 1)]
        if kind == 5:
            return ["!", self.condition(depth - 1)]
        return ["?", self.condition(depth - 1), self.condition(depth - 1), self.condition(depth - 1)]

    def changed(self, e):
        """Returns the condition with one change: some keep its meaning, some make it wider or narrower."""
        rng = self.rng
        if e[0] in ("&&", "||") and rng.random() < 0.7:
            kind = rng.randrange(5)
            if kind == 0:
                return [e[0], e[2], e[1]]
            if kind == 1:
                return ["!", ["||" if e[0] == "&&" else "&&", ["!", e[1]], ["!", e[2]]]]
            if kind == 2:
                return e[rng.choice([1, 2])]
            side = rng.choice([1, 2])
            return [self.changed(x) if i == side else x for i, x in enumerate(e)]
        if e[0] == "!":
            return ["!", self.changed(e[1])] if rng.random() < 0.7 else e[1]
        if e[0] == "?":
            kind = rng.randrange(3)
            if kind == 0:
                return ["?", ["!", e[1]], e[3], e[2]]
            return [self.changed(x) if i == kind else x for i, x in enumerate(e)]
        kind = rng.randrange(6)
        if kind == 0:
            return [rng.choice(["&&", "||"]), e, self.atom()]
        if kind == 1:
            return ["!", ["!", e]]
        if e[0] == "cmp":
            if kind < 4:
                return e[:3] + [self.number("." not in e[3])]
            return [e[0], rng.choice(["<", "<=", ">", ">="])] + e[2:]
        if kind == 2:  # true of every order
            return ["cmp", ">", ["name", "order.orderQuantity"], "0"]
        return self.atom() if kind == 3 else e


def text(e):
    """The condition as a policy has it."""
    def of(s):
        return s[1] if s[0] == "name" else f"{s[1]} {s[0]} {s[2]}"
    if e[0] in ("&&", "||"):
        return f"({text(e[1])} {e[0]} {text(e[2])})"
    if e[0] == "!":
        return f"!({text(e[1])})"
    if e[0] == "?":
        return f"({text(e[1])} ? {text(e[2])} : {text(e[3])})"
    return {"cmp": lambda: f"{of(e[2])} {e[1]} {e[3]}", "times": lambda: f"{of(e[2])} {e[1]} {e[4]} * {e[3]}",
            "in": lambda: f"order.symbol in {e[1]}", "starts": lambda: f'order.symbol.startsWith("{e[1]}")',
            "flag": lambda: e[1], "word": lambda: f'{e[2]} {e[1]} "{e[3]}"'}[e[0]]()


# name: (value, when it is known)
NUMBERS = {"order.orderQuantity": ("(to_real qty)", "true"), "order.limitPrice": ("limit", "limit_k"),
           "account.equity": ("equity", "equity_k"), "quote.bid": ("bid", "quote_k"), "quote.ask": ("ask", "quote_k"),
           "quote.last": ("last", "quote_k"), "counters.ordersLastMinute": ("(to_real minute)", "true")}


def any_of(terms):
    return f"(or false {' '.join(terms)})"


def number(s):
    if s[0] == "name":
        return NUMBERS[s[1]]
    if s[0] == "%":
        return f"(to_real (mod qty {s[2]}))", "true"
    (a, a_known), (b, b_known) = NUMBERS[s[1]], NUMBERS[s[2]]
    return f"({s[0]} {a} {b})", f"(and {a_known} {b_known})"


def compared(op, a, b):
    return f"(not (= {a} {b}))" if op == "!=" else f"({'=' if op == '==' else op} {a} {b})"


def word(name, value):
    """Returns when the text is that word; a spread has no side, openClose or action."""
    single = "(not (= sec 2))"
    if name == "order.action":
        return any_of(f"(and {single} (= side {SIDES.index(s)}) (= oc {CLOSES.index(o)}))"
                      for (s, o), action in ACTIONS.items() if action == value)
    var, words = {"order.side": ("side", SIDES), "order.securityType": ("sec", SECURITIES),
                  "order.openClose": ("oc", CLOSES), "order.orderType": ("typ", TYPES),
                  "order.timeInForce": ("tif", TERMS), "order.symbol": ("sym", SYMBOLS)}[name]
    here = f"(= {var} {words.index(value)})"
    return f"(and {single} {here})" if var in ("side", "oc") else here


def truth(e, lists):
    """Returns (when it is true, when it is false); if neither, it is unknown or an error."""
    if e[0] in ("&&", "||"):
        (at, af), (bt, bf) = truth(e[1], lists), truth(e[2], lists)
        both = ("and", "or") if e[0] == "&&" else ("or", "and")
        return f"({both[0]} {at} {bt})", f"({both[1]} {af} {bf})"
    if e[0] == "!":
        return truth(e[1], lists)[::-1]
    if e[0] == "?":
        (ct, cf), (at, af), (bt, bf) = (truth(x, lists) for x in e[1:])
        return f"(or (and {ct} {at}) (and {cf} {bt}))", f"(or (and {ct} {af}) (and {cf} {bf}))"
    known = "true"
    if e[0] == "cmp":
        value, known = number(e[2])
        holds = compared(e[1], value, e[3] if "." in e[3] else e[3] + ".0")
    elif e[0] == "times":
        (value, known), (other, other_known) = number(e[2]), NUMBERS[e[4]]
        known = f"(and {known} {other_known})"
        holds = compared(e[1], value, f"(* {other} {e[3] if '.' in e[3] else e[3] + '.0'})")
    elif e[0] == "in":
        words = lists[e[1][6:]] if e[1].startswith("lists.") else json.loads(e[1])
        holds = any_of(f"(= sym {SYMBOLS.index(w)})" for w in words)
    elif e[0] == "starts":
        holds = any_of(f"(= sym {i})" for i, s in enumerate(SYMBOLS) if s.startswith(e[1]))
    elif e[0] == "flag":
        holds = "limit_k" if e[1].startswith("has") else "(and (not (= sec 2)) (= oc 0))"
    else:
        holds = word(e[2], e[3])
        holds = f"(not {holds})" if e[1] == "!=" else holds
    return f"(and {known} {holds})", f"(and {known} (not {holds}))"


class Policy:
    """A custom rule, and a limit with overrides."""

    def __init__(self, rule, limit, overrides, lists, unsure):
        self.rule, self.limit, self.overrides, self.lists, self.unsure = rule, limit, overrides, lists, unsure

    def yaml(self):
        when, require = (json.dumps(text(e)) for e in self.rule)
        over = ", ".join(f"{{when: {json.dumps(text(w))}, shares: {n}, contracts: {n}}}" for w, n in self.overrides)
        return (f"ordergate: 1\nname: p\nextends: []\nunsure: {self.unsure}\n"
                f"lists: {{a: {json.dumps(self.lists['a'])}, b: {json.dumps(self.lists['b'])}}}\n"
                f"custom: [{{id: own, when: {when}, require: {require}}}]\n"
                f"rules: {{order-quantity-limit: {{level: refuse, shares: {self.limit}, contracts: {self.limit}, "
                f"overrides: [{over}]}}}}\n")

    def refuses(self):
        """When an order is refused."""
        (wt, wf), (rt, rf) = (truth(e, self.lists) for e in self.rule)
        surely, perhaps = f"(and {wt} {rf})", f"(and (not {wf}) (not {rt}))"
        found = any_found = f"(> qty {self.limit})"
        for when, n in reversed(self.overrides):
            t, f = truth(when, self.lists)
            here = f"(> qty {n})"
            found = f"(ite {t} {here} (ite {f} {found} (and {here} {found})))"
            any_found = f"(ite {t} {here} (ite {f} {any_found} (or {here} {any_found})))"
        return f"(or {perhaps} {any_found})" if self.unsure == "refuse" else f"(or {surely} {found})"


class Z3:
    def __init__(self):
        self.run = subprocess.Popen(["z3", "-in"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.run.stdin.write(WORLD)

    def model(self, formula):
        """Returns (values of an order for which the formula is true, or None; what z3 says)."""
        names = "sec side oc typ tif sym qty cents equity_c equity_k bid_c ask_c last_c quote_k minute".split()
        self.run.stdin.write(f"(push)\n(assert {formula})\n(check-sat)\n")
        self.run.stdin.flush()
        found = self.run.stdout.readline().strip()
        assert found in ("sat", "unsat", "unknown", "timeout"), found
        values = None
        if found == "sat":
            self.run.stdin.write("".join(f"(eval {n} :completion true)\n" for n in names))
            self.run.stdin.flush()
            values = {n: self.value(self.run.stdout.readline().strip()) for n in names}
        self.run.stdin.write("(pop)\n")
        return values, found

    @staticmethod
    def value(said):
        return said == "true" if said in ("true", "false") else int(said.replace("(- ", "-").rstrip(")"))

    def end(self):
        self.run.stdin.close()
        self.run.wait()
        self.run.stdout.close()


def in_kinds(kinds):
    terms = [f"(and (= sec {SECURITIES.index(a)}) (= side {SIDES.index(b)}) (= oc {CLOSES.index(c)}))"
             for (a, b, c), kind in KINDS.items() if kind in kinds]
    return any_of(terms + (["(= sec 2)"] if "spread" in kinds else []))


@unittest.skipUnless(shutil.which("z3"), "z3 is not installed: apt-get install z3")
class Oracle(PolicyCase):
    SEED, COUNT = int(os.environ.get("OG_SEED", 20261124)), tries("OG_COUNT", 60)

    def pair(self, seed):
        rng = random.Random(seed)
        m = Maker(rng)
        lists = {n: rng.sample(ROOTS, rng.randint(0, 3)) for n in "ab"}
        unsure = rng.choice(["warn", "refuse"])
        a = Policy([m.condition(), m.condition()], 1000,
                   [(m.condition(1), rng.choice([5, 100, 2000])) for _ in range(rng.randint(0, 2))], lists, unsure)
        b = Policy(list(a.rule), a.limit, list(a.overrides), dict(lists), unsure)
        for _ in range(rng.choice([1, 1, 1, 2])):
            kind = rng.randrange(6)
            if kind < 3:
                part = rng.randrange(2)
                b.rule[part] = m.changed(b.rule[part])
            elif kind == 3 and b.overrides:
                k = rng.randrange(len(b.overrides))
                b.overrides[k] = (m.changed(b.overrides[k][0]), b.overrides[k][1])
            elif kind == 4:
                what = rng.randrange(3)
                if what == 0 and b.overrides:
                    del b.overrides[rng.randrange(len(b.overrides))]
                elif what == 1 and len(b.overrides) == 2:
                    b.overrides.reverse()
                else:
                    b.overrides.insert(rng.randint(0, len(b.overrides)), (m.condition(1), rng.choice([5, 100, 2000])))
            else:
                name = rng.choice("ab")
                b.lists[name] = rng.sample(ROOTS, rng.randint(0, 3))
        return a, b

    @staticmethod
    def order(v):
        """Returns the order and the facts of a model."""
        security, limit = SECURITIES[v["sec"]], v["cents"] / 100
        order = {"securityType": security, "symbol": SYMBOLS[v["sym"]], "orderType": TYPES[v["typ"]],
                 "orderQuantity": v["qty"], "timeInForce": TERMS[v["tif"]], "clientOrderId": "a", "accountId": "L1"}
        if security == "Mleg":
            order["legs"] = [{"symbol": f"{order['symbol']}260320C00{n}000", "side": s, "ratio": 1, "openClose": "Open"}
                             for n, s in ((100, "Buy"), (110, "Sell"))]
        else:
            order.update(side=SIDES[v["side"]], openClose=CLOSES[v["oc"]])
        order.update({"limitPrice": limit} if TYPES[v["typ"]] in ("Limit", "StopLimit") else {})
        order.update({"stopPrice": limit} if TYPES[v["typ"]] in ("Stop", "StopLimit") else {})
        facts = {"asOf": AT, "accountId": "L1", "gate": {"ordersLastMinute": v["minute"], "ordersToday": v["minute"]}}
        if v["equity_k"]:
            facts["account"] = {"accountId": "L1", "equity": v["equity_c"] / 100}
        if v["quote_k"]:
            facts["quotes"] = {order["symbol"]: {"bid": v["bid_c"] / 100, "ask": v["ask_c"] / 100,
                                                 "last": v["last_c"] / 100, "asOf": AT}}
        return order, facts

    def told(self, seed):
        a, b = self.pair(seed)
        names = [self.file(f"{n}.yaml", p.yaml()) for n, p in (("a", a), ("b", b))]
        done = self.gate("policy", "diff", "--format", "json", "--generate", "0", *names)
        if done.returncode == 3:
            self.assertRegex(done.stderr.decode(), r"constant|always|never|expr|type", a.yaml() + b.yaml())
            return None
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return a, b, names, json.loads(done.stdout)["kinds"]

    def verdict(self, name, values):
        order, facts = self.order(values)
        return self.decide(name, json.dumps(order), facts, at=AT)[0]

    def test_check_decides_as_the_formulas_say(self):
        """check refuses the orders that z3 finds to be refused, and accepts those that it finds to be accepted."""
        z3, seen = Z3(), {"refuse": 0, "accept": 0}
        self.addCleanup(z3.end)
        for seed in range(self.SEED, self.SEED + min(self.COUNT, 40)):
            a, b = self.pair(seed)
            differs = f"(not (= {a.refuses()} {b.refuses()}))"
            names = [self.file(f"{n}.yaml", p.yaml()) for n, p in (("a", a), ("b", b))]
            opens = in_kinds({"stock buy", "stock short", "option buy", "option write"})
            for formula in (a.refuses(), f"(not {a.refuses()})", differs):
                values, _ = z3.model(f"(and {opens} {formula})")
                for policy, name in zip((a, b), names) if values else ():
                    verdict = "refuse" if z3.model(f"(and {self.same(values)} {policy.refuses()})")[0] else "accept"
                    decided = self.verdict(name, values)
                    seen[verdict] += 1
                    self.assertEqual(decided["verdict"], verdict, (seed, policy.yaml(), self.order(values), decided))
        self.assertGreater(min(seen.values()), self.COUNT / 4)

    @staticmethod
    def same(values):
        said = {True: "true", False: "false"}
        return "(and " + " ".join(f"(= {n} {said.get(v, v) if isinstance(v, bool) else f'(- {-v})' if v < 0 else v})"
                                  for n, v in values.items()) + ")"

    def test_no_claim_is_refuted(self):
        print(f"seeds {self.SEED} to {self.SEED + self.COUNT - 1}")
        counts = dict.fromkeys(["pairs", "claims", "undecided"], 0)
        z3 = Z3()
        self.addCleanup(z3.end)
        for seed in range(self.SEED, self.SEED + self.COUNT):
            told = self.told(seed)
            if not told:
                continue
            counts["pairs"] += 1
            a, b, names, kinds = told
            for never, other, (old, new) in (("looser", "tighter", (a, b)), ("tighter", "looser", (b, a))):
                claimed = {k["kind"] for k in kinds if k["verdict"] in ("same", other) and never not in k["perhaps"]}
                claimed &= set(KINDS.values()) | {"spread"}
                if old.unsure == "refuse":  # a close is not refused because of something unknown
                    claimed -= {"stock sell", "stock cover", "option close"}
                values, found = z3.model(f"(and {in_kinds(claimed)} {old.refuses()} (not {new.refuses()}))")
                counts["claims"] += len(claimed)
                counts["undecided"] += found not in ("sat", "unsat")
                if values:
                    both = [self.verdict(n, values)["verdict"] for n in names]
                    self.fail((seed, never, a.yaml(), b.yaml(), self.order(values), both))
        print(counts)
        self.assertGreater(counts["claims"], 3 * self.COUNT)


if __name__ == "__main__":
    unittest.main()
