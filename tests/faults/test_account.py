"""How a line's account is determined: if the run sends for only one account, --account, the broker file or the
environment names it."""
import unittest

from paper import PAPER, Paper
from parallel_unittest import main
from sender import RUNNING, TempHome, posts, resting, send

BOTH = """scenario: 1
description: two paper accounts of one key
accounts:
  PAPER0001: {linked: on}
  PAPER0002: {linked: on}
keys:
  %s: {secret: %s, accounts: [PAPER0001, PAPER0002]}
""" % PAPER


class Account(unittest.TestCase):
    def sends(self, home, *args, **more):
        with Paper("--scenario", home.file("both.yaml", BOTH), clock=RUNNING) as p:
            lines = [resting("open"), resting("one", accountId="PAPER0001"), resting("two", accountId="PAPER0002"),
                     resting("none", accountId="PAPER0003")]
            code, gate = send(p.url, home, lines, *args, **more)
            self.assertEqual(code, 1, gate.stderr)
            said = {r["path"].split("/")[-2] + " " + i for i in gate.outcomes() for r in posts(p, i)}
            found = {e["clientOrderId"]: [f["reason"] for f in e["findings"] if f["level"] == "refuse"]
                     for e in gate.events_of("decision") if e["verdict"] == "refuse"}
            return said, found

    def test_it_is_the_only_one(self):
        ways = {"--account": lambda home: {"args": ("--account", "PAPER0001")},
                "broker file": lambda home: {"args": ("--broker", home.file("b.yaml", "account: PAPER0001\n"))},
                "environment": lambda home: {"env": {"ORDERGATE_ACCOUNT": "PAPER0001"}}}
        for way, make in ways.items():
            with self.subTest(way), TempHome() as home:
                asked = make(home)
                said, found = self.sends(home, *asked.pop("args", ()), **asked)
                self.assertEqual(said, {"PAPER0001 open", "PAPER0001 one"})
                self.assertEqual(sorted(i for i in found if "account-conflict" in found[i]), ["none", "two"])

    def test_none_is_named(self):
        with TempHome() as home:
            said, found = self.sends(home)
            self.assertEqual(said, {"PAPER0001 one", "PAPER0002 two"})
            self.assertEqual(sorted(found), ["none", "open"])

    def test_lines_that_spell_it_otherwise(self):
        """They count together with the others, and meet the overrides and own rules of the account."""
        policies = {"open-orders": "rules: {open-orders: {level: refuse, in_total: 1}}",
                    "order-rate": "rules: {order-rate: {level: refuse, a_day: 1}}",
                    "traded-limit": "rules: {traded-limit: {level: refuse, notional: 1500}}",
                    "order-quantity-limit": "rules: {order-quantity-limit: {level: refuse, shares: 1000, contracts: 1, "
                                            "overrides: [{match: {account: paper0001, side: Sell}, shares: 1}]}}",
                    "own": "custom: [{id: own, when: 'account.id == \"Paper0001\"', require: order.opens}]"}
        for rule, text in policies.items():
            with self.subTest(rule), TempHome() as home, Paper(clock=RUNNING) as p:
                path = home.file("p.yaml", f"ordergate: 1\nextends: [default]\n{text}\n")
                closes = rule in ("own", "order-quantity-limit")
                other = {"side": "Sell", "openClose": "Close"} if closes else {"limitPrice": 101}
                lines = [resting("a", accountId="PAPER0001"), resting("b", accountId="pAPER0001", **other)]
                code, gate = send(p.url, home, lines, "-p", path)
                self.assertEqual((code, gate.outcomes()), (1, {"a": "working", "b": "refused"}), gate.stderr)
                self.assertIn(rule, [f["rule"] for f in gate.event("decision", "b")["findings"]])


if __name__ == "__main__":
    main()
