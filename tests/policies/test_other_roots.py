#!/usr/bin/env python3
"""Contracts of adjusted (AAPL1) and flexible (2AAPL) roots, and of roots spelled like a ticker (BRK.B), need the shares
and the limits of the stock that they are on."""
import copy
import json
import os
import unittest

import policy_case
import test_shipped

with open(os.path.join(test_shipped.POLICIES, "calm-facts.json"), encoding="utf-8") as f:
    FACTS = json.load(f)
FACTS.update(asOf=policy_case.NOON, accountId="DESK1", orders=[])
FACTS["account"].update(bp=4000000, overnightBp=4000000, availableCash=4000000, equity=4000000, sodEquity=4000000)
FACTS["gate"]["recent"] = []
ROOTS = {"AAPL": ("AAPL", ("AAPL1", "AAPL7", "2AAPL", "1AAPL1")), "BRK.B": ("BRKB", ("BRKB1", "2BRKB", "BRK.B"))}
NONE = "ordergate: 1\nextends: [live]\nrules: {uncovered-options: {level: refuse, allow: none}}\n"
AT_MOST = "ordergate: 1\nextends: [live]\nrules: {concentration: {level: refuse, most: 1%}}\n"
UNCOVERED = "option-uncovered"


def call(root, strike=200):
    return f"{root}260220C{strike * 1000:08d}"


def held(symbol, traded, side, size):
    return {"symbol": symbol, "tradedSymbol": traded, "side": side, "shares": size, "priceAvg": 2,
            "dayOvernight": "Overnight", "securityType": "Option" if traded != symbol else "Stock"}


def working(symbol):
    return {"clientOrderId": "w-1", "orderId": "w-1", "accountId": "DESK1", "symbol": symbol, "securityType": "Option",
            "side": "Sell", "openClose": "Open", "orderType": "Limit", "limitPrice": 2.5, "orderQuantity": 1,
            "leavesQuantity": 1, "filledQuantity": 0, "orderStatus": "New", "timeInForce": "Day", "route": "SMARTO"}


def sale(symbol, quantity=1, effect="Open"):
    option = len(symbol) > 15
    return policy_case.order(symbol=symbol, side="Sell", openClose=effect, orderQuantity=quantity, clientOrderId="o-1",
                             limitPrice=2 if option else 190, securityType="Option" if option else "Stock",
                             route="SMARTO" if option else "SMART")


class OtherRoots(policy_case.PolicyCase):
    def setUp(self):
        super().setUp()
        self.policies = [os.path.join(test_shipped.POLICIES, name) for name in ("cautious.yaml", "options-income.yaml")]
        self.policies.append(self.file("none.yaml", NONE))

    def states(self, stock, other, shares=100):
        """Facts in which one call of the other root is written, and the shares of one call are held."""
        facts = copy.deepcopy(FACTS)
        facts["positions"] = [held(stock, stock, "Long", shares)]
        facts["quotes"] = {s: {"bid": 190 if s == stock else 2, "ask": 190.02 if s == stock else 2.02,
                               "last": 190 if s == stock else 2, "asOf": policy_case.NOON}
                           for s in [stock] + [call(root) for root in ROOTS[stock][1] + (ROOTS[stock][0],)]}
        at_work = copy.deepcopy(facts)
        at_work["orders"] = [working(call(other))]
        facts["positions"].append(held(stock, call(other), "Short", 1))
        return {"held": facts, "working": at_work}

    def each(self):
        for stock, (root, others) in ROOTS.items():
            for other in others:
                yield stock, root, other

    def uncovered(self, policy, line, facts):
        return (UNCOVERED, "refuse") in self.reasons(policy, [line], facts=facts)

    def test_a_call_on_shares_that_another_root_needs(self):
        for stock, root, other in self.each():
            for state, facts in self.states(stock, other).items():
                for policy in self.policies:
                    with self.subTest(other=other, state=state, policy=os.path.basename(policy)):
                        self.assertTrue(self.uncovered(policy, sale(call(root)), facts))

    def test_the_shares_that_another_root_needs_are_sold(self):
        for stock, _root, other in self.each():
            for state, facts in self.states(stock, other).items():
                for policy in self.policies:
                    with self.subTest(other=other, state=state, policy=os.path.basename(policy)):
                        self.assertTrue(self.uncovered(policy, sale(stock, 100, "Close"), facts))

    def test_what_an_adjusted_contract_needs_is_not_known(self):
        """With shares for both an ordinary root would be covered; an adjusted contract may need more than 100."""
        for stock, root, other in self.each():
            for state, facts in self.states(stock, other, 200).items():
                for policy in self.policies:
                    with self.subTest(other=other, state=state, policy=os.path.basename(policy)):
                        self.assertEqual(self.uncovered(policy, sale(call(root)), facts), other != "BRK.B")

    def test_shares_that_no_call_needs_can_be_sold(self):
        for stock, _root, other in self.each():
            for state, facts in self.states(stock, other, 300).items():
                for policy in self.policies:
                    with self.subTest(other=other, state=state, policy=os.path.basename(policy)):
                        self.assertFalse(self.uncovered(policy, sale(stock, 100, "Close"), facts))

    def test_the_way_out_is_open(self):
        for stock, _root, other in self.each():
            facts = self.states(stock, other)["held"]
            back = json.loads(sale(call(other), 1, "Close"))
            back["side"] = "Buy"
            for policy in self.policies:
                with self.subTest(other=other, policy=os.path.basename(policy)):
                    self.assertFalse(self.uncovered(policy, json.dumps(back), facts))

    def test_buying_power_counts_them(self):
        """The call is not covered, so it costs more than one whose shares are free."""
        for stock, root, other in self.each():
            for state, facts in self.states(stock, other).items():
                free = copy.deepcopy(facts)
                free["positions"], free["orders"] = free["positions"][:1], []
                free["account"].update(bp=1000, overnightBp=1000)
                facts["account"].update(bp=1000, overnightBp=1000)
                with self.subTest(other=other, state=state):
                    self.assertNotIn(("buying-power-exceeded", "refuse"),
                                     self.reasons(self.policies[2], [sale(call(root))], facts=free))
                    self.assertIn(("buying-power-exceeded", "refuse"),
                                  self.reasons(self.policies[2], [sale(call(root))], facts=facts))

    def test_buying_power_of_the_shares_that_they_need(self):
        """A call that is far in the money, and covered no more, needs more than its shares bring."""
        for stock, (root, others) in ROOTS.items():
            for name in others + (root,):
                for shares, exceeds in ((100, True), (200, False)):
                    for state, facts in self.states(stock, name, shares).items():
                        facts["quotes"].update({call(name): {"bid": 185, "ask": 185.02, "last": 185,
                                                             "asOf": policy_case.NOON}})
                        facts["account"].update(bp=1000, overnightBp=1000)
                        text = json.dumps(facts).replace(call(name), call(name, 5))
                        with self.subTest(root=name, state=state, shares=shares):
                            found = self.reasons(self.policies[2], [sale(stock, 100, "Close")], facts=json.loads(text))
                            self.assertEqual(("buying-power-exceeded", "refuse") in found, exceeds)

    def test_a_spread_closes_shares_that_they_need(self):
        """While no contract of the stock's own root is held."""
        for stock, root, other in self.each():
            facts = self.states(stock, other)["held"]
            legs = [{"symbol": stock, "side": "Sell", "ratio": 100, "openClose": "Close"},
                    {"symbol": call(root), "side": "Buy", "ratio": 1, "openClose": "Close"}]
            for order in (legs, legs[::-1]):
                line = policy_case.order(symbol=stock, side=None, openClose=None, orderQuantity=1, limitPrice=180,
                                         securityType="Mleg", route="SMARTM", legs=order)
                with self.subTest(other=other, first=order[0]["side"]):
                    self.assertTrue(self.uncovered(self.policies[2], line, facts))

    def test_a_spread_without_its_legs_may_have_any_of_them(self):
        policy = self.file("position.yaml", "ordergate: 1\nrules: {position-limit: {level: refuse, contracts: 10,"
                                            " unsure: refuse}}\n")
        for stock, name in [(s, n) for s, (root, others) in ROOTS.items() for n in others + (root,) if n != s] + \
                           [("SPX", "2SPX"), ("SPX", "1SPXW"), ("SPX", "SPXW")]:
            facts = self.states("AAPL", "AAPL1")["held"]
            facts["positions"] = []
            spread = working(stock)
            spread.update(securityType="MLEG", side="Unknown", openClose="Unknown", legs=None)
            for orders in ([], [spread]):
                facts["orders"] = orders
                with self.subTest(name=name, told=len(orders)):
                    found = self.reasons(policy, [sale(call(name))], facts=facts)
                    self.assertEqual(("position-above-limit", "refuse") in found, bool(orders))

    def test_limits_of_the_stock_count_them(self):
        at_most = self.file("at-most.yaml", AT_MOST)
        for stock, _root, other in self.each():
            facts = self.states(stock, other)["held"]
            facts["positions"][0]["shares"] = 1
            facts["positions"][1].update(side="Long", shares=300)
            buy = json.loads(sale(stock, 10))
            buy["side"] = "Buy"
            with self.subTest(other=other):
                found = self.reasons(at_most, [json.dumps(buy)], facts=facts)
                self.assertIn(("concentration-above-limit", "refuse"), found)

    def test_an_order_of_another_root_counts_every_root_of_its_underlying(self):
        """Also while no contract of such a root is held."""
        at_most = self.file("at-most.yaml", AT_MOST)
        for other, root in (("2SPX", "SPXW"), ("1SPXW", "SPXW"), ("BRKB1", "BRKB"), ("2BRKB", "BRKB"),
                            ("2SPX", "SPX"), ("AAPL1", "AAPL")):
            facts = self.states("AAPL", "AAPL1")["held"]
            facts["positions"] = [held(root, call(root), "Long", 300)]
            facts["quotes"][call(other)] = facts["quotes"][call(root)] = facts["quotes"][call("AAPL")]
            buy = json.loads(sale(call(other)))
            buy["side"] = "Buy"
            with self.subTest(other=other, root=root):
                found = self.reasons(at_most, [json.dumps(buy)], facts=facts)
                self.assertIn(("concentration-above-limit", "refuse"), found)


if __name__ == "__main__":
    unittest.main()
