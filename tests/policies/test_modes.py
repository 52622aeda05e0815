#!/usr/bin/env python3
"""mode: enforce, warn and shadow of a policy, a rule and an override; shadow findings are reported and counted
separately."""
import unittest

from policy_case import PolicyCase, order

LIMITS = "rules:\n  order-quantity-limit: {level: refuse, shares: 5%s}\n  order-notional: {level: refuse, most: 50%s}\n"
BOTH = [("quantity-above-limit", "refuse"), ("notional-above-limit", "refuse")]


class Modes(PolicyCase):
    def test_of_the_whole_policy(self):
        for mode, verdict, findings, shadow in (("enforce", "refuse", BOTH, []),
                                                ("warn", "accept", [(r, "warn") for r, _ in BOTH], []),
                                                ("shadow", "accept", [], BOTH)):
            p = self.policy(f"mode: {mode}\n" + LIMITS % ("", ""))
            d = self.decide(p, order())[0]
            self.assertEqual(d["verdict"], verdict)
            self.assertEqual([(f["reason"], f["level"]) for f in d["findings"]], findings)
            self.assertEqual([(f["reason"], f["level"]) for f in d.get("shadow", [])], shadow)
            self.assertEqual("shadow" in d, mode == "shadow")
            self.shows_as_itself(p)

    def test_of_one_rule_whatever_the_policy_says(self):
        p = self.policy("mode: shadow\n" + LIMITS % (", mode: enforce", ""))
        self.assertEqual(self.reasons(p, order()), BOTH[:1])
        self.assertEqual(self.reasons(p, order(), key="shadow"), BOTH[1:])
        again = self.shows_as_itself(p)
        self.assertEqual(self.decide(again, order())[0]["shadow"], self.decide(p, order())[0]["shadow"])

    def test_of_an_override(self):
        p = self.policy("rules:\n  order-notional:\n    level: refuse\n    most: 50\n    overrides:\n"
                        "      - match: {symbol: AAPL}\n        mode: shadow\n")
        self.assertEqual(self.reasons(p, order()), [])
        self.assertEqual(self.reasons(p, order(symbol="MSFT")), BOTH[1:])
        self.shows_as_itself(p)

    def test_a_finding_that_is_only_watched_keeps_its_form(self):
        whole = self.decide(self.policy(LIMITS % ("", "")), order())[0]
        watched = self.decide(self.policy("mode: shadow\n" + LIMITS % ("", "")), order())[0]
        self.assertEqual(watched["shadow"], whole["findings"])
        self.assertEqual(watched["predicts"], whole["predicts"])

    def test_predictions_do_not_depend_on_it(self):
        for mode in ("enforce", "warn", "shadow"):
            p = self.policy(f"mode: {mode}\n", extends="[default]")
            d = self.decide(p, order(orderType="Market", limitPrice=None))[0]
            self.assertEqual(d["predicts"]["code"], "R54", mode)

    def test_an_order_that_is_none_is_refused_all_the_same(self):
        p = self.policy("mode: shadow\n")
        self.assertEqual(self.decide(p, "{]")[0]["verdict"], "refuse")
        self.assertEqual(self.faults(self.policy("rules:\n  order-form: {mode: shadow}\n")),
                         ["4:22: error: rule 'order-form' cannot be weakened or turned off: without it nobody knows "
                          "what would be sent; mode here is 'shadow', allowed is 'enforce' [rule-locked]"])

    def test_a_limit_that_is_watched_is_no_limit(self):
        sized = "rules:\n  size-limit: refuse\n  order-notional: {level: refuse, most: 5000%s}\n"
        self.assertEqual(self.reasons(self.policy(sized % ""), order()), [])
        self.assertEqual(self.reasons(self.policy(sized % ", mode: shadow"), order()), [("unlimited", "refuse")])

    def test_a_later_layer_changes_it(self):
        base = self.policy("mode: shadow\n" + LIMITS % ("", ", mode: warn"), "base.yaml")
        over = self.policy("mode: enforce\n", extends="[base.yaml]")
        self.assertEqual(self.reasons(over, order()), [BOTH[0], ("notional-above-limit", "warn")])
        self.assertEqual(self.reasons([base, over], order()), [BOTH[0], ("notional-above-limit", "warn")])

    def test_what_it_is_not(self):
        self.assertEqual(self.faults(self.policy("mode: off\nrules:\n  route: {mode: shadowed}\n")),
                         ["3:7: error: 'off' is no mode; known: shadow, warn, enforce [value-invalid]",
                          "5:17: error: 'shadowed' is no mode; did you mean 'shadow'? known: shadow, warn, enforce "
                          "[value-invalid]"])

    def test_a_crowd_of_watched_findings_hides_nothing(self):
        # a decision has at most 64 findings: an invalid order has many, and shadow findings do not displace them
        p = self.policy("rules:\n  order-quantity-limit: {level: refuse, shares: 5}\n", extends="[default]")
        q = self.policy("mode: shadow\nrules:\n  order-quantity-limit: {level: refuse, shares: 5, mode: enforce}\n",
                        "q.yaml", extends="[default]")
        d = self.decide(q, order())[0]
        self.assertEqual([f["reason"] for f in d["findings"]], ["quantity-above-limit"])
        self.assertEqual(len(d["shadow"]) + 1, len(self.decide(p, order())[0]["findings"]))


if __name__ == "__main__":
    unittest.main()
