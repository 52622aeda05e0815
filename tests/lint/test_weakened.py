#!/usr/bin/env python3
"""Limits that a policy over live makes to warnings, and limits of policies that do not say what they extend."""
import json
import unittest

from lint_case import AT, LintCase

LIMITS = ("order-notional", "order-quantity-limit")


def over(extends, rules, more=""):
    return f"ordergate: 1\n{extends}{more}rules:\n{rules}"


class Weakened(LintCase):
    def test_limits_that_warn(self):
        for level, codes in (("warn", ["rule-weakened"]), ("info", ["rule-weakened"]), ("refuse", [])):
            for rule in LIMITS:
                for form in (level, f"{{level: {level}}}"):
                    self.assertEqual(self.codes(over("extends: [live]\n", f"  {rule}: {form}\n")), codes, (rule, form))
        for rule in ("market-hours", "route"):
            self.assertEqual(self.codes(over("extends: [live]\n", f"  {rule}: warn\n")), [])

    def test_no_limit_is_left(self):
        both = "".join(f"  {rule}: warn\n" for rule in LIMITS)
        text = over("extends: [live]\n", both)
        self.assertEqual(sorted(self.codes(text)), ["rule-weakened", "rule-weakened", "size-unlimited"])
        order = {"securityType": "Stock", "symbol": "GME", "side": "Buy", "openClose": "Open", "orderType": "Limit",
                 "limitPrice": 10, "orderQuantity": 10, "timeInForce": "Day"}
        done = self.gate("check", "-p", self.file(text), "--at", AT, input=json.dumps(order).encode())
        self.assertIn("unlimited", [f["reason"] for f in json.loads(done.stdout)["findings"]])
        told = self.gate("explain", "unlimited", code=0).stdout.decode()
        self.assertIn("only warns", told)


class ExtendsNothing(LintCase):
    LIMIT = "  order-notional: {level: refuse, most: 5000}\n"

    def test_what_is_told(self):
        for rules in (self.LIMIT, "  position-limit: {level: refuse, shares: 500}\n",
                      "  day-loss: {level: refuse, most: 1000}\n"):
            self.assertEqual(self.codes(over("", rules)).count("extends-default"), 1, rules)
            for said in ("extends: [live]\n", "extends: [default]\n", "extends: []\n", "unsure: refuse\n",
                         "unsure: warn\n", "environment: paper\n"):
                self.assertNotIn("extends-default", self.codes(over("", rules, said)), said)
        for rules in ("  order-notional: {level: warn, most: 5000}\n",
                      "  allowed-symbols: {level: refuse, barred: [F]}\n",
                      "  order-notional: {level: refuse, most: 5000, unsure: refuse}\n"):
            self.assertNotIn("extends-default", self.codes(over("", rules)), rules)

    def test_strict(self):
        self.gate("lint", "--strict", self.file(over("", self.LIMIT)), code=1)
        self.gate("lint", "--strict", self.file(over("extends: [live]\n", self.LIMIT)), code=0)


if __name__ == "__main__":
    unittest.main()
