#!/usr/bin/env python3
"""closes-refused: a custom rule that also refuses orders that only close; lint shows such an order if it finds one."""
import unittest

from lint_case import LintCase

HEAD = "ordergate: 1\nlists: {meme: [GME, AMC]}\n"


def policy(require, when=None, level="refuse", more=""):
    when = f"    when: >-\n      {when}\n" if when else ""
    return f"""\
{HEAD}custom:
  - id: own
    require: >-
      {require}
{when}    level: {level}
{more}  - {{id: uses-the-list, level: warn, when: order.opens, require: "!(order.symbol in lists.meme)"}}
"""


class Closes(LintCase):
    aside = ("symbol-misses-options",)  # test_option_symbols.py tests that finding

    def own(self, *rule, **more):
        return [f for f in self.lint(self.file(policy(*rule, **more)))
                if f["code"] == "closes-refused" or "own" in f["message"]]

    def shown(self, *rule):
        """Assert that lint shows an order that the rule refuses, that check refuses it by that rule, and that it
        only closes. Returns the order."""
        found, = self.own(*rule)
        self.assertEqual((found["code"], found["line"]), ("closes-refused", 5), found)
        verdict, _, decision = self.decide(self.file(policy(*rule)), found["witness"])
        self.assertEqual(verdict, "refuse")
        self.assertEqual([f["level"] for f in decision["findings"] if f["rule"] == "own"], ["refuse"])
        self.assertNotIn("close-without-position", [f["reason"] for f in decision["findings"]])
        order = found["witness"]["order"]
        closes = {leg["openClose"] for leg in order.get("legs", [order])}
        self.assertEqual(closes, {"Close"})
        self.assertTrue(found["witness"]["facts"]["positions"])
        return order

    def test_a_list_of_names(self):
        self.assertEqual(self.shown("!(order.symbol in lists.meme)")["symbol"], "GME")

    def test_a_size(self):
        self.assertGreater(self.shown("order.orderQuantity <= 700")["orderQuantity"], 700)
        self.assertLess(self.shown("order.orderQuantity >= 100", 'order.securityType == "Stock"')["orderQuantity"], 100)

    def test_a_worth(self):
        self.shown("order.notional <= 10000")

    def test_a_contract(self):
        self.assertEqual(self.shown("order.daysToExpiry >= 90", 'order.securityType == "Option"')["securityType"],
                         "Option")

    def test_a_spread(self):
        self.assertEqual(self.shown("order.orderQuantity <= 5", 'order.securityType == "Mleg"')["securityType"], "Mleg")

    def test_buying_to_cover(self):
        """A rule whose condition is side == "Buy" also applies to buying to cover, which only closes."""
        self.assertEqual(self.shown("order.notional <= 10000", 'order.side == "Buy"')["side"], "Buy")

    def test_a_loss(self):
        self.shown("counters.dayPnl >= -5000.0")

    def test_a_stop(self):
        self.assertEqual(self.shown("order.stopPrice < 20", "has(order.stopPrice)")["orderType"][:4], "Stop")

    def test_what_reads_nothing_of_the_order(self):
        """A rule that reads nothing of the order also refuses closes. It is reported, although without an example
        order."""
        for rule in (("session.minutesToClose > 10", "session.open"),
                     ('now.getDayOfWeek("America/New_York") != 5',),
                     ("counters.drawdown <= 100", "counters.dayPnlPeak > 500")):
            self.assertEqual([f["code"] for f in self.own(*rule)], ["closes-refused"], rule)

    def test_what_was_written_with_closes_in_mind(self):
        for rule in (("order.notional <= 10000", "order.opens"),
                     ("!order.opens || order.notional <= 10000",),
                     ("order.notional <= 10000", "!order.reduces"),
                     ("order.notional <= 10000", 'order.openClose == "Open"'),
                     ("order.limitPrice >= 5.0", 'order.action == "Short"'),
                     ("order.notional <= 10000", 'order.action == "Sell"')):
            self.assertEqual(self.own(*rule), [], rule)

    def test_labels_that_a_close_may_have_too(self):
        for rule in (('order.clientOrderId.startsWith("mm-")',), ('order.route == "SMART"',),
                     ('order.timeInForce == "Day"',), ('order.orderType in ["Limit", "StopLimit"]',),
                     ('account.id != "DESK-2"', 'account.environment == "live"')):
            self.assertEqual(self.own(*rule), [], rule)

    def test_what_refuses_nothing(self):
        self.assertEqual(self.own("order.notional <= 10000", level="warn"), [])
        self.assertEqual(self.own("order.notional <= 10000", more="    mode: shadow\n"), [])
        self.assertEqual(self.own("order.notional <= 10000", more="    mode: warn\n"), [])

    def test_a_rule_that_no_close_meets(self):
        """A rule for purchases by a position that is not short applies to no close, so it is not reported."""
        self.assertEqual(self.own("order.notional <= 10000", 'order.side == "Buy" && position.quantity >= 0'), [])
        self.assertEqual(self.own("order.maxLoss <= 500.0", 'order.securityType == "Mleg" && has(order.maxLoss)'), [])

    def test_a_comment_silences_it(self):
        text = policy("order.notional <= 10000").replace(
            "    require", "    # ordergate-lint: ignore closes-refused - exits are ours too\n    require", 1)
        self.assertEqual(self.codes(text), [])


if __name__ == "__main__":
    unittest.main()
