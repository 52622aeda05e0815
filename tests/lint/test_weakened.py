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

    def test_rules_of_the_broker(self):
        """What the broker rejects anyway may be left to it; what would trade, or rest, may not."""
        for rule, codes in (("market-hours", []), ("mleg-structure", []),
                            ("route", ["live-lets-pass", "rule-weakened"]),
                            ("close-position", ["rule-weakened"]), ("borrow-locate", ["live-lets-pass"]),
                            ("client-order-id", ["rule-weakened"]), ("price-collar", ["rule-weakened"]),
                            ("facts-age", ["rule-weakened"]), ("duplicate-order", ["rule-weakened"])):
            for how in ("warn", "{level: warn}"):
                text = over("extends: [live]\n", f"  {rule}: {how}\n")
                self.assertEqual([c for c in self.codes(text) if c != "form-off"], codes, (rule, how))
                self.assertNotIn("live-lets-pass", self.codes(text.replace("[live]", "[live]\nenvironment: paper")))

    def test_modes(self):
        for mode, codes in (("warn", ["rule-weakened"]), ("shadow", ["rule-weakened"]), ("enforce", [])):
            for rule in ("order-notional", "trading", "close-position"):
                text = over("extends: [live]\n", f"  {rule}: {{mode: {mode}}}\n")
                self.assertEqual([c for c in self.codes(text) if c == "rule-weakened"], codes, (rule, mode))
        # a limit that live does not have is tried out in shadow
        trial = "  exposure: {level: refuse, gross: 50000, mode: shadow}\n"
        self.assertEqual(self.codes(over("extends: [live]\n", trial)), [])
        for mode in ("warn", "shadow"):
            for base in ("live", "cautious", "small-account"):
                self.assertIn("shadow-all", self.codes(f"ordergate: 1\nextends: [{base}]\nmode: {mode}\n"), base)
        self.assertNotIn("shadow-all", self.codes("ordergate: 1\nextends: [default]\nmode: warn\n"))

    def test_what_is_not_known(self):
        for base in ("live", "cautious", "options-income"):
            for extra in ("", "environment: live\n"):
                head = f"ordergate: 1\nextends: [{base}]\n{extra}"
                self.assertEqual(self.codes(head + "unsure: warn\n"), ["live-unsure"], base)
                for kind in ("account", "positions", "orders", "quotes"):
                    self.assertEqual(self.codes(head + f"max_age: {{{kind}: any}}\n"), ["live-any-age"], (base, kind))
        self.assertEqual(self.codes("ordergate: 1\nextends: [live]\nenvironment: paper\nunsure: warn\n"), [])
        self.assertEqual(self.codes(over("extends: [live]\n", "  order-notional: {unsure: warn}\n")),
                         ["rule-weakened"])
        self.assertEqual(self.codes(over("extends: [live]\n", "  stop-price: {unsure: warn}\n")), [])

    def test_overrides_for_a_kind(self):
        for rule, override, codes in (
                ("price-collar", "{match: {securityType: Stock}, away: 30%}", ["rule-weakened"]),
                ("price-collar", "{match: {securityType: Stock}, away: 20%}", []),
                ("price-collar", "{match: {securityType: [Stock, Option, Mleg]}, away: 85%}", ["rule-weakened"]),
                ("price-collar", "{match: {securityType: [Option, Mleg]}, away: 85%}", []),
                ("price-collar", "{match: {securityType: Stock, symbol: SPY}, away: 30%}", []),
                ("price-collar", "{match: {securityType: Stock}, level: warn}", ["rule-weakened"]),
                ("price-collar", "{match: {securityType: Stock}, mode: shadow}", ["rule-weakened"]),
                ("trading", "{match: {securityType: Stock}, level: off}", ["rule-weakened"]),
                ("trading", "{match: {symbol: SPY}, level: off}", [])):
            text = over("extends: [live]\n", f"  {rule}:\n    overrides:\n      - {override}\n")
            self.assertEqual([c for c in self.codes(text) if c == "rule-weakened"], codes, override)

    def test_it_is_strict(self):
        for text in ("mode: warn\n", "unsure: warn\n", "max_age: {positions: any}\n",
                     "rules: {close-position: warn}\n", "rules: {borrow-locate: warn}\n"):
            self.gate("lint", "--strict", self.file("ordergate: 1\nextends: [live]\n" + text), code=1)

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
