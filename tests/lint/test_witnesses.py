#!/usr/bin/env python3
"""Random policies, linted: `ordergate check` decides every witness as lint says, and removing what lint calls
ineffective changes no decision.

OG_SEED and OG_POLICIES select the policies.
"""
import json
import os
import random
import re
import unittest

from lint_case import AT, LintCase
from tries import tries

SEED = int(os.environ.get("OG_SEED", "20261121"))
POLICIES = tries("OG_POLICIES", 60)
SYMBOLS = ["AAPL", "SPY", "QQQ", "GME", "F"]
FACTS = {"asOf": "2026-11-20T15:00:00Z", "accountId": "LIVE0001",
         "account": {"account": "LIVE0001", "accountStatus": "Active", "accountType": "Live", "bp": 900000000,
                     "overnightBp": 900000000,
                     "availableCash": 900000000, "equity": 900000000, "optLevel": 4, "optionTradingLevel": 4,
                     "marginDeficit": 0, "maintenanceDeficit": 0},
         "accountList": [{"account": "LIVE0001", "accountType": "Live", "accountStatus": "Active"}],
         "pnl": {"dayPnl": 0}, "positions": [], "orders": [], "usedClientOrderIds": [], "locateInventory": [],
         "borrow": {s: True for s in SYMBOLS}, "averageVolume": {s: 100000000 for s in SYMBOLS},
         "routes": [{"routeName": "SMART", "securityTypes": ["Stock", "Option", "MLEG"],
                     "timesInForce": ["Day", "GoodTillCancel"]}],
         "gate": {"ordersLastSecond": 0, "ordersLastMinute": 0, "ordersToday": 0, "rejectionsInARow": 0,
                  "trading": "on"}}


def option(symbol):
    return f"{symbol}270115C00100000"


class Desk:
    """A policy in which every override and custom rule has a line of its own."""

    def __init__(self, r):
        self.r = r
        self.head = ["ordergate: 1", "unsure: " + r.choice(["warn", "refuse"])]
        if r.random() < 0.5:
            self.head.append("extends: [%s]" % r.choice(["default", "live", "paper", "cautious"]))
        if r.random() < 0.4:
            self.head.append("environment: " + r.choice(["live", "paper"]))
        self.rules = {}
        for rule in r.sample(sorted(MADE), r.randint(1, 5)):
            level = r.choice(["level: refuse"] * 4 + ["level: warn", "level: off", None])
            overrides = []
            if r.random() < 0.5:
                overrides = [self.override(rule) for _ in range(r.randint(1, 4))]
            self.rules[rule] = [level, MADE[rule](r), overrides]
        self.custom = [self.own(i) for i in range(r.choice([0, 0, 1, 2, 3]))]

    def override(self, rule):
        r, match = self.r, {}
        for key, values in (("securityType", ["Stock", "Option", "Mleg"]), ("side", ["Buy", "Sell"]),
                            ("orderType", ["Market", "Limit", "Stop"]),
                            ("symbol", ["SPY", "SPY|QQQ", "[A-Z]+", "GME", "AAPL.*", "spy"])):
            if r.random() < 0.4:
                match[key] = r.choice(values)
        if not match or r.random() < 0.2:
            match["securityType"] = r.choice(["Stock", "Option"])
        when = ", when: '%s'" % self.condition() if r.random() < 0.3 else ""
        said = r.choice([MADE[rule](r), MADE[rule](r), "level: warn", "level: refuse"])
        return f"- {{match: {json.dumps(match)}{when}, {said}}}"

    def condition(self):
        r = self.r
        atoms = ['order.orderQuantity %s %d' % (r.choice(["<", "<=", ">", ">="]),
                                                r.choice([0, 10, 100, 1000, 1000000])),
                 'order.side == "%s"' % r.choice(["Buy", "Sell", "Short"]),
                 'order.action %s "%s"' % (r.choice(["==", "!="]), r.choice(["Buy", "Short", "Cover"])),
                 'order.orderType != "%s"' % r.choice(["Market", "Limit"]),
                 'order.symbol in ["%s", "%s"]' % (r.choice(SYMBOLS), r.choice(SYMBOLS)),
                 'order.limitPrice >= %d.5' % r.choice([1, 50, 500]), "session.open", 'order.securityType == "Stock"',
                 'account.environment == "live"',
                 'order.orderQuantity %s order.orderQuantity' % r.choice(["<", "==", ">="]),
                 'order.symbol.%s("%s")' % (r.choice(["startsWith", "contains"]), r.choice(["gm", "/", "A", "SP"])),
                 'order.notional %s %d' % (r.choice(["<=", ">"]), r.choice([40, 400, 60000]))]
        text = r.choice(atoms)
        for _ in range(r.choice([0, 1, 1, 2])):
            text = "%s%s %s %s" % (r.choice(["", "", "!(%s)" % r.choice(atoms) + " && "]), text,
                                   r.choice(["&&", "||"]), r.choice(atoms))
        return text

    def own(self, i):
        when = "when: '%s', " % self.condition() if self.r.random() < 0.6 else ""
        require, level = self.condition(), self.r.choice(["refuse", "refuse", "warn"])
        return f"- {{id: own-{i}, {when}require: '{require}', level: {level}}}"

    def text(self, without=None):
        """Returns the policy, and a map from line numbers to the items there. The item `without` is left out."""
        lines, at = list(self.head), {}

        def put(line, what=None):
            if what is None or what != without:
                lines.append(line)
                at[len(lines)] = what
        if self.custom:
            put("custom:" if without != "custom" and (len(self.custom) > 1 or without != ("custom", 0))
                else "custom: []")
            for i, own in enumerate(self.custom):
                put("  " + own, ("custom", i))
        put("rules:")
        for rule, (level, settings, overrides) in self.rules.items():
            put(f"  {rule}:")
            if level:
                put("    " + level)
            put("    unsure: warn" if not level else "    # level above")
            for setting in settings.split(", "):
                if setting:
                    put("    " + setting, (rule, setting.split(":")[0]))
            if overrides:
                put("    overrides:" if len(overrides) > 1 or without != (rule, 0) else "    overrides: []")
                for i, override in enumerate(overrides):
                    put("      " + override, (rule, i))
        return "\n".join(lines) + "\n", at


MADE = {
    "order-notional": lambda r: "most: %d" % r.choice([50, 5000, 50000, 250000, 10000000]),
    "order-quantity-limit": lambda r: "shares: %d, contracts: %d" % (r.choice([10, 1000, 100000, 2000000]),
                                                                     r.choice([1, 50, 1000])),
    "position-limit": lambda r: "shares: %d" % r.choice([100, 5000, 200000]),
    "option-contracts": lambda r: "an_order: %d, in_total: %d" % (r.choice([10, 100, 1000]), r.choice([50, 500])),
    "exposure": lambda r: "gross: %d, short: %d" % (r.choice([500, 100000, 1000000]), r.choice([50, 50000, 2000000])),
    "price-floor": lambda r: "stock: %s" % r.choice(["1", "5", "500"]),
    "short-sales": lambda r: "least_price: %s" % r.choice(["0.5", "3", "200"]),
    "allowed-symbols": lambda r: "barred: [%s]" % r.choice(["GME", "gme, AMC", "SPY, SPY"]),
    "expiry-day": lambda r: "least_days: %d" % r.choice([1, 30, 500]),
    "concentration": lambda r: "most: %s" % r.choice(["0.05%", "25%", "5000%"]),
}


def orders(r, count):
    for i in range(count):
        symbol = r.choice(SYMBOLS)
        security = r.choice(["Stock", "Stock", "Option", "Mleg"])
        kind = r.choice(["Market", "Limit", "Limit", "Stop"])
        order = {"securityType": security, "symbol": option(symbol) if security == "Option" else symbol,
                 "orderType": kind,
                 "orderQuantity": r.choice([1, 10, 99, 1000, 20000, 1000000]), "timeInForce": "Day",
                 "clientOrderId": f"r{i}", "route": "SMART"}
        if security == "Mleg":
            order["legs"] = [{"symbol": option(symbol), "side": "Buy", "ratio": 1, "openClose": "Open"},
                             {"symbol": f"{symbol}270115C00105000", "side": "Sell", "ratio": 1, "openClose": "Open"}]
        else:
            order["side"], order["openClose"] = r.choice(["Buy", "Sell"]), r.choice(["Open", "Open", "Close"])
        if kind != "Market":
            order["limitPrice" if kind == "Limit" else "stopPrice"] = r.choice([0.8, 2, 100, 101.5, 600])
        yield order


class Witnesses(LintCase):
    def setUp(self):
        super().setUp()
        self.quotes = {q: {"bid": 99.99, "ask": 100.01, "last": 100} for s in SYMBOLS for q in (s, option(s),
                                                                                                f"{s}270115C00105000")}

    def decisions(self, policy, lines):
        """Decide the orders with an account that matches the policy."""
        with open(policy, encoding="utf-8") as f:
            kind = "Paper" if "environment: paper" in f.read() else "Live"
        facts = json.dumps({**FACTS, "quotes": self.quotes}).replace('"Live"', f'"{kind}"')
        self.facts = self.file(facts, "facts-of-all.json")
        done = self.gate("check", "-p", policy, "-f", self.facts, "--at", AT, input=lines)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return [(d["verdict"], [(f["rule"], f["reason"], f["level"]) for f in d["findings"]])
                for d in map(json.loads, done.stdout.splitlines())]

    def check_witness(self, path, finding):
        w = finding["witness"]
        verdict, reasons, decision = self.decide(path, w)
        self.assertEqual((verdict, reasons), (w["verdict"], w["reasons"]), finding)
        said = re.search(r"^refused by '([a-z0-9-]+)'|and refused by '([a-z0-9-]+)'", w["shows"])
        if said:
            self.assertIn(said[1] or said[2], [f["rule"] for f in decision["findings"] if f["level"] == "refuse"],
                          finding)
        if w["shows"].startswith("accepted"):
            self.assertEqual(verdict, "accept", finding)
        if finding["code"] == "condition-unsure":
            self.assertTrue(any(f.get("unsure") for f in decision["findings"]), finding)

    @staticmethod
    def can_tell(condition, order):
        return all(key in order for key in ("limitPrice", "side") if f"order.{key}" in condition) and \
            ("order.action" not in condition or "side" in order) and \
            ("order.notional" not in condition or "limitPrice" in order or "legs" not in order)

    def check_effect(self, desk, path, finding, at, lines, before):
        """Remove an item that lint calls ineffective, and assert that no decision changes and only the item's own
        findings disappear."""
        what = at.get(finding["line"])
        if finding["code"] in ("override-shadowed", "override-no-change", "override-dead"):
            self.assertIsInstance(what[1], int, finding)
        elif finding["code"] not in ("condition-never", "condition-always", "limit-idle",
                                     "pattern-case") or what is None:
            return False
        if finding["code"] == "limit-idle":
            if not isinstance(what[1], str) or what[0] == "order-notional" or "extends: [default]" not in desk.head:
                return False  # a required setting, or one that has another value in a lower layer
        if finding["code"] == "condition-always":
            if what[0] != "custom" or "finds nothing" not in finding["message"]:
                return False
        if finding["code"] == "condition-never" and "finds every order" in finding["message"]:
            own = "own-%d" % what[1]
            self.assertTrue(before, own)
            return True
        text, _ = desk.text(without=what)
        after = self.decisions(self.file(text, "without.yaml"), lines)
        line = desk.text()[0].splitlines()[finding["line"] - 1]
        for a, b, order in zip(before, after, map(json.loads, lines.splitlines())):
            if not self.can_tell(line, order):
                if a[0] != b[0]:
                    break  # accepted orders belong to the book by which later orders are decided
                continue  # a condition that never holds may still be unsure, which has an effect
            gone = [f for f in a[1] if f not in b[1]]
            if finding["code"] == "limit-idle":
                self.assertEqual(a[0], b[0], (finding, text))
            else:
                unsure = [f for f in gone if what[0] == "custom" and f[0] == "own-%d" % what[1]]
                self.assertEqual([f for f in gone if f not in unsure], [], (finding, text))
        return True

    def test_random_policies(self):
        r = random.Random(SEED)
        seen, shown, removed = {}, 0, 0
        for n in range(POLICIES):
            desk = Desk(random.Random(r.random()))
            text, at = desk.text()
            path = self.file(text)
            done = self.gate("lint", "--at", AT, "--format", "json", path)
            found = json.loads(done.stdout)
            if done.returncode:  # for example a rule that lacks what it needs: lint claims nothing then
                self.assertTrue(all("witness" not in f for f in found))
                continue
            lines = "\n".join(json.dumps(o) for o in orders(r, 40)).encode() + b"\n"
            before = self.decisions(path, lines)
            for f in found:
                with self.subTest(seed=SEED, policy=n, code=f["code"], line=f["line"]):
                    seen[f["code"]] = seen.get(f["code"], 0) + 1
                    if "witness" in f:
                        shown += 1
                        self.check_witness(path, f)
                    removed += self.check_effect(desk, path, f, at, lines, before)
        self.assertGreater(len(seen), 12, seen)
        self.assertGreater(shown, POLICIES // 4)
        self.assertGreater(removed, POLICIES // 4)

    def faulty(self, r, text):
        """Returns the same policy with one error, its line, and whether everything below moved by one line; None if
        there is no place for it."""
        lines = text.splitlines()
        i = r.randrange(1, len(lines))
        old, fault = lines[i], r.choice(["key", "value", "word", "expression", "extra"])
        if fault == "key" and old.strip() == "level: off":
            return None, 0, False  # it is then unknown that a rule is off and its values have no effect
        if fault == "key" and re.search(r"[a-z_]{4,}:", old):
            lines[i] = re.sub(r"([a-z_]{4,}):", lambda m: "x" + m[1] + ":", old, count=1)
        elif fault == "value" and re.search(r": (\d+|[a-z]+)\b", old):
            lines[i] = re.sub(r": (\d+|[a-z]+)\b", r": \1-x", old, count=1)
        elif fault == "word" and '"Buy"' in old:
            lines[i] = old.replace('"Buy"', '"Bye"', 1)
        elif fault == "expression" and "&&" in old:
            lines[i] = old.replace("&&", "&& ||", 1)
        elif fault == "extra":
            lines[i] = old + "\n" + re.match(r" *(- *)?",
                                             old)[0].replace("-", " ") + "odd: 1" if not old.endswith(":") else old
        return ("\n".join(lines) + "\n", i + 1, fault == "extra") if lines[i] != old else (None, 0, False)

    def test_beside_an_error_nothing_is_said_that_it_brought_about(self):
        """For a policy with one error, lint gives only warnings that it also gives without the error, or that are
        at the line of the error."""
        r = random.Random(SEED + 1)
        tried = beside = 0
        for n in range(POLICIES):
            text, _ = Desk(random.Random(r.random())).text()
            bad, line, more = self.faulty(r, text)
            if not bad:
                continue
            sound, found = (json.loads(self.gate("lint", "--at", AT, "--format", "json", self.file(t)).stdout)
                            for t in (text, bad))
            if any(f["severity"] == "error" for f in sound) or not any(f["severity"] == "error" for f in found):
                continue
            tried += 1
            before = {(f["code"], f["line"]) for f in sound}
            for f in found:
                self.assertNotIn("witness", f)
                if f["severity"] == "warning" and f["line"] != line:
                    with self.subTest(seed=SEED, policy=n):
                        self.assertIn((f["code"], f["line"] - (more and f["line"] > line)), before, bad + f["message"])
                        beside += 1
        self.assertGreater(tried, POLICIES // 8)
        self.assertGreater(beside, POLICIES // 16)


if __name__ == "__main__":
    unittest.main()
