"""ordergate test: expectations about margin, strategy and suggest, key by key, and how --update rewrites them.

OG_BIN names the folder of the programs (CTest sets it).
"""
import unittest

from test_policy_tests import HEAD, Case

SPREAD = """\
  - name: spread
    order: {securityType: Mleg, side: ~, openClose: ~, orderQuantity: 2, limitPrice: 1, route: ~, legs: [
        {symbol: AAPL260220P00180000, side: Buy, ratio: 1, openClose: Open},
        {symbol: AAPL260220P00185000, side: Sell, ratio: 1, openClose: Open}]}
    expect: %s
"""
STOCK = "  - name: stock\n    order: {orderQuantity: %d}\n    expect: %s\n"


class Figures(Case):
    def judged(self, text):
        self.cases(text)
        self.run_it(0, "--list", "desk_test.yaml")
        for code in (0, 1):
            try:
                return [m for t in self.results(code, "desk_test.yaml")["files"][0]["tests"] for m in t.get("misses",
                                                                                                            [])]
            except AssertionError:
                if code:
                    raise
        return None

    def test_each_key_passes_and_fails(self):
        for good, bad, what in (
                ("margin: 800", "margin: 800.001", "margin.required"),
                ("margin: 800.00", "margin: 80", "margin.required"),
                ("margin: {required: 8e2}", "margin: {required: -800}", "margin.required"),
                ("margin: {available: 1000000}", "margin: {available: ~}", "margin.available"),
                ("margin: {model: strategy}", "margin: {model: payoff}", "margin.model"),
                ("margin: {gross: 1000, proceeds: 200}", "margin: {gross: 1000, proceeds: 201}", "margin.proceeds"),
                ("margin: {overnight: 1000000}", "margin: {overnight: 1}", "margin.overnight"),
                ("margin: {initial: ~, maintenance: ~}", "margin: {initial: 0}", "margin.initial"),
                ("margin: {why: ~, needs: ~}", "margin: {needs: AAPL}", "margin.needs"),
                ("strategy: put-vertical", "strategy: iron-condor", "strategy.name"),
                ("strategy: {name: put-vertical, direction: credit}", "strategy: {direction: debit}",
                 "strategy.direction"),
                ("strategy: {maxLoss: 800, maxGain: 200.0}", "strategy: {maxLoss: 800.01}", "strategy.maxLoss"),
                ("strategy: {maxGain: 200}", "strategy: none", "strategy"), ("suggest: none", "suggest: 1", "suggest")):
            self.assertEqual(self.judged(SPREAD % f"{{{good}}}"), [], good)
            self.assertEqual([m["what"] for m in self.judged(SPREAD % f"{{{bad}}}")], [what], bad)

    def test_of_stock(self):
        self.assertEqual(self.judged(STOCK % (
            100, "{strategy: none, margin: {required: 19000, initial: 9500, bound: false}, suggest: none}")), [])
        found = self.judged(STOCK % (1000, "{strategy: straddle, suggest: {orderQuantity: 262, limitPrice: 5}}"))
        self.assertEqual([(m["what"], m["expected"], m["seen"]) for m in found],
                         [("strategy", "straddle", "none"), ("suggest.orderQuantity", "262", "263"),
                          ("suggest.limitPrice", "5", "~")])
        self.assertEqual(self.judged(STOCK % (1000, "{suggest: 263}")), [])

    def test_a_time_is_an_instant(self):
        late = ("  - name: late\n    at: 16:05\n    order: {orderType: Market, limitPrice: ~}\n    expect: {suggest: "
                "{at: %s}}\n")
        self.assertEqual(self.judged(late % "2026-01-16T14:30:00Z"), [])
        self.assertEqual(self.judged(late % "2026-01-16T09:30:00-05:00"), [])
        self.assertEqual([m["what"] for m in self.judged(late % "2026-01-16T09:30:01-05:00")], ["suggest.at"])

    def test_a_working_order_to_replace(self):
        self.file("desk.yaml", "ordergate: 1\nextends: [default]\nrules:\n  close-position: {reasons: "
                               "{close-exceeds-position: refuse}}\n")
        close = ("  - name: close\n    facts: {positions: [{symbol: AAPL, securityType: Stock, side: Long, "
                 "shares: 100}], orders: [{clientOrderId: stop1, symbol: AAPL, securityType: Stock, side: Sell, "
                 "openClose: Close, orderStatus: New, orderType: Stop, priceStop: 100, orderQuantity: 100, "
                 "leavesQuantity: 100}]}\n"
                 "    order: {side: Sell, openClose: Close, orderQuantity: 100}\n"
                 "    expect: {suggest: {replaces: %s}}\n")
        self.assertEqual(self.judged(close % "stop1"), [])
        self.assertEqual([(m["what"], m["expected"], m["seen"]) for m in self.judged(close % "stop2")],
                         [("suggest.replaces", "stop2", "stop1")])

    def test_what_has_none(self):
        cancel = ("  - name: a cancel\n    request: {op: cancel, clientOrderId: a}\n"
                  "    expect: {margin: %s, strategy: %s, suggest: none}\n")
        self.cases(cancel % ("none", "none"), "c_test.yaml")
        self.file("c_test.yaml", self.read("c_test.yaml").replace("ordergate-test: 1\n",
                                                                  "ordergate-test: 1\npolicy: desk.yaml\n")
                  .replace(HEAD[HEAD.index("order: "):HEAD.index("cases:")], ""))
        self.run_it(0, "c_test.yaml")
        self.file("c_test.yaml", self.read("c_test.yaml").replace("margin: none", "margin: 1"))
        self.run_it(1, "c_test.yaml")

    def test_update_writes_them_where_they_stand(self):
        text = (SPREAD % "{strategy: {maxLoss: 1, name: straddle}, margin: {required: 1, available: ...}} # beside" +
                "  - name: open\n    order: {orderQuantity: 1000}\n    expect: # two\n      margin: ...\n      "
                "suggest: ...\n      strategy:\n        name: straddle # a block\n"
                "  - name: rows\n    table:\n      columns: [order.orderQuantity, margin, suggest]\n      rows:\n"
                "        - [1, 5, none]\n        - [1000, {gross: 7}, ...] # last\n")
        self.cases(text)
        self.run_it(1, "--update=all", "desk_test.yaml")
        written = self.read("desk_test.yaml")[len(HEAD):]
        self.assertEqual(written, text.replace("maxLoss: 1, name: straddle", "maxLoss: 800.00, name: put-vertical")
                         .replace("required: 1, available: ...", "required: 800.00, available: 1000000.00")
                         .replace("margin: ...", "margin: {required: 190000.00, available: 1000000.00, model: "
                                                 "notional, gross: 190000.00, "
                                  "proceeds: 0.00, overnight: 1000000.00, initial: 95000.00, maintenance: 47500.00}")
                         .replace("suggest: ...", "suggest: {orderQuantity: 263}")
                         .replace("[1, 5, none]", "[1, 190.00, none]").replace(
            "{gross: 7}, ...", "{gross: 190000.00}, {orderQuantity: 263}"))
        out, err = self.run_it(1, "--update=all", "desk_test.yaml")  # only the words about having no strategy remain
        self.assertNotIn("rewritten", err)
        self.assertIn("expected  {name: straddle}\n      seen      none\n", out)

    def test_update_of_a_cell_that_has_no_value(self):
        table = ("  - name: rows\n    table:\n      columns: [order.orderQuantity, margin]\n      rows:\n        - [0, "
                 "%s]\n")
        self.cases(table % "5")
        self.run_it(0, "--update=all", "desk_test.yaml")
        self.assertEqual(self.read("desk_test.yaml"), HEAD + table % "{required: ~}")  # ~ alone would say nothing
        self.run_it(0, "desk_test.yaml")

    def test_faults(self):
        for said, told in (("{margin: {requird: 4}}", "margin has no key 'requird'; did you mean 'required'?"),
                           ("{margin: x}", "'x' is not a number: 'required' is written like 400 or 412.5"),
                           ("{margin: {model: strat}}",
                            "'strat' is not a model; known: notional, cash-secured, strategy, payoff, closing"),
                           ("{margin: {bound: maybe}}", "'maybe' is not a bound"),
                           ("{margin: [1]}", "'margin' must be a map like {required: ...}"),
                           ("{strategy: iron-condr}", "'iron-condr' is not a name; did you mean 'iron-condor'?"),
                           ("{strategy: {maxLoss: [1]}}", "'maxLoss' must be one number"),
                           ("{suggest: {at: noon}}", "'noon' is not a time"),
                           ("{suggest: {}}", "'suggest' must be a map like {orderQuantity: ...}")):
            self.cases(SPREAD % said)
            self.assertIn(told, self.run_it(3, "desk_test.yaml")[1])


if __name__ == "__main__":
    unittest.main()
