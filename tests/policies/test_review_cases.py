#!/usr/bin/env python3
"""Orders that walked past the limits of the shipped policies in a review, as they were sent then, each with its
siblings: nothing of them passes. What each rule says about its class is in tests/rules; what only the sender can show
is in tests/faults; random orders of all kinds are in tests/adversary.
"""
import copy
import json
import os
import subprocess
import tempfile
import unittest

import test_decisions

GATE = test_decisions.GATE
AT = test_decisions.AT
HOLIDAY = "2026-01-19T15:00:00Z"
CALL = "AAPL260220C00190000"
STRICT = ("live", "cautious")
NVDA = {"symbol": "NVDA", "side": "Sell", "orderQuantity": 10000, "limitPrice": 1.00}
FACTS = copy.deepcopy(test_decisions.FACTS)
FACTS["account"].update(bp=10000000, overnightBp=10000000)
FACTS.update(borrow={"AAPL": True, "NVDA": True, "TSLA": True, "GME": True}, averageVolume={"AAPL": 50000000},
             gate={"ordersLastSecond": 0, "ordersLastMinute": 0, "ordersToday": 0, "rejectionsInARow": 0,
                   "trading": "on", "recent": []},
             routes=[{"routeName": "SMART", "securityTypes": ["Stock", "Option", "MLEG"], "timesInForce": ["Day"]}])
HELD = [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190, "dayOvernight": "Day"}]
NO_QUOTES = {"quotes": {}}
LIMITS = "order-notional: {level: refuse, most: 50000}\n  exposure: {level: refuse, short: 50000}"
FEW = ("uncovered-options: {level: refuse, allow: none}\n  option-contracts: {level: refuse, in_total: 10}\n"
       "  position-limit: {level: refuse, contracts: 10}")


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = self.enterContext(tempfile.TemporaryDirectory())

    def file(self, name, text):
        path = os.path.join(self.dir, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def over(self, base, rules, name="p.yaml", more=""):
        return self.file(name, f"ordergate: 1\nextends: [{base}]\n{more}rules:\n  {rules}\n")

    def check(self, policies, *orders, at=AT, sequence=True, **facts):
        """Returns the decisions on orders given one after the other."""
        lines = [json.dumps({k: v for k, v in {**test_decisions.ORDER, "clientOrderId": f"a{i}", **o}.items()
                             if v is not None}) for i, o in enumerate(orders)]
        path = self.file("facts.json", json.dumps({**FACTS, "asOf": at, **facts}))
        args = [a for p in ([policies] if isinstance(policies, str) else policies) for a in ("-p", p)]
        p = subprocess.run([GATE, "check", "--at", at, *args, "-f", path, *([] if sequence else ["--independent"])],
                           input="\n".join(lines).encode() + b"\n", capture_output=True, timeout=600, check=False)
        self.assertIn(p.returncode, (0, 1), p.stderr)
        return [json.loads(line) for line in p.stdout.splitlines()]

    def verdicts(self, *args, **more):
        return [d["verdict"] for d in self.check(*args, **more)]

    def refused(self, policies, *orders, **more):
        """Assert that each of the orders is refused."""
        self.assertEqual(self.verdicts(policies, *orders, **more), ["refuse"] * len(orders))


class Worth(Case):
    def test_a_short_at_a_low_limit(self):
        for base in STRICT:
            policy = self.over(base, LIMITS)
            for limit in (150, 10.01, 1.00, 0.01):
                for kind in ({}, {"orderType": "StopLimit", "stopPrice": limit},
                             {"orderType": "Market", "limitPrice": None},
                             {"orderType": "Stop", "limitPrice": None, "stopPrice": limit}):
                    self.refused(policy, {**NVDA, "limitPrice": limit, **kind}, **NO_QUOTES)
                    self.refused(policy, {**NVDA, "limitPrice": limit, **kind},
                                 quotes={"NVDA": {"bid": 139.99, "ask": 140.01, "last": 140}})
            self.refused(policy, {**NVDA, "orderQuantity": 2000, "limitPrice": 10.01}, **NO_QUOTES)

    def test_a_slipped_decimal(self):
        quote = {"bid": 189.99, "ask": 190.01, "last": 190}
        for base in STRICT:
            for age in ("2026-01-15T14:59:59Z", "2026-01-15T14:59:57Z", "2026-01-15T14:59:00Z", "2026-01-15T14:30:00Z"):
                self.refused(base, {"limitPrice": 1900}, quotes={"AAPL": {**quote, "asOf": age}})
        self.refused("cautious", {"limitPrice": 1900}, **NO_QUOTES)
        levels = {f["reason"]: f["level"] for f in self.check("live", {"limitPrice": 1900}, **NO_QUOTES)[0]["findings"]}
        self.assertEqual(levels.get("limit-without-quote"), "warn")

    def test_options(self):
        sold = {"securityType": "Option", "symbol": CALL, "side": "Sell", "orderQuantity": 100, "limitPrice": 0.01}
        for base in STRICT:
            self.refused(self.over(base, LIMITS), sold, {**sold, "symbol": CALL.replace("C0", "P0")}, **NO_QUOTES)
            self.refused(self.over(base, LIMITS), sold, {**sold, "symbol": CALL.replace("C0", "P0")})


class NoOpenClose(Case):
    def test_naked_calls(self):
        sold = {"securityType": "Option", "symbol": CALL, "side": "Sell", "orderQuantity": 10, "limitPrice": 5}
        for base in STRICT:
            for said in ("Open", None, "open"):
                self.refused(self.over(base, FEW), *[{**sold, "openClose": said}] * 5)

    def test_levels(self):
        bought = {"securityType": "Option", "symbol": CALL, "orderQuantity": 1, "limitPrice": 5.1}
        for base in STRICT:
            for side in ("Buy", "Sell"):
                for level in (0, 1):
                    account = {**FACTS["account"], "optLevel": level, "optionTradingLevel": level}
                    said, absent = ({(f["reason"], f["level"]) for d in self.check(
                        base, {**bought, "side": side, "openClose": o}, account=account) for f in d["findings"]}
                                    for o in ("Open", None))
                    self.assertIn("option-level-insufficient", [reason for reason, _ in said])
                    self.assertLessEqual(said, absent)


class WhatIsSet(Case):
    def test_closes_of_more_than_is_held(self):
        close = {"side": "Sell", "openClose": "Close", "orderQuantity": 100, "limitPrice": 190.4}
        for base in STRICT:
            for count in (2, 3, 4):
                self.assertEqual(self.verdicts(base, *[{**close, "limitPrice": 190.4 + i / 100} for i in range(count)],
                                               positions=HELD), ["accept"] + ["refuse"] * (count - 1))
            self.refused(base, {**close, "orderQuantity": 101}, positions=HELD)
            self.refused(base, close)

    def test_a_market_order_on_a_holiday(self):
        for base in STRICT:
            self.refused(base, {"orderType": "Market", "limitPrice": None}, at=HOLIDAY)
            self.refused(base, {"orderType": "Market", "limitPrice": None}, at="2026-01-17T15:00:00Z")  # a Saturday

    def test_the_same_terms_again(self):
        for base in STRICT:
            self.assertEqual(self.verdicts(base, {}, {}, {}), ["accept", "refuse", "refuse"])

    def test_a_level_without_a_value(self):
        for rule in ("day-loss", "exposure", "time-window", "allowed-symbols", "short-sales", "uncovered-options",
                     "position-limit", "order-notional", "order-rate"):
            path = self.over("default", f"{rule}: refuse")
            p = subprocess.run([GATE, "lint", path], capture_output=True, timeout=600, check=False)
            self.assertNotEqual(p.stdout + p.stderr, b"", rule)

    def test_a_collar_over_live_counts_for_each_symbol(self):
        policy = self.over("live", "price-collar: {level: refuse, away: 5%}")
        for symbol in ("AAPL", "SPY"):
            self.refused(policy, {"symbol": symbol, "limitPrice": 203})

    def test_lower_case(self):
        for base in STRICT:
            policy = self.over(base, "allowed-symbols: {level: refuse, barred: [GME]}")
            for symbol in ("GME", "gme", "Gme", "gME"):
                self.refused(policy, {"symbol": symbol, "limitPrice": 30},
                             quotes={s: {"bid": 29.9, "ask": 30, "last": 30} for s in ("GME", symbol)})
            self.refused(base, {"symbol": "aapl"})

    def test_legs_that_mean_nothing(self):
        close = {"symbol": "AAPL", "side": "Sell", "ratio": 1, "openClose": "Close"}
        for legs in ([{"openClose": "Close"}], [close], []):
            for trading in ("halted", "reduce-only"):
                self.refused("live", {"legs": legs}, gate={**FACTS["gate"], "trading": trading})


class Spreads(Case):
    def vertical(self, count, **changes):
        legs = [{"symbol": CALL, "side": "Buy", "ratio": 1, "openClose": "Open"},
                {"symbol": CALL.replace("190", "195"), "side": "Sell", "ratio": 1, "openClose": "Open"}]
        return {"securityType": "Mleg", "side": None, "openClose": None, "orderQuantity": count, "limitPrice": 2,
                "legs": legs, **changes}

    def test_position_limit(self):
        for base in ("default", *STRICT):
            policy = self.over(base, "position-limit: {level: refuse, shares: 100, contracts: 5}")
            self.refused(policy, self.vertical(400))
            self.refused(policy, self.vertical(6), self.vertical(6))
            covered = [{"symbol": "AAPL", "side": "Buy", "ratio": 100, "openClose": "Open"},
                       {"symbol": CALL, "side": "Sell", "ratio": 1, "openClose": "Open"}]
            self.refused(policy, self.vertical(2, legs=covered, limitPrice=185))

    def test_a_working_spread_without_legs(self):
        row = {"clientOrderId": "w", "orderStatus": "New", "securityType": "MLEG", "symbol": "AAPL",
               "orderQuantity": 400, "leavesQuantity": 400, "limitPrice": 2, "legs": None}
        option = {"securityType": "Option", "symbol": CALL, "orderQuantity": 1, "limitPrice": 5.1}
        for rule in ("position-limit: {level: refuse, contracts: 5}", "exposure: {level: refuse, gross: 50000}"):
            for base in STRICT:
                self.refused(self.over(base, rule), option, orders=[row])


class Quotes(Case):
    def test_what_is_no_quote(self):
        for quote in ({"bid": 0, "ask": 190.5, "last": 190}, {"bid": 191, "ask": 190, "last": 190},
                      {"bid": 190, "ask": 0, "last": 190},
                      {"bid": 189.9, "ask": 190, "last": 190, "asOf": "2026-01-15T15:10:00Z"}):
            for base in STRICT:
                self.refused(base, {"side": "Sell", "limitPrice": 190}, {"orderType": "Market", "limitPrice": None},
                             quotes={"AAPL": quote})

    def test_price_floor(self):
        policy = self.over("live", "price-floor: {level: refuse, stock: 5}")
        self.refused(policy, {"symbol": "AAPL", "limitPrice": 190}, quotes={"AAPL": {"bid": 1, "ask": 1.01, "last": 1}})
        self.refused(policy, {"symbol": "AAPL", "limitPrice": 4})


class WayOut(Case):
    def test_a_stop_without_quotes(self):
        for base in STRICT:
            for kind in ({"orderType": "Stop", "limitPrice": None, "stopPrice": 180},
                         {"orderType": "StopLimit", "limitPrice": 179, "stopPrice": 180},
                         {"orderType": "Market", "limitPrice": None}, {"limitPrice": 190}):
                close = {"side": "Sell", "openClose": "Close", "orderQuantity": 100, **kind}
                self.assertEqual(self.verdicts(base, close, positions=HELD, **NO_QUOTES), ["accept"])

    def test_a_cancel_of_what_was_accepted_before(self):
        for base in STRICT:
            self.assertEqual(self.verdicts(base, {}, {"op": "cancel", "clientOrderId": "a0"}), ["accept"] * 2)


class Crashes(Case):
    def test_items_that_are_no_overrides(self):
        below = self.over("live", "order-notional: {level: refuse, most: 50000, lock: true}", "firm.yaml")
        for item in ("-", "- [~]", "- [x]", "- 5", "- 'x'", "- {}"):
            path = self.over(below, f"order-notional:\n    overrides:\n    {item}", "mine.yaml")
            for args in (["lint", path], ["policy", "show", path], ["policy", "diff", below, path],
                         ["check", "-p", path], ["test", path]):
                p = subprocess.run([GATE, *args], input=b"", capture_output=True, timeout=600, check=False)
                self.assertIn(p.returncode, (0, 1, 2, 3), (item, args, p.stderr))

    def test_facts_that_are_no_facts(self):
        for text in ("[{}]", "{}", "[]", "5", "null", "{\"positions\":[{}]}", "{\"orders\":[{}]}", "{\"quotes\":[{}]}"):
            p = subprocess.run([GATE, "check", "-f", self.file("f.json", text)], input=b"{}\n", capture_output=True,
                               timeout=600, check=False)
            self.assertIn(p.returncode, (0, 1, 3), (text, p.stderr))


class LocksFromBelow(Case):
    """A policy loosens a limit that another one locks. What the locking policy says itself decides: below it the other
    policy's word is dropped, and the order is refused; above it, and where the locking policy says nothing, the two do
    not load."""
    BIG = {"orderQuantity": 10000, "limitPrice": 190.5}
    DROPPED_BELOW = ("order-notional: {most: 9000000}", "order-notional: {level: warn}", "order-notional: off",
                     "order-notional:\n    overrides: [{match: {symbol: AAPL}, most: 9000000}]",
                     "order-notional:\n    overrides: [{when: order.symbol == \"AAPL\", level: warn}]",
                     "order-notional:\n    overrides: [{until: 2099-01-01T00:00:00-05:00, reason: x, most: 9000000}]")
    NEVER_LOADED = ("order-notional: {mode: shadow}", "order-notional: {reasons: {notional-above-limit: warn}}")

    def decided(self, policies):
        args = [a for p in policies for a in ("-p", p)]
        line = json.dumps({**test_decisions.ORDER, **self.BIG})
        path = self.file("facts.json", json.dumps(FACTS))
        return subprocess.run([GATE, "check", "--at", AT, *args, "-f", path], input=line.encode() + b"\n",
                              capture_output=True, timeout=600, check=False)

    def test_above_and_below(self):
        firm = self.over("live", "order-notional: {level: refuse, most: 50000, lock: true}", "firm.yaml")
        self.refused(firm, self.BIG)
        for rules in self.DROPPED_BELOW + self.NEVER_LOADED:
            mine = self.over("", rules, "mine.yaml")
            both = self.file("both.yaml", f"ordergate: 1\nextends: [{mine}, {firm}]\n")
            over = self.over(firm, rules, "over.yaml")
            for policies, below in (([mine, firm], True), ([both], True), ([over], False), ([firm, mine], False)):
                with self.subTest(rules=rules, policies=policies):
                    done = self.decided(policies)
                    if below and rules in self.DROPPED_BELOW:
                        self.assertEqual(done.returncode, 1, done.stderr)
                        self.assertIn("notional-above-limit", [f["reason"] for f in json.loads(done.stdout)["findings"]
                                                               if f["level"] == "refuse"])
                    else:
                        self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)
                        self.assertIn(b"locked-loosened", done.stderr)
                        self.assertIn(firm.encode(), done.stderr)  # the place of the lock


if __name__ == "__main__":
    unittest.main()
