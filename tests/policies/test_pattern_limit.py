#!/usr/bin/env python3
"""A pattern that exceeds its match limit on an order's text neither matches nor fails to match: wherever a policy uses
patterns, what depends on it is unsure."""
import json
import unittest

from policy_case import NOON, PolicyCase, order

SLOW = "((A+)+)+B|A*Q"  # matches A...AQ, and reaches its match limit on 20 letters A or more
FEW, MANY = "AQ", "A" * 22 + "Q"
OTHER = "MSFT"
NOTIONAL = "rules:\n  order-notional:\n    level: %s\n    most: %s\n    overrides:\n      - %s\n"
MATCH = "match: {symbol: '%s'}" % SLOW
DEAR = [("notional-above-limit", "refuse")]
DOUBT = "cannot tell which override applies: match.%s: the pattern exceeds its match limit on this text"
REQUIRE = "custom:\n  - id: few\n    %s\n    level: refuse\n"

# texts of a policy, and whether each refuses an order of 100 dollars for FEW and for OTHER; for MANY the result is
# unknown
PLACES = {
    "a tighter override": (NOTIONAL % ("refuse", 5000, f"{{{MATCH}, most: 50}}"), True, False),
    "a looser override": (NOTIONAL % ("refuse", 50, f"{{{MATCH}, most: 5000}}"), False, True),
    "an override that turns the rule on": (NOTIONAL % ("off", 50, f"{{{MATCH}, level: refuse}}"), True, False),
    "an override that turns the rule off": (NOTIONAL % ("refuse", 50, f"{{{MATCH}, level: off}}"), False, True),
    "an override that only watches": (NOTIONAL % ("refuse", 50, f"{{{MATCH}, mode: shadow}}"), False, True),
    "the second override": (NOTIONAL % ("refuse", 5000, "{match: {symbol: X}, most: 5000}\n"
                                        f"      - {{{MATCH}, most: 50}}"), True, False),
    "with a condition that holds": (NOTIONAL % ("refuse", 5000, f"{{{MATCH}, when: order.limitPrice > 5, most: 50}}"),
                                    True, False),
    "in the condition": (NOTIONAL % ("refuse", 5000, f"{{when: 'order.symbol.matches(\"^({SLOW})$\")', most: 50}}"),
                         True, False),
    "when of a custom rule": (REQUIRE % (f"when: order.symbol.matches(\"^({SLOW})$\")\n"
                                         "    require: order.limitPrice < 5"), True, False),
    "require of a custom rule": (REQUIRE % f"require: '!order.symbol.matches(\"^({SLOW})$\")'", True, False),
}


class PatternLimit(PolicyCase):
    def found(self, policies, line, **more):
        """Returns the verdict, and (level, unsure) of each finding."""
        d = self.decide(policies, line, **more)[0]
        return d["verdict"], [(f["level"], f.get("unsure", False)) for f in d["findings"]]

    def test_what_depends_on_it_is_unsure(self):
        refused, accepted = ("refuse", [("refuse", False)]), ("accept", [])
        for place, (text, few, other) in PLACES.items():
            for unsure, seen in (("refuse", ("refuse", [("refuse", True)])), ("warn", ("accept", [("warn", True)]))):
                with self.subTest(place=place, unsure=unsure):
                    p = self.policy(f"unsure: {unsure}\n{text}")
                    self.assertEqual(self.found(p, order(symbol=FEW)), refused if few else accepted)
                    self.assertEqual(self.found(p, order(symbol=OTHER)), refused if other else accepted)
                    self.assertEqual(self.found(p, order(symbol=MANY)), seen)
                    message = self.decide(p, order(symbol=MANY))[0]["findings"][0]["message"]
                    self.assertIn("the pattern exceeds its match limit on this text", message)

    def test_the_account_of_a_match(self):
        text = NOTIONAL % ("refuse", 5000, f"{{match: {{account: '{SLOW}'}}, most: 50}}")
        p = self.policy(f"unsure: refuse\n{text}")
        for account, verdict, unsure in ((FEW, "refuse", [False]), (OTHER, "accept", []), (MANY, "refuse", [True])):
            d = self.decide(p, order(), facts={"accountId": account})[0]
            found = [f.get("unsure", False) for f in d["findings"]]
            self.assertEqual((d["verdict"], found), (verdict, unsure), account)
        self.assertIn(DOUBT % "account", d["findings"][0]["message"])

    def test_what_does_not_depend_on_it_is_sure(self):
        for override in (f"{{match: {{symbol: '{SLOW}', side: Sell}}, most: 50}}",
                         f"{{match: {{symbol: '{SLOW}', securityType: Option}}, most: 50}}",
                         f"{{match: {{symbol: '{SLOW}', orderType: Market}}, most: 50}}",
                         f"{{match: {{symbol: '{SLOW}', account: NONE}}, most: 50}}",
                         f"{{{MATCH}, when: order.limitPrice > 50, most: 50}}",
                         f"{{{MATCH}, until: 2026-01-15T11:00:00-05:00, reason: over, most: 50}}",
                         f"{{match: {{symbol: A*Q}}, most: 5000}}\n      - {{{MATCH}, most: 50}}"):
            with self.subTest(override=override):
                p = self.policy("unsure: refuse\n" + NOTIONAL % ("refuse", 5000, override))
                self.assertEqual(self.found(p, order(symbol=MANY), facts={"accountId": "LIVE0001"}), ("accept", []))
        both = self.policy(NOTIONAL % ("refuse", 50, f"{{{MATCH}, most: 20}}"))
        self.assertEqual(self.found(both, order(symbol=MANY)), ("refuse", [("refuse", False)]))

    def test_another_spelling_may_decide(self):
        # exceeds its match limit on small letters, and matches the capitals
        override = "match: {symbol: '((a+)+)+b|A*Q'}"
        p = self.policy("unsure: refuse\n" + NOTIONAL % ("refuse", 5000, f"{{{override}, most: 50}}"))
        self.assertEqual(self.found(p, order(symbol=MANY.lower())), ("refuse", [("refuse", False)]))
        p = self.policy("unsure: refuse\n" + NOTIONAL % ("refuse", 5000, f"{{{MATCH}, most: 50}}"))
        self.assertEqual(self.found(p, order(symbol=MANY.lower())), ("refuse", [("refuse", True)]))

    def test_where_layers_meet(self):
        base = self.policy("unsure: refuse\n" + NOTIONAL % ("refuse", 5000, f"{{{MATCH}, most: 50}}"), "base.yaml")
        over = self.policy("rules:\n  order-notional:\n    overrides:\n      - {match: {side: Buy}, unsure: refuse}\n"
                           "      - {match: {symbol: 'A+Q'}, reasons: {notional-above-limit: refuse}}\n",
                           extends="[base.yaml]")
        for policies in (over, [base, over]):
            self.assertEqual(self.found(policies, order(symbol=FEW)), ("refuse", [("refuse", False)]))
            self.assertEqual(self.found(policies, order(symbol=MANY)), ("refuse", [("refuse", True)]))
            self.assertEqual(self.found(policies, order(symbol=OTHER)), ("accept", []))

    def test_closes_leave(self):
        held = {"asOf": NOON, "orders": [],
                "positions": [{"symbol": MANY, "side": "Long", "shares": 100, "priceAvg": 10}]}
        for part in (MATCH, "when: quote.last < 20"):  # no quotes
            p = self.policy("unsure: refuse\n" + NOTIONAL % ("refuse", 5000, f"{{{part}, exits: bind, most: 50}}"))
            d = self.decide(p, order(symbol=MANY, side="Sell", openClose="Close"), facts=held)[0]
            self.assertEqual((d["verdict"], [(f["level"], f["unsure"]) for f in d["findings"]]),
                             ("accept", [("warn", True)]), part)
            self.assertEqual(self.found(p, order(symbol=MANY), facts=held)[0], "refuse")

    def test_the_worth_of_a_market_order_is_the_highest(self):
        text = ("rules:\n  order-notional:\n    level: refuse\n    most: 5000\n    slippage: 0%%\n"
                "    overrides: [{%s, slippage: 50%%}]\n"
                "  exposure: {level: refuse, gross: 120}\n" % MATCH)
        p = self.policy(text)
        facts = {"asOf": NOON, "positions": [], "orders": [],
                 "quotes": {s: {"bid": 9.99, "ask": 10, "last": 10} for s in (FEW, MANY, OTHER)}}
        for symbol, refused in ((FEW, True), (MANY, True), (OTHER, False)):
            line = order(symbol=symbol, orderType="Market", limitPrice=None)
            seen = ("refuse", [("refuse", False)]) if refused else ("accept", [])
            self.assertEqual(self.found(p, line, facts=facts), seen, symbol)

    def test_an_order_reserves_the_most_that_it_may_take(self):
        p = self.policy("rules:\n  buying-power: {level: refuse, overrides: [{%s, fee_per_share: 15}]}\n" % MATCH)
        facts = {"asOf": NOON, "positions": [], "orders": [], "account": {"bp": 300}}
        for symbol, second in ((FEW, "refuse"), (MANY, "refuse"), (OTHER, "accept")):
            lines = order(symbol=symbol) + "\n" + order(symbol=OTHER)
            done = self.gate("check", "--at", NOON, "-p", p, "-f", self.file("f.json", json.dumps(facts)),
                             input=lines.encode())
            self.assertEqual([json.loads(d)["verdict"] for d in done.stdout.splitlines()], ["accept", second],
                             (symbol, done.stdout, done.stderr))

    def test_lint_proves_nothing_by_a_pattern_that_may_exceed_its_limit(self):
        plain = "A+B|A*Q"  # matches the same texts as SLOW, and no text exceeds its limit
        for first, second, shadowed in ((SLOW, "A+Q", False), (plain, "A+Q", True), (SLOW, SLOW, True)):
            p = self.policy(NOTIONAL % ("refuse", 5000, f"{{match: {{symbol: '{first}'}}, most: 50}}\n"
                                        f"      - {{match: {{symbol: '{second}'}}, most: 60}}"))
            self.assertEqual(b"[override-shadowed]" in self.gate("lint", p).stdout, shadowed, (first, second))
        of = [self.policy(NOTIONAL % ("refuse", 5000, f"{{match: {{symbol: '{x}'}}, most: 50}}"), y)
              for x, y in ((SLOW, "slow.yaml"), (plain, "plain.yaml"))]
        self.assertIn(b"perhaps looser", self.gate("policy", "diff", "--generate", "200", *of).stdout)

    def test_lint_finds_the_pattern(self):
        for text in (PLACES["a tighter override"][0], PLACES["in the condition"][0]):
            p = self.policy(text)
            for options, code in ((("lint",), 0), (("lint", "--strict"), 1)):
                done = self.gate(*options, p)
                self.assertIn(b"[pattern-catastrophic]", done.stdout)
                self.assertEqual(done.returncode, code)


if __name__ == "__main__":
    unittest.main()
