#!/usr/bin/env python3
"""lock: layers above may tighten what a layer locked, but not loosen it in any way."""
import unittest

from policy_case import NOON, PolicyCase, order

FIRM = """unsure: warn
rules:
  order-notional:
    level: refuse
    most: 500
    lock: true
    overrides:
      - {match: {symbol: "SPY|QQQ"}, most: 5000}
  price-collar: {level: warn, away: 5%%, lock: true}
  allowed-symbols: {level: refuse, barred: [GME], lock: true}
%s"""


class Locks(PolicyCase):
    def firm(self, more=""):
        return self.policy(FIRM % more, "firm.yaml")

    def over(self, text, code="locked-loosened"):
        """Returns the errors of a policy that is laid over the firm's. The first line of `text` is line 3 of the
        file."""
        found = self.faults(self.policy(text, "desk.yaml", extends="[firm.yaml]"))
        for line in found:
            self.assertTrue(line.endswith(f"[{code}]"), line)
        return [line.rsplit(" [", 1)[0] for line in found]

    def loosens(self, text, *expected):
        self.firm()
        at = {"rule 'order-notional'": "8:11", "rule 'price-collar'": "11:47", "rule 'allowed-symbols'": "12:57"}
        found = self.over(text)
        self.assertEqual(len(found), len(expected), found)
        for line, (place, what, how) in zip(found, expected):
            self.assertEqual(line, f"{place}: error: {what} is locked (firm.yaml:{at[what]}): {how}")

    def tightens(self, text):
        self.firm()
        self.assertEqual(self.over(text), [])
        return self.file("desk.yaml", f"ordergate: 1\nextends: [firm.yaml]\n{text}")

    def test_settings_move_to_their_stricter_side_alone(self):
        self.loosens("rules:\n  order-notional: {most: 500.01}\n",
                     ("4:26", "rule 'order-notional'",
                      "'most' may only become lower: it is 500 (firm.yaml:7:11), here 500.01"))
        self.loosens("rules:\n  price-collar: {away: 10%}\n",
                     ("4:24", "rule 'price-collar'",
                      "'away' may only become lower: it is 5% (firm.yaml:11:37), here 10%"))
        p = self.tightens("rules:\n  order-notional: {most: 400}\n")
        self.assertEqual(self.reasons(p, order(orderQuantity=45)), [("notional-above-limit", "refuse")])
        self.tightens("rules:\n  order-notional: {most: 500.00}\n")

    def test_settings_without_a_stricter_side_stay(self):
        self.loosens("rules:\n  allowed-symbols: {barred: [GME, AMC]}\n",
                     ("4:29", "rule 'allowed-symbols'",
                      "'barred' has no stricter side and cannot be changed: it is [\"GME\"] (firm.yaml:12:44), "
                      "here [\"GME\", \"AMC\"]"))
        self.tightens("rules:\n  allowed-symbols: {barred: [GME]}\n")

    def test_levels(self):
        self.loosens("rules: {order-notional: warn, price-collar: info}\n",
                     ("3:25", "rule 'order-notional'",
                      "its level may only become stricter: it is refuse (firm.yaml:6:12), here warn"),
                     ("3:45", "rule 'price-collar'",
                      "its level may only become stricter: it is warn (firm.yaml:11:25), here info"))
        self.tightens("rules: {order-notional: refuse, price-collar: refuse}\n")

    def test_levels_of_reasons(self):
        self.loosens("rules:\n  order-notional: {reasons: {notional-above-limit: warn}}\n",
                     ("4:29", "rule 'order-notional'",
                      "its levels of reasons may only become stricter: 'notional-above-limit' is "
                      "as the rule's, here warn"))
        self.tightens("rules:\n  order-notional: {reasons: {notional-above-limit: refuse}}\n")
        self.tightens("rules:\n  price-collar: {reasons: {limit-away-from-quote: refuse}}\n")

    def test_unsure_and_mode(self):
        self.loosens("rules:\n  order-notional: {mode: warn}\n  price-collar: {mode: shadow}\n",
                     ("4:26", "rule 'order-notional'", "its mode may only become stricter: it is enforce, here warn"),
                     ("5:24", "rule 'price-collar'", "its mode may only become stricter: it is enforce, here shadow"))
        self.tightens("unsure: refuse\nrules:\n  order-notional: {unsure: refuse, mode: enforce}\n")
        self.firm()
        self.assertEqual(self.over("mode: shadow\n"), ["3:7: error: a layer below has locked rules (firm.yaml:8:11): "
                                                       "'mode' may only become stricter: it is enforce, here shadow"])
        self.policy(FIRM.replace("warn", "refuse", 1) % "", "firm.yaml")
        self.assertEqual(self.over("unsure: warn\nrules:\n  order-notional: {unsure: warn}\n"),
                         ["3:9: error: a layer below has locked rules (firm.yaml:8:11): 'unsure' may only become "
                          "stricter: it is refuse, here warn",
                          "5:28: error: rule 'order-notional' is locked (firm.yaml:8:11): its 'unsure' may only become "
                          "stricter: it is refuse, here warn"])

    def test_it_stays_locked(self):
        self.loosens("rules:\n  order-notional: {lock: false, most: 1}\n",
                     ("4:26", "rule 'order-notional'", "a later layer cannot unlock it"))
        self.tightens("rules:\n  order-notional: {lock: true, most: 1}\n")
        self.assertEqual(self.faults(self.policy("rules:\n  route: {level: refuse, lock: maybe}\n  account: {lock: "
                                                 "[true]}\n")),
                         ["4:32: error: 'maybe' is no answer to 'lock'; known: false, true [value-invalid]",
                          "5:19: error: answer to 'lock' must be one word, here is a list; known: false, true "
                          "[wrong-type]"])

    def test_a_layer_between_may_tighten_and_binds_those_after_it(self):
        self.tightens("rules:\n  order-notional: {most: 400}\n")
        p = self.policy("rules:\n  order-notional: {most: 450}\n", "trader.yaml", extends="[desk.yaml]")
        self.assertEqual(self.faults(p),
                         ["4:26: error: rule 'order-notional' is locked (firm.yaml:8:11): 'most' may only "
                          "become lower: it is 400 (desk.yaml:4:26), here 450 [locked-loosened]"])

    def test_several_p_are_layers_too(self):
        self.firm()
        self.policy("rules:\n  order-notional: {most: 5000}\n", "loose.yaml")
        done = self.gate("policy", "show", "firm.yaml", "loose.yaml")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"loose.yaml:4:26: error: rule 'order-notional' is locked (firm.yaml:8:11)", done.stderr)
        self.assertEqual(self.gate("policy", "show", "loose.yaml", "firm.yaml").returncode, 0)

    def test_overrides_stand_before_those_below_and_are_as_tight(self):
        p = self.tightens("rules:\n  order-notional:\n    overrides:\n      - {match: {symbol: SPY}, most: 100}\n")
        for symbol, quantity, passes in (("SPY", 11, False), ("SPY", 9, True), ("QQQ", 400, True), ("QQQ", 501, False),
                                         ("IBM", 51, False), ("IBM", 49, True)):
            found = self.reasons(p, order(symbol=symbol, orderQuantity=quantity))
            self.assertEqual(found == [], passes, (symbol, quantity))
        self.shows_as_itself(p)

    def test_an_override_that_could_stand_before_the_rule_is_as_tight_as_it(self):
        one = "rules:\n  order-notional:\n    overrides:\n      - {match: {%s}, most: %s}\n"
        for match, most, fine in (("symbol: IBM", 500, True), ("symbol: IBM", 501, False),
                                  ("symbol: SPY", 501,
                                   False),  # the override also applies to orders of the rule: QQQ|SPY is another text
                                  ("symbol: SPY|QQQ", 5000, True), ("symbol: SPY|QQQ", 5001, False),
                                  ("symbol: SPY|QQQ, side: Buy", 5000, True),
                                  ("symbol: SPY|QQQ, side: Buy", 5001, False), ("symbol: \".*\"", 500, True)):
            with self.subTest(match=match, most=most):
                text = one % (match, most)
                if fine:
                    self.tightens(text)
                else:
                    self.loosens(text, ("6:%d" % (text.splitlines()[3].index("most: ") + 7), "rule 'order-notional'",
                                        "'most' may only become lower: it is %s, here %s" %
                                        ("5000 (firm.yaml:10:44)" if most == 5001 else "500 (firm.yaml:7:11)", most)))

    def test_overrides_for_other_orders_are_not_compared(self):
        self.policy(FIRM.replace("- {match: {symbol: \"SPY|QQQ\"}, most: 5000}",
                                 "- {match: {symbol: PENNY}, most: 10}") % "",
                    "firm.yaml")
        self.assertEqual(self.over("rules:\n  order-notional: {overrides: [{match: {symbol: IBM}, most: 400}]}\n"), [])
        self.assertEqual(len(self.over("rules:\n  order-notional: {overrides: [{match: {side: Buy}, most: 400}]}\n")),
                         1)

    def test_an_override_outlives_none_that_it_covers(self):
        temporary = FIRM.replace("most: 5000}", "most: 5000, until: 2026-02-01T00:00:00Z, reason: x}")
        self.policy(temporary % "", "firm.yaml")
        one = "rules:\n  order-notional:\n    overrides:\n      - {match: {symbol: SPY|QQQ}, most: 4000%s}\n"
        self.assertEqual(len(self.over(one % "")), 1)
        self.assertEqual(len(self.over(one % ", until: 2026-02-01T00:00:01Z, reason: y")), 1)
        self.assertEqual(self.over(one % ", until: 2026-02-01T00:00:00Z, reason: y"), [])

    def test_overrides_below_are_not_taken_away(self):
        p = self.tightens("rules:\n  order-notional: {overrides: []}\n")
        self.assertEqual(self.reasons(p, order(symbol="SPY", orderQuantity=400)), [])
        self.assertIn('match: {symbol: "SPY|QQQ"}', self.show(p))

    def test_what_overrides_take_from_the_rule_does_not_loosen_them(self):
        self.policy("rules:\n  order-notional: {level: info, most: 5, lock: true, overrides: [{match: {side: Buy}, "
                    "level: refuse}]}\n", "firm.yaml")
        self.assertEqual(self.over("rules:\n  order-notional: {level: refuse}\n"), [])
        self.assertEqual(self.over("rules:\n  order-notional: {level: refuse, reasons: {notional-above-limit: "
                                   "info}}\n"),
                         ["4:44: error: rule 'order-notional' is locked (firm.yaml:4:48): its levels of reasons may "
                          "only become stricter: 'notional-above-limit' is as the rule's, here info"])

    def test_ages_of_facts(self):
        self.policy("max_age: {quotes: 5s, account: 10s}\n" + FIRM % "", "firm.yaml")
        below = "error: a layer below has locked rules (firm.yaml:9:11):"
        self.assertEqual(self.over("max_age: {account: 11s, routes: 5s, quotes: any}\n"),
                         [f"3:20: {below} 'account' may only become stricter: it is 10s, here 11s",
                          f"3:45: {below} 'quotes' may only become stricter: it is 5s, here any"])
        self.assertEqual(self.over("max_age: {account: 9s}\n"), [])
        # an old quote makes the rule unsure, and unsure only warns: demanding newer quotes would let orders pass
        self.assertEqual(self.over("max_age: {quotes: 4s}\n"),
                         [f"3:19: {below} 'quotes' may only become stricter, but 'order-notional' is locked and does "
                          f"not refuse "
                          "where this fact is too old"])
        self.policy("max_age: {quotes: 5s}\nunsure: refuse\nrules:\n  order-notional: {level: refuse, most: 5, lock: "
                    "true}\n", "firm.yaml")
        self.assertEqual(self.over("max_age: {quotes: 4s}\n"), [])

    def test_ages_that_tell_how_much_a_close_opens(self):
        """A close of more than the position would pass if positions are too old, and a layer could make them count as
        too old."""
        firm = ("max_age: {positions: 10s, orders: 10s}\nunsure: refuse\nrules:\n"
                "  order-notional: {level: refuse, most: 500, lock: true}\n")
        self.policy(firm, "firm.yaml")
        below = "error: a layer below has locked rules (firm.yaml:6:52):"
        why = ("must stay as the policy with the lock sets it: if {0} are too old, closes of more than is held are "
               "accepted")
        self.assertEqual(self.over("max_age: {positions: 9s, orders: 1ms, account: 1s}\n"),
                         [f"3:22: {below} 'positions' " + why.format("positions"),
                          f"3:34: {below} 'orders' " + why.format("orders")])
        self.assertEqual(self.over("max_age: {positions: 10s, orders: 10s, account: 1s}\n"), [])
        self.policy("rules:\n  trading: {level: refuse, lock: true}\n", "house.yaml", extends="[firm.yaml]")
        found = self.faults(self.policy("max_age: {positions: 9s}\n", "desk.yaml", extends="[house.yaml]"))
        self.assertEqual([why.format("positions") in line for line in found], [True])
        # the same for a locked custom rule; and not if the ages are those of a policy that is extended
        self.policy(firm.replace("rules:", "custom:").replace(
            "  order-notional: {level: refuse, most: 500, lock: true}",
            "  - {id: own, require: '!order.opens || order.orderQuantity < 9', lock: true}"), "firm.yaml")
        self.assertEqual(len(self.over("max_age: {positions: 9s}\n")), 1)
        self.policy("unsure: refuse\nrules:\n  order-notional: {level: refuse, most: 500, lock: true}\n", "firm.yaml",
                    extends="[live]")
        self.assertEqual(self.over("max_age: {positions: 9s}\n"), [])

    def test_a_close_is_believed_where_a_layer_finds_positions_too_old(self):
        """If a layer finds positions too old, a close counts as one that only reduces, as in the base without
        positions, and close-position reports it. An order that may open is refused."""
        firm = self.policy("unsure: refuse\nrules:\n  close-position: refuse\n"
                           "  order-notional: {level: refuse, most: 500, lock: true}\n", "firm.yaml")
        desk = self.policy("max_age: {positions: 1h}\n", "desk.yaml", extends="[firm.yaml]")
        held = {"positions": [{"symbol": "AAPL", "securityType": "Stock", "side": "Long", "shares": 10}]
                + [{"symbol": "AAPL", "tradedSymbol": f"AAPL260220C00{strike}000", "securityType": "Option",
                    "side": side, "shares": 1} for strike, side in ((150, "Long"), (155, "Short"))], "orders": []}
        over = {"notional-above-limit"}
        legs = [{"symbol": f"AAPL260220C00{strike}000", "side": side, "ratio": 1, "openClose": "Close"}
                for strike, side in ((150, "Sell"), (155, "Buy"))]
        spread = {"securityType": "Mleg", "side": None, "openClose": None, "limitPrice": 5, "orderQuantity": 2,
                  "legs": legs}
        option = {"securityType": "Option", "symbol": legs[0]["symbol"], "limitPrice": 5, "orderQuantity": 2}
        for more in ({"orderQuantity": 100}, option, spread):
            close = order(**{"side": "Sell", "openClose": "Close", **more})
            for policy, facts, refused, unsure in ((firm, held, True, False), (firm, {"orders": []}, False, True),
                                                   (desk, held, False, True),
                                                   (desk, {**held, "asOf": NOON}, True, False)):
                with self.subTest(close, policy=policy, facts=facts):
                    found = self.decide(policy, close, facts=facts)[0]["findings"]
                    self.assertEqual(over <= {f["reason"] for f in found if f["level"] == "refuse"}, refused, found)
                    self.assertEqual(any(f["rule"] == "close-position" and f.get("unsure") and f["level"] == "warn"
                                         for f in found), unsure, found)
            opening = order(**{**more, "openClose": None if "legs" in more else "Open",
                               "side": None if "legs" in more else "Sell",
                               **({"legs": [{**leg, "openClose": "Open"} for leg in legs]} if "legs" in more else {})})
            for policy in (firm, desk):
                found = self.decide(policy, opening, facts=held)[0]["findings"]
                self.assertIn("refuse", [f["level"] for f in found if f["rule"] == "order-notional"], opening)

    def test_the_environment_that_a_locked_rule_compares_with(self):
        self.policy("environment: paper\nrules:\n  account: {level: refuse, lock: true}\n", "firm.yaml")
        self.assertEqual(self.over("environment: live\n"),
                         ["3:14: error: rule 'account' is locked (firm.yaml:5:34): the environment it compares with "
                          "cannot be changed"])
        self.assertEqual(self.over("environment: paper\n"), [])

    def test_what_is_not_locked_is_free(self):
        p = self.tightens("rules:\n  order-quantity-limit: {level: refuse, shares: 1000000}\n  route: off\n")
        self.assertIn("  route:\n    level: off\n", self.show(p))

    def test_no_limit_is_no_tighter_one(self):
        self.policy("rules: {locate-accept: {level: refuse, most: 20, lock: true}}\n", "firm.yaml")
        self.assertEqual(len(self.over("rules: {locate-accept: {most: 0}}\n")), 1)
        self.assertEqual(len(self.over("rules: {locate-accept: {most: 21}}\n")), 1)
        self.assertEqual(self.over("rules: {locate-accept: {most: 19}}\n"), [])
        self.policy("rules: {locate-accept: {level: refuse, most: 0, lock: true}}\n", "firm.yaml")
        self.assertEqual(self.over("rules: {locate-accept: {most: 19}}\n"), [])

    def test_items_that_are_no_overrides(self):
        """Items that are not overrides, over a locked rule and over one with overrides below it, are an error in every
        command, and lint continues."""
        self.firm()
        for items in ("\n      -", "\n      - ~", "\n      - x", " [~]", " [[], {match: {symbol: SPY}, most: 1}]",
                      "\n      - match: {symbol: SPY}\n        most: 1\n      -", " [{match: {symbol: A}, most: 1}, 7]",
                      " ~", " x", " {}"):
            with self.subTest(items):
                p = self.policy(f"rules:\n  order-notional:\n    overrides:{items}\n", "desk.yaml",
                                extends="[firm.yaml]")
                for command in (["policy", "show"], ["policy", "digest"], ["lint"], ["policy", "diff", "firm.yaml"]):
                    done = self.gate(*command, p)
                    self.assertIn(done.returncode, (1, 3), (command, done.stderr))
                    self.assertIn(b"[wrong-type]", done.stdout + done.stderr)
                done = self.gate("check", "-p", p, input=order().encode())
                self.assertEqual(done.returncode, 3, done.stderr)

    def test_an_override_that_loosens_one_of_a_layer_between(self):
        self.firm()
        self.policy("rules:\n  order-notional:\n    overrides:\n      - when: order.side == \"Buy\"\n", "middle.yaml",
                    extends="[firm.yaml]")
        for item in ("- mode: shadow\n        when: order.side == \"Buy\"",
                     "- match: {symbol: SPY}\n        most: 400000",
                     "- until: 2099-01-01T00:00:00Z", "- match: {symbol: SPY}"):
            p = self.policy(f"rules:\n  order-notional:\n    overrides:\n      {item}\n", "desk.yaml",
                            extends="[middle.yaml]")
            done = self.gate("lint", p)
            self.assertIn(done.returncode, (0, 1), (item, done.stderr))

    def test_show_keeps_the_lock(self):
        again = self.shows_as_itself(self.tightens("rules:\n  order-notional: {most: 450}\n"))
        self.assertEqual(self.show(again).count("    lock: true\n"), 3)
        p = self.policy("rules:\n  order-notional: {most: 451}\n", "more.yaml", extends=f"[{again}]")
        self.assertEqual(len(self.faults(p)), 1)

    # settings that other rules use: the slippage of an order-notional that is not locked itself
    SLIPS = "rules:\n  order-notional: {level: refuse, most: 200000, slippage: 20%%%s}\n"
    LOCKS = {"exposure": "  exposure: {level: refuse, gross: 20500, lock: true}\n",
             "concentration": "  concentration: {level: refuse, most: 10%, lock: true}\n",
             "own": "custom:\n  - {id: dear, require: order.notional <= 20500, lock: true}\n"}
    LOOSER = "'slippage' may only become higher: it is 20% (firm.yaml:4:59), here 0%"

    def slips(self, lock, text, more=""):
        self.policy(self.SLIPS % more + lock, "firm.yaml")
        return self.over(text)

    def test_what_locked_limits_count_by_is_in_another_rule(self):
        for name, lock in self.LOCKS.items():
            for said, place in (("{slippage: 0%}", "4:30"),
                                ("{slippage: 0%, level: off}", "4:30"),
                                ("{level: off, overrides: [{match: {symbol: AAPL}, slippage: 0%}]}", "4:78"),
                                ("{overrides: [{when: 'order.orderQuantity > 5', slippage: 0%}]}", "4:76")):
                with self.subTest(lock=name, said=said):
                    found = self.slips(lock, f"rules:\n  order-notional: {said}\n")
                    self.assertEqual(len(found), 1, found)
                    self.assertRegex(found[0], "^" + place + r": error: a layer below has locked rules \(firm.yaml:"
                                     r"[56]:\d+\): their limits use settings of rule 'order-notional', and ")
                    self.assertTrue(found[0].endswith(self.LOOSER), found)
        self.assertEqual(self.slips("", "rules:\n  order-notional: {slippage: 0%}\n"), [])

    def test_overrides_that_locked_limits_count_by(self):
        more = ", overrides: [{match: {symbol: AAPL}, slippage: 50%}]"
        lock = self.LOCKS["exposure"]
        found = self.slips(lock, "rules:\n  order-notional: {overrides: []}\n", more)
        self.assertEqual(len(found), 1, found)
        self.assertIn("an override of it (firm.yaml:4:", found[0])
        found = self.slips(lock, "rules:\n  order-notional: {overrides: [{match: {side: Buy}, slippage: 30%}]}\n", more)
        self.assertEqual(len(found), 1, found)
        self.assertIn("it is 50% (firm.yaml:4:", found[0])
        for said in ("{slippage: 25%}", "{overrides: [{match: {symbol: AAPL}, slippage: 60%}]}", "{level: off}",
                     "{overrides: [{match: {symbol: SPY}, slippage: 21%}]}", "{most: 300000, level: warn}"):
            with self.subTest(said):
                self.assertEqual(self.slips(lock, f"rules:\n  order-notional: {said}\n", more), [])
        # overrides that do not set slippage remain the user's
        self.assertEqual(self.slips(lock, "rules:\n  order-notional: {overrides: []}\n",
                                    ", overrides: [{match: {symbol: AAPL}, most: 7}]"), [])

    def test_what_a_rule_that_is_off_counts_by(self):
        """An order-notional that is off still determines the price at which market orders count; if it is locked while
        off, that is locked too."""
        facts = {"quotes": {"AAPL": {"bid": 190.00, "ask": 190.02, "last": 190.01, "at": NOON}},
                 "account": {"equity": 1000000, "at": NOON}, "positions": [], "orders": []}
        at_market = order(orderType="Market", limitPrice=None, orderQuantity=100)
        for said in ("{level: off}", "{most: 300000, mode: shadow}"):
            self.assertEqual(self.slips(self.LOCKS["own"], f"rules:\n  order-notional: {said}\n"), [])
            found = self.reasons("desk.yaml", at_market, facts=facts)
            self.assertIn(("dear", "refuse"), found)
        self.policy("rules:\n  order-notional: {level: off, most: 1, slippage: 20%, lock: true}\n", "firm.yaml")
        found = self.over("rules:\n  order-notional: {slippage: 0%}\n")
        self.assertEqual(len(found), 1, found)
        self.assertIn("rule 'order-notional' is locked (firm.yaml:4:", found[0])


if __name__ == "__main__":
    unittest.main()
