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


if __name__ == "__main__":
    unittest.main()
