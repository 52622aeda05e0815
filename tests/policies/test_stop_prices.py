#!/usr/bin/env python3
"""Stops under every shipped policy: one with a slipped decimal does not pass without a finding, one that protects does,
and the limit of a stop limit is compared with its stop. A position can always be left."""
import copy
import json
import os
import unittest

import policy_case
import test_shipped

with open(os.path.join(test_shipped.POLICIES, "calm-facts.json"), encoding="utf-8") as f:
    FACTS = json.load(f)
CALL, LOW, HIGH = "F260220C00013000", "SPY260220P00475000", "SPY260220P00480000"
FACTS.update(asOf=policy_case.NOON, accountId="DESK1")
FACTS["account"].update(bp=4000000, overnightBp=4000000, availableCash=4000000, equity=4000000, sodEquity=4000000)
FACTS["gate"]["recent"] = []


def held(symbol, shares, traded=None):
    return {"symbol": symbol, "tradedSymbol": traded or symbol, "side": "Long" if shares > 0 else "Short",
            "shares": shares, "priceAvg": 3, "dayOvernight": "Overnight",
            "securityType": "Option" if traded else "Stock"}


# of SPY a credit spread is held, whose legs ask about 0.64 together
FACTS["positions"] = [held("AAPL", 100), held("GME", -100), held("F", 2, CALL), held("SPY", 2, LOW),
                      held("SPY", -2, HIGH)]
SOFT = ("default.yaml", "paper.yaml")  # of which the limits are the desk's to set


def one(order_type, stop=None, limit=None, symbol="AAPL", side="Sell", effect="Close", quantity=10):
    option = symbol == CALL
    return policy_case.order(symbol=symbol, side=side, openClose=effect, orderType=order_type, stopPrice=stop,
                             limitPrice=limit, orderQuantity=2 if option else quantity, clientOrderId="hand-1",
                             securityType="Option" if option else "Stock", route="SMARTO" if option else "SMART")


def spread(order_type, stop=None, limit=None, of=((LOW, "Sell"), (HIGH, "Buy"))):
    legs = [{"symbol": symbol, "side": side, "ratio": 1, "openClose": "Close"} for symbol, side in of]
    return policy_case.order(securityType="Mleg", symbol="SPY", side=None, openClose=None, orderType=order_type,
                             stopPrice=stop, limitPrice=limit, orderQuantity=2, clientOrderId="hand-1",
                             route="SMARTM", legs=legs)


def opening(*args, **keys):
    return one(*args, effect="Open", **keys)


SLIPPED = {
    "a sell stop that protects": one("Stop", 18.5),
    "a buy stop that protects": one("Stop", 300, symbol="GME", side="Buy"),
    "a sell stop limit": one("StopLimit", 18, 17.9), "a buy stop limit": one("StopLimit", 300, 301, "GME", "Buy"),
    "a stop limit of which only the stop slipped": one("StopLimit", 18, 178),
    "a stop limit of which only the limit slipped": one("StopLimit", 180, 1780),
    "a buy stop limit that opens": opening("StopLimit", 1950, 1951, side="Buy", quantity=1),
    "a buy stop that opens": opening("Stop", 1950, side="Buy", quantity=1),
    "an option's stop": one("Stop", 0.02, symbol=CALL), "an option's stop limit": one("StopLimit", 0.02, 0.01, CALL),
    "a spread's stop": spread("Stop", 9), "a spread's stop limit": spread("StopLimit", 9, 9.2),
    "a spread's limit that is its stop": spread("StopLimit", None, 9)}
PROTECTS = {
    "a sell stop": one("Stop", 180), "a buy stop": one("Stop", 27, symbol="GME", side="Buy"),
    "a sell stop limit": one("StopLimit", 180, 178), "far below": one("StopLimit", 100, 99),
    "a buy stop limit": one("StopLimit", 30, 30.5, "GME", "Buy"), "a far stop": one("Stop", 60),
    "an option's stop": one("Stop", 0.15, symbol=CALL), "an option's stop limit": one("StopLimit", 0.15, 0.14, CALL),
    "a spread's stop": spread("Stop", 1.2), "a spread's stop limit": spread("StopLimit", 1.2, 1.22),
    "a market order": one("Market"), "a limit": one("Limit", limit=190), "a limit above": one("Limit", limit=250)}
NO_CHASE = {
    "a sell": one("StopLimit", 180, 18.1), "a buy": one("StopLimit", 30, 300, "GME", "Buy"),
    "an option": one("StopLimit", 0.15, 0.02, CALL), "a spread": spread("StopLimit", 1.2, 8)}


class Stops(policy_case.PolicyCase):
    def each(self, orders, facts, judge):
        """Calls judge with the policy's name, the verdict, and the reasons with their levels, of each order."""
        for path in test_shipped.policies():
            name = os.path.relpath(path, test_shipped.POLICIES)
            for case, d in zip(orders, self.decide(path, list(orders.values()), facts)):
                with self.subTest(policy=name, case=case):
                    judge(name, d["verdict"], {f["reason"]: f["level"] for f in d.get("findings", [])})

    def finds(self, reason, orders, facts):
        self.each(orders, facts, lambda name, verdict, found: self.assertEqual(
            found.get(reason), "warn" if name in SOFT else "refuse", found))

    def passes(self, name, verdict, found):
        self.assertEqual(verdict, "accept", found)
        self.assertEqual({r for r in found if "away" in r}, set())

    def test_a_slipped_decimal_is_refused(self):
        self.finds("stop-away-from-market", SLIPPED, FACTS)

    def test_as_by_a_quote_of_the_last_hour(self):
        facts = copy.deepcopy(FACTS)
        facts["ages"] = {"quotes": "2026-01-15T16:30:00Z"}
        self.finds("stop-away-from-market", SLIPPED, facts)

    def test_what_protects_passes(self):
        self.each(PROTECTS, FACTS, self.passes)

    def not_away(self, name, verdict, found):
        self.assertEqual({r for r in found if "away" in r}, set())

    def without_bid(self, symbol, bid, ask, last):
        return self.by(symbol, **{k: v for k, v in (("bid", bid), ("ask", ask), ("last", last)) if v is not None})

    def by(self, symbol, **quote):
        facts = copy.deepcopy(FACTS)
        facts["quotes"][symbol] = quote
        return facts

    def test_the_way_out_stays_open_where_one_price_is_absurd(self):
        """Two of bid, ask and last trade agree; without a last trade, one of bid and ask is right."""
        for symbol, quote, orders in (
                ("AAPL", {"bid": 1900, "ask": 190, "last": 190}, {
                    "a limit": one("Limit", limit=189.5), "a stop": one("Stop", 180),
                    "a stop limit": one("StopLimit", 180, 178)}),
                ("GME", {"bid": 25, "ask": 2.5, "last": 25}, {
                    "a limit": one("Limit", limit=25.1, symbol="GME", side="Buy"),
                    "a stop": one("Stop", 27, symbol="GME", side="Buy")}),
                (CALL, {"bid": 6, "ask": 0.6, "last": 0.6}, {
                    "a limit": one("Limit", limit=0.6, symbol=CALL), "a stop": one("Stop", 0.4, symbol=CALL)}),
                (LOW, {"bid": 29, "ask": 2.94, "last": 2.92}, {"a spread": spread("Limit", limit=0.7)})):
            self.each(orders, self.by(symbol, **quote), self.passes)
            del quote["last"]
            self.each(orders, self.by(symbol, **quote), self.passes)

    def test_the_way_out_stays_open_by_one_price(self):
        for symbol, quote, orders in (
                (CALL, {"bid": 0, "ask": 1}, {"a limit": one("Limit", limit=0.3, symbol=CALL),
                                              "the lowest": one("Limit", limit=0.05, symbol=CALL)}),
                (CALL, {"ask": 1}, {"a limit": one("Limit", limit=0.3, symbol=CALL)}),
                ("GME", {"bid": 25}, {"a limit": one("Limit", limit=40, symbol="GME", side="Buy")})):
            self.each(orders, self.by(symbol, **quote), self.passes)

    def test_a_slip_is_seen_by_one_price(self):
        self.finds("limit-away-from-quote", {"a close": one("Limit", limit=0.1, symbol=CALL)},
                   self.by(CALL, bid=0, ask=1))
        self.finds("limit-away-from-quote", {"a close": one("Limit", limit=250, symbol="GME", side="Buy")},
                   self.by("GME", bid=25))
        self.finds("limit-away-from-quote", {"what opens": opening("Limit", limit=1900, side="Buy", quantity=1)},
                   self.by("AAPL", bid=190))

    def test_spreads_with_a_sold_leg_that_nobody_bids_for(self):
        """A slip is seen, and a limit at the market passes. To close LOW / HIGH costs about 0.64; the other way round,
        it brings about 0.60."""
        turned = ((LOW, "Buy"), (HIGH, "Sell"))
        for low, high in (((0, 2.94, 2.92), (0, 3.56, 3.52)), ((None, 2.94, 2.92), (None, 3.56, 3.52)),
                          ((None, None, 2.92), (None, None, 3.52)), ((None, 2.94, None), (None, 3.56, None)),
                          ((0, 2.94, None), (0, 3.56, None))):
            facts = self.without_bid(LOW, *low)
            self.each({"a close": spread("Limit", limit=0.66)}, facts, self.not_away)
            self.finds("limit-away-from-quote", {"a close": spread("Limit", limit=6.4)}, facts)
            facts = self.without_bid(HIGH, *high)
            facts["positions"][-2:] = [held("SPY", -2, LOW), held("SPY", 2, HIGH)]
            self.each({"a close": spread("Limit", limit=0.56, of=turned)}, facts, self.not_away)
            self.finds("limit-away-from-quote", {"a close": spread("Limit", limit=0.06, of=turned),
                                                 "for a cent": spread("Limit", limit=0.01, of=turned)}, facts)

    def test_spreads_with_worthless_legs_can_be_closed(self):
        for quote in ((0, 0.05, 0.03), (0, 0.05, None), (None, 0.05, 0.03), (None, None, 0.03), (0, 0.05, 1.2)):
            facts = self.without_bid(LOW, *quote)
            facts["quotes"][HIGH] = {"bid": 0.09, "ask": 0.1, "last": 0.1}
            self.each({"a vertical": spread("Limit", limit=0.1), "a nickel": spread("Limit", limit=0.15)}, facts,
                      self.not_away)
            wing, short = "SPY260220C00800000", "SPY260220C00790000"
            facts["quotes"].update({wing: facts["quotes"][LOW], short: facts["quotes"][HIGH]})
            facts["positions"] += [held("SPY", 2, wing), held("SPY", -2, short)]
            condor = ((LOW, "Sell"), (HIGH, "Buy"), (short, "Buy"), (wing, "Sell"))
            self.each({"a condor": spread("Limit", limit=0.2, of=condor)}, facts, self.not_away)
            self.finds("limit-away-from-quote", {"a condor": spread("Limit", limit=2, of=condor)}, facts)

    def test_a_buy_that_opens_by_a_bid_and_an_absurd_last_trade(self):
        facts = self.by("AAPL", bid=190, last=1900)
        self.each({"near the bid": opening("Limit", limit=195, side="Buy", quantity=1)}, facts, self.not_away)
        self.finds("limit-away-from-quote", {"near the last": opening("Limit", limit=1900, side="Buy", quantity=1)},
                   facts)

    def test_a_limit_far_beyond_its_stop_is_refused(self):
        self.finds("limit-away-from-quote", NO_CHASE, FACTS)

    def test_money_counts_the_limit_and_not_the_stop(self):
        """What a stop limit costs at most is its limit, however the collar measures it."""
        orders = {"at its limit": opening("StopLimit", 191, 195, side="Buy", quantity=512),
                  "beyond it": opening("StopLimit", 191, 195.4, side="Buy", quantity=512)}
        for case, d in zip(orders, self.decide(self.policy("rules: {order-notional: {level: refuse, most: 100000}}\n",
                                                           extends="[default]"), list(orders.values()), FACTS)):
            reasons = [f["reason"] for f in d.get("findings", []) if f["level"] == "refuse"]
            self.assertEqual(reasons, [] if case == "at its limit" else ["notional-above-limit"])


if __name__ == "__main__":
    unittest.main()
