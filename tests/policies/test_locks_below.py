#!/usr/bin/env python3
"""lock: what a layer locks is as strict over any other policy as in that layer alone."""
import itertools
import random
import unittest

from policy_case import PolicyCase, order

FIRM = """unsure: refuse
rules:
  order-notional: {level: refuse, most: 50000, lock: true}
"""
BIG = dict(orderQuantity=10000, limitPrice=190)  # 1.9 million


class Below(PolicyCase):
    def both(self, mine, firm=FIRM, mine_extends="[default]", firm_extends=None):
        """Returns the errors when the policy `firm` is laid over the policy `mine`. They must be the same by `extends`
        and by -p."""
        self.policy(mine, "mine.yaml", extends=mine_extends)
        if firm_extends:
            self.policy(firm, "firm.yaml", extends=firm_extends)
        else:
            self.file("firm.yaml", "ordergate: 1\n" + firm)
        both = self.policy("", "both.yaml", extends="[mine.yaml, firm.yaml]")
        found = self.faults(both)
        done = self.gate("policy", "show", "mine.yaml", "firm.yaml")
        self.assertEqual(done.returncode != 0, found != [], done.stderr)
        return found

    def refuses(self, mine, *parts, **more):
        found = self.both(mine, **more)
        self.assertEqual(len(found), len(parts), found)
        for line, part in zip(found, parts):
            self.assertIn(part, line)
            self.assertIn("[locked-loosened]", line)
            self.assertRegex(line, r"locked (rules )?\(firm.yaml:\d+:\d+\)")

    def holds(self, mine, **more):
        """Assert that the policy loads, and that the locked limit refuses the orders that it refuses on its own."""
        self.assertEqual(self.both(mine, **more), [])
        self.assertIn(("notional-above-limit", "refuse"), self.reasons("both.yaml", order(**BIG)))

    def test_overrides(self):
        self.policy("rules: {order-notional: {level: refuse, most: 5}}\n", "base.yaml")
        one = "rules:\n  order-notional: {level: refuse, most: 5, overrides: [%s]}\n"
        self.refuses(one % "{match: {symbol: AAPL}, mode: shadow}", "its mode may only become stricter")
        self.refuses(one % "{when: 'order.orderQuantity > 5', unsure: warn}", "its 'unsure' may only become stricter")
        self.refuses(one % "{match: {symbol: A.*}, reasons: {notional-above-limit: warn}}", "levels of reasons")
        self.refuses(one % "{until: 2099-01-01T00:00:00Z, reason: x, mode: warn}", "its mode")
        self.refuses(one % "{match: {side: Buy}, exits: bind}, {match: {side: Sell}, mode: warn}", "its mode")
        firm = "rules: {order-notional: {most: 50000, lock: true}}\n"
        self.refuses(one % "{match: {symbol: AAPL}, level: warn}", "its level may only become stricter",
                     firm=firm, mine_extends="[base.yaml]", firm_extends="[base.yaml]")
        # the locking layer's values apply to these orders too
        self.holds(one % "{match: {side: Buy}, most: 2000000}")
        self.holds(one % "{match: {side: Buy}, level: warn}")
        self.holds("rules:\n  order-notional: {level: refuse, most: 60000, lock: true, overrides: [{match: {side: "
                   "Buy}, "
                   "most: 2000000}]}\n", firm=FIRM)

    def test_overrides_of_the_locking_policy_stay_the_first(self):
        firm = ("rules:\n  order-notional: {level: refuse, most: 50000, lock: true, overrides: [{match: {symbol: SPY}, "
                "most: 100}]}\n")
        self.holds("rules:\n  order-notional: {level: refuse, most: 5, overrides: [{match: {side: Buy}, most: 9}]}\n",
                   firm=firm)
        for symbol, quantity, refused in (("SPY", 11, True), ("SPY", 9, False), ("IBM", 1, True)):
            found = self.reasons("both.yaml", order(symbol=symbol, orderQuantity=quantity))
            self.assertEqual(("notional-above-limit", "refuse") in found, refused, (symbol, quantity))

    def test_what_both_stand_on_is_not_changed_between(self):
        self.policy("rules:\n  order-notional: {level: refuse, most: 50000, overrides: [{match: {symbol: GME}, most: "
                    "9}]}"
                    "\n", "base.yaml")
        more = dict(firm="rules: {order-notional: {lock: true}}\n", mine_extends="[base.yaml]",
                    firm_extends="[base.yaml]")
        self.refuses("rules: {order-notional: warn}\n", "its level may only become stricter: it is refuse (base.yaml:4",
                     **more)
        self.refuses("rules: {order-notional: {most: 2000000}}\n", "'most' may only become lower", **more)
        self.refuses("rules: {order-notional: {overrides: []}}\n", "an override of it (base.yaml:4", **more)
        self.refuses("rules: {order-notional: {mode: warn}}\n", "its mode", **more)
        self.holds("rules: {order-notional: {most: 40000}}\n", **more)
        self.holds("rules: {order-notional: {overrides: [{match: {symbol: AMC}, most: 7}]}}\n", **more)

    def test_settings_of_the_rule_that_the_locking_layer_does_not_say(self):
        self.refuses("rules:\n  order-notional: {mode: shadow}\n", "its mode may only become stricter")
        self.refuses("rules:\n  order-notional: {mode: warn}\n", "its mode may only become stricter")
        self.refuses("rules:\n  order-notional: {unsure: warn}\n", "its 'unsure' may only become stricter")
        self.refuses("rules:\n  order-notional: {reasons: {notional-above-limit: off}}\n", "levels of reasons")
        firm = "rules: {order-notional: {level: refuse, most: 50000, lock: true, exits: bind}}\n"
        self.holds("rules:\n  order-notional: {exits: pass, level: off}\n", firm=firm)

    def test_what_locked_limits_count_by_is_in_another_rule(self):
        self.policy("rules:\n  order-notional: {level: refuse, most: 50000, slippage: 20%}\n", "base.yaml")
        more = dict(mine_extends="[base.yaml]", firm_extends="[base.yaml]")
        slips = "rules:\n  order-notional: {slippage: 20%, level: refuse, most: 50000}\n"
        for lock in ("rules: {exposure: {level: refuse, gross: 20500, lock: true}}\n",
                     "rules: {concentration: {level: refuse, most: 10%, lock: true}}\n",
                     "custom: [{id: dear, require: order.notional <= 20500, lock: true}]\n"):
            parts = ("their limits use settings of rule 'order-notional'",
                     "'slippage' may only become higher: it is 20% (base.yaml:4:")
            for said in ("{slippage: 0%}", "{level: off, slippage: 1%}",
                         "{overrides: [{match: {symbol: AAPL}, slippage: 0%}]}"):
                with self.subTest(lock=lock, said=said):
                    found = self.both(f"rules: {{order-notional: {said}}}\n", firm=lock, **more)
                    self.assertEqual(len(found), 1, found)
                    for part in parts + ("a layer over it has locked rules (firm.yaml:",):
                        self.assertIn(part, found[0])
            for said in ("{slippage: 30%}", "{overrides: [{match: {symbol: AAPL}, slippage: 30%}]}", "{level: off}",
                         "{most: 7, overrides: [{match: {symbol: AAPL}, most: 9}]}"):
                self.assertEqual(self.both(f"rules: {{order-notional: {said}}}\n", firm=lock, **more), [])
        # a setting of the locking policy replaces the one below it
        firm = slips + "  exposure: {level: refuse, gross: 20500, lock: true}\n"
        self.assertEqual(self.both("rules: {order-notional: {slippage: 0%}}\n", firm=firm), [])

    def test_keys_of_the_policy(self):
        firm = "rules: {order-notional: {level: refuse, most: 50000, lock: true}}\n"
        self.refuses("mode: shadow\n", "its mode may only become stricter: it is enforce, here shadow", firm=firm)
        self.refuses("mode: warn\n", "its mode may only become stricter", firm=firm)
        self.holds("unsure: refuse\n", firm=firm)
        base = self.policy("max_age: {quotes: 5s}\nunsure: refuse\nenvironment: live\n", "base.yaml")
        more = dict(firm="rules: {order-notional: {level: refuse, most: 50000, lock: true}, account: {level: refuse, "
                    "lock: true}}\n", mine_extends=f"[{base}]", firm_extends=f"[{base}]")
        self.refuses("max_age: {quotes: any}\n", "'quotes' may only become stricter: it is 5s, here any", **more)
        self.refuses("max_age: {quotes: 6s}\n", "'quotes' may only become stricter: it is 5s, here 6s", **more)
        self.refuses("environment: paper\n", "the environment it compares with cannot be changed", **more)
        self.refuses("unsure: warn\n", "'unsure' may only become stricter", "'unsure' may only become stricter", **more)
        self.holds("max_age: {quotes: 4s}\n", **more)

    def test_ages_where_an_old_fact_lets_orders_pass(self):
        self.refuses("max_age: {quotes: 1s}\n", "does not refuse where this fact is too old",
                     firm="unsure: warn\nrules: {order-notional: {level: refuse, most: 50000, lock: true}}\n")

    def test_own_rules(self):
        firm = "custom:\n  - {id: small, require: order.orderQuantity <= 100, lock: true}\n"
        one = "custom:\n  - {id: small, require: 'true', %s}\n"
        for said, part in (("when: 'false'", "its 'when' cannot be changed"), ("level: warn", "its level"),
                           ("level: off", "its level"), ("mode: shadow", "its mode"),
                           ("until: 2020-01-01T00:00:00Z, reason: x", "it cannot end sooner")):
            with self.subTest(said):
                self.refuses(one % said, part, firm=firm)
        self.refuses(one % "unsure: warn", "its 'unsure'", firm="unsure: refuse\n" + firm)
        self.assertEqual(self.both(one % "level: refuse, message: mine", firm=firm), [])
        self.assertIn(("small", "refuse"), self.reasons("both.yaml", order(orderQuantity=101)))

    def test_lists_that_a_locked_rule_reads(self):
        self.policy("lists: {restricted: [GME, AMC]}\n", "base.yaml")
        for firm in ("custom:\n  - {id: not-these, require: '!(order.symbol in lists.restricted)', lock: true}\n",
                     "rules:\n  order-notional: {level: refuse, most: 50000, lock: true, overrides: [{when: "
                     "order.symbol "
                     "in lists.restricted, most: 0}]}\n"):
            more = dict(firm=firm, mine_extends="[base.yaml]", firm_extends="[base.yaml]")
            for words in ("[]", "[GME]", "[AMC, GME]", "[GME, AMC, X]"):
                with self.subTest(words):
                    self.refuses("lists: {restricted: %s}\n" % words, "a locked rule names it", **more)
            self.assertEqual(self.both("lists: {restricted: [GME, AMC], other: [X]}\n", **more), [])
            self.assertEqual(len(self.reasons("both.yaml", order(symbol="AMC"))), 1)

    def test_a_list_from_elsewhere_is_nobodys(self):
        found = self.both("lists: {restricted: [GME]}\n",
                          firm="custom:\n  - {id: not-these, require: '!(order.symbol in "
                          "lists.restricted)', lock: true}\n")
        self.assertEqual(len(found), 1)
        self.assertIn("[lock-alone]", found[0])

    def test_what_the_locking_policy_stands_on_is_there(self):
        """Without `extends` it would extend default; over an empty policy the levels that it takes from default would
        be off."""
        firm = "rules: {price-collar: {away: 5%, lock: true}}\n"
        self.refuses("", "its level may only become stricter", firm=firm, mine_extends="[]")
        self.refuses("rules: {price-collar: off}\n", "its level may only become stricter", firm=firm,
                     mine_extends="[]")

    def test_several_locks_in_several_layers(self):
        self.policy("rules: {order-notional: {level: refuse, most: 50000, lock: true}}\n", "risk.yaml")
        more = dict(firm="rules: {order-quantity-limit: {level: refuse, shares: 5000, lock: true}}\n",
                    firm_extends="[risk.yaml]")
        self.policy("rules: {order-notional: {mode: shadow}}\n", "mine.yaml")
        found = self.faults(self.policy("", "both.yaml", extends="[mine.yaml, risk.yaml]"))
        self.assertEqual(len(found), 1, found)
        found = self.both("rules: {order-notional: {mode: shadow}, order-quantity-limit: {mode: warn}}\n", **more)
        self.assertEqual({line.rsplit(" [", 1)[1] for line in found}, {"locked-loosened]"})
        self.assertTrue(any("risk.yaml" in line for line in found) and any("firm.yaml" in line for line in found))

    def test_a_shipped_policy_below_is_as_before(self):
        self.holds("", mine_extends="[live]")
        self.holds("", mine_extends="[cautious]")
        done = self.gate("policy", "show", "live", "firm.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)


class Random(PolicyCase):
    """Random layers below and above a lock: if they load, they refuse what the locking policy refuses on its own."""
    SAYS = {"level": ["refuse", "warn", "info", "off"], "mode": ["enforce", "warn", "shadow"],
            "unsure": ["refuse", "warn"], "most": ["100", "5000", "50000", "2000000"], "exits": ["pass", "bind"],
            "reasons": ["{notional-above-limit: %s}" % level for level in ("refuse", "warn", "off")]}
    MATCHES = ["match: {symbol: AAPL}", "match: {side: Buy}", "match: {symbol: A.*, side: [Buy, Sell]}",
               "when: order.orderQuantity > 20", "when: order.symbol in lists.l",
               "until: 2020-01-01T00:00:00Z, reason: x", "until: 2099-01-01T00:00:00Z, reason: x"]

    def some(self, r, keys, most):
        return {key: r.choice(self.SAYS[key]) for key in r.sample(sorted(keys), r.randint(0, most))}

    def layer(self, r, lock, depth):
        said = {"lists": "{l: %s}" % r.choice(["[AAPL]", "[]", "[AAPL, F]"])}
        for key, values in (("unsure", ["warn", "refuse"]), ("mode", ["shadow", "warn", "enforce"]),
                            ("exits", ["pass", "bind"]),
                            ("max_age", ["{quotes: 2s}", "{quotes: any}", "{account: 5s}"])):
            if r.random() < 0.15:
                said[key] = r.choice(values)
        rule = self.some(r, self.SAYS, 3)
        if lock:
            rule.update(lock="true")
            rule.setdefault("level", "refuse")
            rule.setdefault("most", "50000")
        if r.random() < 0.5:
            rule["overrides"] = "[%s]" % ", ".join(
                "{%s}"
                % ", ".join([r.choice(self.MATCHES)] + ["%s: %s" % kv for kv in self.some(r, self.SAYS, 2).items()])
                for _ in range(r.randint(0, 2)))
        said["rules"] = "{order-notional: {%s}}" % ", ".join("%s: %s" % kv for kv in rule.items())
        own = {"require": r.choice(["order.orderQuantity <= 100", "true", "!(order.symbol in lists.l)"])}
        if r.random() < 0.5:
            own["when"] = r.choice(["false", "order.side == 'Buy'"]).replace("'", '\\"')
        own.update(self.some(r, ["level", "mode", "unsure"], 2))
        if lock:
            own["lock"] = "true"
        if r.random() < 0.6:
            said["custom"] = "[{id: mine, %s}]" % ", ".join(
                '%s: "%s"' % kv if kv[0] in ("when", "require") else "%s: %s" % kv for kv in own.items())
        return "".join(f"{key}: {value}\n" for key, value in said.items())

    def test_all_that_loads_is_as_strict(self):
        r = random.Random(4031)
        orders = [order(symbol=symbol, orderQuantity=quantity, side=side, openClose=does)
                  for symbol, quantity, (side, does) in itertools.product(
                      ("AAPL", "F"), (1, 21, 101, 400, 9000), (("Buy", "Open"), ("Sell", "Close")))]
        loaded = 0
        for n in range(150):
            firm = self.policy(self.layer(r, True, 0), "firm.yaml", extends=r.choice(["[]", "[default]"]))
            below = self.policy(self.layer(r, r.random() < 0.2, 0), "below.yaml", extends=r.choice(["[]", "[default]"]))
            above = self.policy(self.layer(r, False, 0), "above.yaml", extends="[]")
            names = r.choice([[below, firm], [firm, above], [below, firm, above]])
            done = self.gate("policy", "show", *names)
            self.assertIn(done.returncode, (0, 3), done.stderr)
            if done.returncode or self.gate("policy", "show", firm).returncode:
                continue
            loaded += 1
            alone, both = ([{(f["reason"], f["level"]) for f in decision["findings"]}
                            for decision in self.decide(policies, orders)] for policies in (firm, self.layered(names)))
            for was, now, o in zip(alone, both, orders):
                with self.subTest(n=n, order=o):
                    self.assertLessEqual({f for f in was if f[1] == "refuse"
                                          and f[0] in ("notional-above-limit", "mine")}, now)
        self.assertGreater(loaded, 20)

    def layered(self, names):
        return self.policy("", "layered.yaml", extends="[%s]" % ", ".join(names))


if __name__ == "__main__":
    unittest.main()
