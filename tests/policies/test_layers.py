#!/usr/bin/env python3
"""Overrides of several layers: if one of them does not set a value, the value is taken from those below it that apply
to the same orders."""
import json
import random
import unittest

from policy_case import PolicyCase, order

STOCK = dict(orderQuantity=1)
OPTION = dict(securityType="Option", symbol="SPY260220P00010000", orderQuantity=1)


class Layers(PolicyCase):
    BASE = """rules:
  order-notional:
    level: refuse
    most: 50000
    overrides: [%s]
"""

    def over(self, below, above, base="[default]"):
        self.policy(self.BASE % below, "base.yaml", extends=base)
        p = self.policy("rules:\n  order-notional:\n    overrides: [%s]\n" % above, extends="[base.yaml]")
        self.shows_as_itself(p)
        return p

    def most(self, policy, **keys):
        """Returns the limit by which the order is refused, or None."""
        return self.most_of_each(policy, [order(**keys)])[0]

    def most_of_each(self, policy, orders):
        """The same of each order, all of which one process decides."""
        return [next((int(f["message"].rsplit(" ", 1)[1]) for f in decision["findings"]
                      if f["reason"] == "notional-above-limit" and f["level"] == "refuse"), None)
                for decision in self.decide(policy, orders)]

    def test_over_live(self):
        """live refuses stock orders that are far from the quote: a tighter width for one symbol does not remove
        that."""
        quotes = {"quotes": {s: {"bid": 9.98, "ask": 10, "last": 10, "asOf": "2026-01-15T17:00:00Z"}
                             for s in ("SPY", "AAPL")}}
        far = ("limit-away-from-quote", "refuse")
        p = self.policy("rules: {price-collar: {overrides: [{match: {symbol: SPY}, away: 1%}]}}\n", extends="[live]")
        for symbol, price, refused in (("SPY", 10.2, True), ("SPY", 10.05, False), ("AAPL", 10.2, False),
                                       ("AAPL", 12, True)):
            found = self.reasons(p, order(symbol=symbol, limitPrice=price), facts=quotes)
            self.assertEqual(far in found, refused, (symbol, price, found))
        self.assertEqual(self.faults(p), [])
        # the same if the rule itself sets the width, as README shows after --fix
        p = self.policy("rules: {price-collar: {level: refuse, away: 5%}}\n", extends="[live]")
        self.assertIn(far, self.reasons(p, order(limitPrice=10.7), facts=quotes))
        self.assertNotIn(far, self.reasons(p, order(limitPrice=10.4), facts=quotes))

    def test_what_covers_it(self):
        below = "{match: {securityType: Stock}, most: 100}"
        for above in ("{match: {securityType: Stock, symbol: AAPL}, unsure: refuse}",
                      "{match: {securityType: Stock}, mode: enforce}",
                      "{match: {securityType: Stock}, when: order.side == 'Buy', exits: bind}"):
            self.assertEqual(self.most(self.over(below, above), limitPrice=101, orderQuantity=1), 100, above)

    def test_what_meets_it(self):
        """Two overrides count as the same if the same things select their orders: kind, symbol, pattern, condition,
        time."""
        above = "{match: {side: Buy}, unsure: refuse}"
        for below in ("{match: {symbol: AAPL}, most: 100}", "{match: {symbol: 'AA.*', side: [Buy, Sell]}, most: 100}",
                      "{when: order.symbol == 'AAPL', most: 100}",
                      "{match: {orderType: Limit, symbol: 'A|AAPL'}, most: 100}",
                      "{until: 2030-01-01T00:00:00Z, reason: r, match: {symbol: AAPL}, most: 100}"):
            p = self.over(below, above)
            self.assertEqual(self.most(p, limitPrice=101, orderQuantity=1), 100, below)
            self.assertIsNone(self.most(p, limitPrice=101, orderQuantity=1, symbol="IBM"), below)
            self.assertEqual(self.most(p, limitPrice=50001, orderQuantity=1, symbol="IBM"), 50000, below)
        p = self.over("{match: {symbol: 'A.*'}, most: 100}", "{match: {symbol: '.*L'}, mode: enforce}")
        for symbol, most in (("AAPL", 100), ("AAP", 100), ("GOOGL", 50000), ("IBM", 50000), ("aapl", 100)):
            self.assertEqual(self.most(p, limitPrice=60000, orderQuantity=1, symbol=symbol), most, symbol)
        p = self.over("{when: order.orderQuantity > 5, most: 100}", "{when: order.side == 'Buy', mode: enforce}")
        self.assertEqual(self.most(p, limitPrice=20, orderQuantity=6), 100)
        self.assertIsNone(self.most(p, limitPrice=101, orderQuantity=1))

    def test_what_it_says_itself(self):
        p = self.over("{match: {symbol: AAPL}, most: 100}", "{match: {side: Buy}, most: 70}")
        self.assertEqual(self.most(p, limitPrice=71, orderQuantity=1), 70)
        self.assertEqual(self.show(p).count("- match"), 2)  # and nothing was split off for it
        p = self.over("{match: {symbol: AAPL}, most: 100}", "{match: {side: Buy}, most: 700}")
        self.assertIsNone(self.most(p, limitPrice=699, orderQuantity=1))

    def test_lint_says_which_override_stays(self):
        one = "rules: {price-collar: {%s}}\n"
        for said, told in (("away: 20%", True), ("away: 5%", False), ("level: warn", False), ("stale_away: 90%", False),
                           ("overrides: [{match: {securityType: Stock}, away: 20%}]", False)):
            done = self.gate("lint", "--no-witness", self.policy(one % said, extends="[live]"))
            self.assertEqual(b"has 'away' 10%" in done.stdout and b"[override-stays]" in done.stdout, told,
                             (said, done.stdout))
        self.policy(self.BASE % "{match: {side: Buy}, level: refuse, most: 7}", "base.yaml", extends="[default]")
        p = self.policy("rules: {order-notional: {level: warn, most: 9}}\n", extends="[base.yaml]")
        told = [line for line in self.gate("lint", "--no-witness", p).stdout.decode().splitlines()
                if "[override-stays]" in line]
        self.assertEqual([line.split("'")[1] for line in told], ["level", "most"])

    def test_siblings_take_nothing_from_each_other(self):
        p = self.over("", "{match: {side: Buy}, mode: enforce}, {match: {symbol: AAPL}, most: 100}")
        self.assertIsNone(self.most(p, limitPrice=101, orderQuantity=1))

    def test_three_layers(self):
        self.over("{match: {symbol: AAPL}, most: 100}", "{match: {side: Buy}, unsure: refuse}")
        p = self.policy("rules: {order-notional: {overrides: [{match: {securityType: Stock}, exits: bind}]}}\n",
                        "top.yaml", extends="[p.yaml]")
        self.assertEqual(self.most(p, limitPrice=101, orderQuantity=1), 100)
        self.assertEqual(self.most(p, limitPrice=101, orderQuantity=1, side="Sell"), 100)
        self.shows_as_itself(p)

    def test_one_written_alone_or_with_the_others(self):
        """An override that sets one value changes no other value, whether it is written alone or with the overrides
        of its policy. Dozens of orders are decided both ways."""
        rng = random.Random(20261122)
        parts = ["symbol: AAPL", "symbol: 'A.*'", "symbol: 'SPY|AAPL'", "side: Buy", "side: Sell",
                 "securityType: Stock", "orderType: Limit", "securityType: [Stock, Option]"]
        for _ in range(25):
            below = ", ".join(f"{{match: {{{rng.choice(parts)}}}, most: {rng.choice([50, 100, 200])}}}"
                              for _ in range(3))
            above = ", ".join(f"{{match: {{{rng.choice(parts)}}}, mode: enforce}}" for _ in range(2))
            p = self.over(below, above)
            orders = [order(orderQuantity=1, symbol=s, side=side, limitPrice=price)
                      for s in ("AAPL", "SPY", "AMC", "IBM") for side in ("Buy", "Sell") for price in (60, 150, 250)]
            for line, one, other in zip(orders, self.most_of_each(p, orders), self.most_of_each("base.yaml", orders)):
                self.assertEqual(one, other, (below, above, line))

    def test_faults(self):
        for wrong in ("when: order.nothing == 'x'", "when: 'order.side == '"):
            self.policy(self.BASE % "{when: order.side == 'Buy', most: 5}", "base.yaml", extends="[default]")
            p = self.policy("rules: {order-notional: {overrides: [{%s, mode: enforce}]}}\n" % wrong,
                            extends="[base.yaml]")
            self.assertEqual(len(self.faults(p)), 1, self.faults(p))
        self.policy(self.BASE % "{match: {symbol: '(.)\\1'}, most: 5}", "base.yaml", extends="[default]")
        p = self.policy("rules: {order-notional: {overrides: [{match: {symbol: 'A.*'}, mode: enforce}]}}\n",
                        extends="[base.yaml]")
        self.assertIn("with references or options in one of them", self.faults(p)[0])

    def test_over_a_lock(self):
        """An override above a lock that takes values from one below it does not loosen the lock."""
        below = "{match: {symbol: AAPL}, most: 100}"
        self.policy((self.BASE % below).replace("most: 50000", "most: 50000\n    lock: true"), "base.yaml",
                    extends="[default]")
        one = "rules: {order-notional: {overrides: [%s]}}\n"
        p = self.policy(one % "{match: {symbol: 'A.*'}, most: 90}", extends="[base.yaml]")
        self.assertEqual(self.faults(p), [])
        self.assertEqual(self.most(p, limitPrice=91, orderQuantity=1), 90)
        p = self.policy(one % "{match: {symbol: 'A.*'}, most: 101}", extends="[base.yaml]")
        self.assertIn("'most' may only become lower", self.faults(p)[0])
        p = self.policy(one % "{match: {symbol: IBM}, exits: bind}", extends="[base.yaml]")
        self.assertEqual(self.faults(p), [])

    def test_diff_tells_it(self):
        self.policy("rules: {price-collar: {overrides: [{match: {symbol: SPY}, away: 1%}]}}\n", "mine.yaml",
                    extends="[live]")
        done = self.gate("policy", "diff", "--format", "json", "--generate", "2000", "live", "mine.yaml")
        found = json.loads(done.stdout)
        self.assertEqual((done.returncode, found["loosened"]), (0, 0), found)
        self.assertEqual([s["change"] for s in found["settings"]], ["tightened"] * 3, found["settings"])


if __name__ == "__main__":
    unittest.main()
