#!/usr/bin/env python3
"""symbol-misses-options: a ban or limit on tickers that lets options on them pass. Each is decided for a stock and an
option, which shows that what is found differs for them, and that what is not found does not, or should."""
import json
import unittest

from lint_case import AT, LintCase

CODE = "symbol-misses-options"
LISTS = "lists: {meme: [GME, AMC], pair: [GME, GME270115C00010000], etf: [SPY]}\n"
# `when` of a custom rule, its requirement
FOUND = [("order.opens", '!(order.symbol in lists.meme)'), ("order.opens", 'order.symbol != "GME"'),
         ("order.opens", '"GME" != order.symbol'), ("order.opens", '!(order.symbol in ["AMC", "GME"])'),
         ("order.opens", '!(order.symbol == "GME")'), ('order.opens && order.symbol == "GME"', "false"),
         ("order.opens && order.symbol in lists.meme", "order.orderQuantity <= 5"),
         ('order.opens && !(order.symbol != "GME")', "false"),
         ("order.opens", "!(order.symbol in lists.meme) || order.orderQuantity <= 5"),
         ("order.opens", "order.symbol in lists.meme ? order.orderQuantity <= 5 : true"),
         ('order.opens && order.side == "Buy"', "!(order.symbol in lists.meme)"),
         ("order.opens", "order.orderQuantity <= 500 && !(order.symbol in lists.meme)")]
SILENT = [("order.opens", "!(order.underlying in lists.meme)"),
          ('order.opens && order.securityType == "Stock"', "!(order.symbol in lists.meme)"),
          ("order.opens", 'order.securityType == "Option" || !(order.symbol in lists.meme)'),
          ("order.opens", "!(order.symbol in lists.meme || order.underlying in lists.meme)"),
          ("order.opens", "!(order.symbol in lists.pair)"), ("order.opens", "order.symbol in lists.etf"),
          ("order.opens && !(order.symbol in lists.etf)", "order.orderQuantity <= 5"),
          ("order.opens", "order.symbol in lists.etf || order.orderQuantity <= 5"),
          ("order.opens", "!(order.tag in lists.meme)"), ('order.action == "Short" && order.timeInForce == "Day"',
                                                          "order.underlying in lists.etf")]
OVERRIDES = [("when: order.symbol in lists.meme, most: 5000", True), ('when: order.symbol == "GME", most: 5000', True),
             ("match: {side: Buy}, when: order.symbol in lists.meme, most: 5000", True),
             ("when: '!(order.symbol in lists.etf)', most: 90000", True),
             ("when: order.symbol in lists.meme, most: 90000", False),
             ("when: '!(order.symbol in lists.etf)', most: 5000", False),
             ("when: order.underlying in lists.meme, most: 5000", False),
             ("match: {securityType: Stock}, when: order.symbol in lists.meme, most: 5000", False),
             ("when: order.symbol in lists.pair, most: 5000", False)]
NO_OPTIONS = ["rules:\n  allowed-terms: {level: refuse, security_types: [Stock]}\ncustom:\n",
              "custom:\n  - {id: stocks, when: order.opens, require: 'order.securityType == \"Stock\"'}\n"]


def policy(text):
    return f"ordergate: 1\nextends: [live]\n{LISTS}{text}"


def custom(when, require):
    return policy(f"custom:\n  - id: own\n    when: >-\n      {when}\n    require: >-\n      {require}\n")


class OptionSymbols(LintCase):
    aside = ("list-unused", "limit-idle")

    def refused(self, text, **keys):
        order = {"securityType": "Stock", "symbol": "GME", "side": "Buy", "openClose": "Open", "orderType": "Limit",
                 "limitPrice": 10, "orderQuantity": 10, "timeInForce": "Day", **keys}
        done = self.gate("check", "-p", self.file(text), "--at", AT, input=json.dumps(order).encode())
        return any(f["rule"] == "own" for f in json.loads(done.stdout)["findings"])

    def test_custom_rules(self):
        self.give([CODE], [custom(*of) for of in FOUND])
        for of in FOUND:
            with self.subTest(of):
                option = {"securityType": "Option", "symbol": "GME270115C00010000"}
                self.assertTrue(self.refused(custom(*of)))
                self.assertFalse(self.refused(custom(*of), **option))
                self.assertTrue(self.refused(custom(*of).replace("order.symbol", "order.underlying"), **option))
        self.give([], [custom(*of) for of in SILENT])
        self.give([], [custom(*of).replace("order.symbol", "order.underlying") for of in FOUND])

    def test_overrides(self):
        for text, found in OVERRIDES:
            self.give([CODE] * found, [policy("rules:\n  order-notional:\n    level: refuse\n    most: 50000\n"
                                              f"    overrides:\n      - {{{text}}}\n")])

    def test_options_that_another_rule_refuses(self):
        own = "  - {id: own, when: order.opens, require: '!(order.symbol in lists.meme)'}\n"
        self.give([], [policy(text + own) for text in NO_OPTIONS])

    def test_strict(self):
        for of, code in ((FOUND[0], 1), (SILENT[0], 0)):
            path = self.file(custom(*of).replace(LISTS, "lists: {meme: [GME]}\n"))
            self.gate("lint", "--at", AT, "--strict", path, code=code)


if __name__ == "__main__":
    unittest.main()
