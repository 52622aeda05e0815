#!/usr/bin/env python3
"""The key `exits` of a policy: the setting `exits` of every limit that has none of its own, over layers and under
locks, and where it came from."""
import json
import unittest

from policy_case import PolicyCase, order

CLOSE = order(side="Sell", openClose="Close", orderQuantity=100)
HELD = {"positions": [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 10}], "orders": []}
REFUSED = ("notional-above-limit", "refuse")
LIMIT = "rules:\n  order-notional: {level: refuse, most: 500%s}\n"


class Exits(PolicyCase):
    def binds(self, *policies, **more):
        found = self.reasons(list(policies), CLOSE, facts=HELD, **more)
        self.assertIn(REFUSED, self.reasons(list(policies), order(orderQuantity=100), **more))
        return REFUSED in found

    def test_it_is_the_setting_of_every_limit_without_its_own(self):
        for said, own, bound in (("", "", False), ("exits: pass\n", "", False), ("exits: bind\n", "", True),
                                 ("exits: bind\n", ", exits: pass", False), ("exits: pass\n", ", exits: bind", True)):
            for text in (said + LIMIT % own, LIMIT % own + said):
                p = self.policy(text)
                self.assertEqual(self.binds(p), bound, text)
                self.shows_as_itself(p)
        rules = json.loads(self.gate("rules", "--json").stdout)
        have = {r["id"] for r in rules for s in r["settings"] if s["key"] == "exits"}
        shown = self.show(self.policy("exits: bind\n" + LIMIT % ""))
        self.assertEqual(shown.count("    exits: bind\n"), len(have))
        self.assertNotIn("exits: pass", shown)

    def test_a_later_layer_says_otherwise(self):
        for below, above, bound in (("bind", "pass", False), ("pass", "bind", True)):
            self.policy(f"exits: {below}\n" + LIMIT % "", "below.yaml")
            self.assertEqual(self.binds(self.policy(f"exits: {above}\n", extends="[below.yaml]")), bound)
            # the key does not change what a rule says itself, in whatever layer
            self.policy(LIMIT % f", exits: {below}", "below.yaml")
            self.assertEqual(self.binds(self.policy(f"exits: {above}\n", extends="[below.yaml]")), below == "bind")

    def test_overrides_inherit_it(self):
        over = ", overrides: [{match: {symbol: AAPL}, most: 600%s}]"
        self.assertTrue(self.binds(self.policy("exits: bind\n" + LIMIT % over % "")))
        self.assertFalse(self.binds(self.policy("exits: bind\n" + LIMIT % over % ", exits: pass")))

    def test_a_lock_lets_it_be_tightened_alone(self):
        self.policy("exits: bind\n" + LIMIT % ", lock: true", "firm.yaml")
        p = self.policy("exits: pass\n", extends="[firm.yaml]")
        self.assertEqual(len(self.faults(p)), 1)
        self.assertIn("'exits'", self.faults(p)[0])
        p = self.policy("rules: {order-notional: {exits: pass}}\n", extends="[firm.yaml]")
        self.assertIn("'exits' may only become stricter: it is bind", self.faults(p)[0])
        # a layer below the lock that sets `exits: pass` for the rule
        self.policy("rules: {order-notional: {exits: pass}}\n", "below.yaml")
        below = self.policy("", extends="[below.yaml, firm.yaml]")
        self.assertIn("'exits' may only become stricter: it is bind", self.faults(below)[0])
        self.policy(LIMIT % ", lock: true", "firm.yaml")
        self.assertTrue(self.binds(self.policy("exits: bind\n", extends="[firm.yaml]")))

    def test_where_it_came_from(self):
        self.policy("exits: pass\n", "base.yaml")
        p = self.policy("exits: bind\n" + LIMIT % "", extends="[base.yaml]")
        done = self.gate("policy", "explain", "--json", "-p", p, "--rule", "order-notional", CLOSE)
        told = {r["rule"]: {s["key"]: s for s in r["settings"]} for r in json.loads(done.stdout)["rules"]}
        exits = told["order-notional"]["exits"]
        self.assertEqual((exits["value"], exits["from"]["kind"], exits["from"]["line"]), ("bind", "policy", 3))
        shown = json.loads(self.gate("policy", "show", "--origins", "--json", p).stdout)["rules"]
        key = next(s for r in shown if r["rule"] is None for s in r["settings"] if s["key"] == "exits")
        self.assertEqual((key["value"], key["from"]["line"], [h["value"] for h in key["hides"]]), ("bind", 3, ["pass"]))

    def test_mistakes(self):
        self.assertEqual(self.faults(self.policy("exits: never\n")),
                         ["3:8: error: 'never' is no answer to 'exits'; known: pass, bind [value-invalid]"])
        self.assertIn("wrong-type", self.faults(self.policy("exits: [bind]\n"))[0])

    def test_diff_tells_it(self):
        a, b = self.policy(LIMIT % "", "a.yaml"), self.policy("exits: bind\n" + LIMIT % "", "b.yaml")
        for one, other, looser in ((a, b, False), (b, a, True)):
            done = self.gate("policy", "diff", "--format", "json", "--generate", "200", one, other)
            self.assertEqual(done.returncode != 0, looser, done.stdout)


if __name__ == "__main__":
    unittest.main()
