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
         ("order.opens", "order.orderQuantity <= 500 && !(order.symbol in lists.meme)"),
         ("order.opens", '!order.symbol.matches("^(GME|AMC)$")'), ("order.opens", '!matches(order.symbol, "^GME$")'),
         ('order.opens && order.symbol.matches("^GM[EF]$")', "order.orderQuantity <= 5")]
SILENT = [("order.opens", "!(order.underlying in lists.meme)"),
          ('order.opens && order.securityType == "Stock"', "!(order.symbol in lists.meme)"),
          ("order.opens", 'order.securityType == "Option" || !(order.symbol in lists.meme)'),
          ("order.opens", "!(order.symbol in lists.meme || order.underlying in lists.meme)"),
          ("order.opens", "!(order.symbol in lists.pair)"), ("order.opens", "order.symbol in lists.etf"),
          ("order.opens && !(order.symbol in lists.etf)", "order.orderQuantity <= 5"),
          ("order.opens", '!order.symbol.matches("GME")'), ("order.opens", '!order.symbol.matches("^GME|^AMC$")'),
          ("order.opens", '!order.symbol.matches("^(GME|AMC)[0-9CP]*$")'),
          ("order.opens", '!order.symbol.matches("^[A-Z]+[.][A-Z]$")'),
          ("order.opens", 'order.symbol.matches("^SPY$")'),
          ("order.opens", '!order.symbol.matches("^GME270115C00010000$")'),
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
# `match` of an override, what else it says
MATCHES = [("{symbol: GME}", "most: 5000", True), ("{symbol: '^(GME|AMC)$'}", "most: 5000", True),
           ("{symbol: 'BRK[.]B'}", "most: 5000", True), ("{symbol: GME, side: Buy}", "most: 5000", True),
           ("{symbol: 'GME|AMC'}", "when: order.orderQuantity > 10, most: 5000", True),
           ("{symbol: GME}", "most: 90000", False), ("{symbol: 'GME.*'}", "most: 5000", False),
           ("{symbol: '(GME|AMC)([0-9]{6}[CP][0-9]{8})?'}", "most: 5000", False),
           ("{symbol: '[A-Z]{1,4}'}", "most: 5000", False), ("{symbol: GME, securityType: Stock}", "most: 5000", False),
           ("{symbol: GME, securityType: [Stock, Mleg]}", "most: 5000", False),
           ("{symbol: GME}", "when: order.securityType == \"Stock\", most: 5000", False)]
OF_SHARES = [("position-limit", "shares: 400, contracts: 10", "shares: 40", False),
             ("position-limit", "shares: 400, contracts: 10", "contracts: 5", True),
             ("position-limit", "shares: 400, contracts: 10", "mode: shadow", False),
             ("order-quantity-limit", "shares: 400", "shares: 40", False),
             ("price-floor", "stock: 1", "stock: 5", False), ("short-sales", "allow: any", "allow: none", False),
             ("short-sales", "allow: easy", "level: off", False)]
NO_OPTIONS = ["rules:\n  allowed-terms: {level: refuse, security_types: [Stock]}\ncustom:\n",
              "custom:\n  - {id: stocks, when: order.opens, require: 'order.securityType == \"Stock\"'}\n"]


def policy(text):
    return f"ordergate: 1\nextends: [live]\n{LISTS}{text}"


def custom(when, require):
    return policy(f"custom:\n  - id: own\n    when: >-\n      {when}\n    require: >-\n      {require}\n")


class OptionSymbols(LintCase):
    aside = ("list-unused", "limit-idle", "override-tightened")

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

    def test_patterns(self):
        for match, text, found in MATCHES:
            self.give([CODE] * found, [policy("rules:\n  order-notional:\n    level: refuse\n    most: 50000\n"
                                              f"    overrides:\n      - {{match: {match}, {text}}}\n")])

    def test_rules_that_are_no_limits(self):
        for condition in ("match: {symbol: GME}", 'when: order.symbol == "GME"'):
            self.give([], [policy("rules:\n  price-collar:\n"
                                  "    away: 5% # ordergate-lint: ignore override-tightened - for all\n    overrides:\n"
                                  f"      - {{{condition}, away: 2%}}\n")])

    def test_settings_of_shares(self):
        for condition in ("match: {symbol: GME}", 'when: order.symbol == "GME"'):
            for rule, own, text, found in OF_SHARES:
                settings = "".join(f"    {one}\n" for one in own.split(", "))
                self.give([CODE] * found, [policy(f"rules:\n  {rule}:\n    level: refuse\n{settings}"
                                                  f"    overrides:\n      - {{{condition}, {text}}}\n")])

    def test_options_that_another_override_is_for(self):
        rule = "rules:\n  order-notional:\n    level: refuse\n    most: 50000\n    overrides:\n"
        ticker = "      - {match: {symbol: GME}, most: 5000}\n"
        contracts = "      - {match: {symbol: '%s.+'}, most: 5000}\n"
        self.give([], [policy(rule + ticker + contracts % "GME"), policy(rule + contracts % "GME" + ticker)])
        self.give([CODE], [policy(rule + ticker + contracts % "AMC")])

    def test_options_that_another_rule_refuses(self):
        own = "  - {id: own, when: order.opens, require: '!(order.symbol in lists.meme)'}\n"
        self.give([], [policy(text + own) for text in NO_OPTIONS])

    def test_strict(self):
        for of, code in ((FOUND[0], 1), (SILENT[0], 0)):
            path = self.file(custom(*of).replace(LISTS, "lists: {meme: [GME]}\n"))
            self.gate("lint", "--at", AT, "--strict", path, code=code)


if __name__ == "__main__":
    unittest.main()
