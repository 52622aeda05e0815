#!/usr/bin/env python3
"""The table in ordergate-policy(5) of what live and cautious decide: each of its rows agrees with the decision on an
order here, and each order here has its row."""
import copy
import os
import re
import unittest

import test_decisions

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.join(TOP, "tools", "ordergate-policy.5")
CALL = "AAPL260220C00190000"
BASE = copy.deepcopy(test_decisions.FACTS)
BASE["account"].update(bp=10000000, overnightBp=10000000, availableCash=5000000, equity=5000000, sodEquity=5000000)
BASE.update(averageVolume={"AAPL": 50000000, "F": 50000000}, borrow={"AAPL": True, "GME": False},
            gate={"ordersLastSecond": 0, "ordersLastMinute": 0, "ordersToday": 0, "rejectionsInARow": 0,
                  "trading": "on", "recent": []},
            routes=[{"routeName": "SMART", "securityTypes": ["Stock"], "timesInForce": ["Day"]},
                    {"routeName": "SMARTO", "securityTypes": ["Option"], "timesInForce": ["Day"]},
                    {"routeName": "SMARTM", "securityTypes": ["MLEG"], "timesInForce": ["Day"]}])
BASE["quotes"].update(F={"bid": 12.00, "ask": 12.01, "last": 12.00}, GME={"bid": 29.90, "ask": 30.00, "last": 30.00})
REFUSE, WARN, PASS = "refuse", "warn", "pass"
NO_QUOTES = {"quotes": {}}


def held(symbol="AAPL", shares=100, side="Long"):
    return {"symbol": symbol, "side": side, "shares": shares, "priceAvg": 100, "dayOvernight": "Day"}


def works(**changes):
    return {"clientOrderId": "w", "symbol": "AAPL", "tradedSymbol": "AAPL", "securityType": "Stock", "side": "Sell",
            "openClose": "Close", "orderType": "Limit", "orderQuantity": 100, "leavesQuantity": 100, "executed": 0,
            "limitPrice": 195, "orderStatus": "New", "timeInForce": "Day", **changes}


def gate(**changes):
    return {"gate": {**BASE["gate"], **changes}}


def covered(open_close, stock, call):
    return [{"symbol": "AAPL", "side": stock, "ratio": 100, "openClose": open_close},
            {"symbol": CALL, "side": call, "ratio": 1, "openClose": open_close}]


def closing(**changes):
    return {"side": "Sell", "openClose": "Close", "orderQuantity": 100, **changes}


# the first words of a row: its orders and facts, as changes of a valid order
HOLDS = {"positions": [held()]}
HOLDS_CALL = {"positions": [{**held(CALL, 1), "tradedSymbol": CALL, "securityType": "Option"}]}
CALL_ORDER = {"securityType": "Option", "symbol": CALL, "orderQuantity": 1, "route": "SMARTO"}
HIGHER = "AAPL260220C00195000"
SPREAD = {"securityType": "Mleg", "side": None, "openClose": None, "orderQuantity": 1, "limitPrice": 2,
          "route": "SMARTM", "legs": [{"symbol": CALL, "side": "Buy", "ratio": 1, "openClose": "Open"},
                                      {"symbol": HIGHER, "side": "Sell", "ratio": 1, "openClose": "Open"}]}
HOLDS_COVERED = {"positions": [held(), {**held(CALL, 1, "Short"), "tradedSymbol": CALL, "securityType": "Option"}]}
COVERED = {"securityType": "Mleg", "side": None, "openClose": None, "orderQuantity": 1, "route": "SMARTM"}
RESTRICTED = {"account": {**BASE["account"], "accountStatus": "Restricted"}}
EXAMPLES = {
    "a sound order": [({}, {}), (closing(), {**HOLDS, "pnl": None}),
                      (closing(), {**HOLDS, "ages": {"pnl": "2026-01-15T14:59:00Z"}})],
    "what the service rejects or answers with 400": [
        ({"limitPrice": 190.505}, {}), ({"orderQuantity": 0}, {}), ({"orderType": "Market", "limitPrice": None, "at":
                                                                     "2026-01-15T22:00:00Z"}, {}),
        ({"symbol": "GME", "side": "Sell", "limitPrice": 30}, {})],
    "an opening order, with an account, orders or positions that are not known or too old": [
        ({}, {"account": None}), ({}, {"ages": {"account": "2026-01-15T14:59:00Z"}}),
        ({}, {"ages": {"orders": "2026-01-15T14:59:00Z"}}), ({}, {"positions": None}),
        ({}, {"ages": {"positions": "2026-01-08T14:59:59Z"}}), (CALL_ORDER, {"positions": None}),
        ({**CALL_ORDER, "openClose": None}, {"orders": None}), (SPREAD, {"positions": None}),
        (SPREAD, {"orders": None})],
    "an opening order, in an account that is short of margin (marginDeficit, maintenanceDeficit)": [
        ({}, {"account": {**BASE["account"], "marginDeficit": 5000}}),
        ({}, {"account": {**BASE["account"], "maintenanceDeficit": 0.01}})],
    "an opening order, with a profit and loss of today that is not known or too old": [
        ({}, {"pnl": None}), ({}, {"ages": {"pnl": "2026-01-15T14:59:00Z"}})],
    "an order that closes, whatever is not known": [
        (closing(), {"account": None, "positions": None, "orders": None, **NO_QUOTES}),
        (closing(), {**HOLDS, "ages": {"account": "2026-01-15T14:00:00Z", "quotes": "2026-01-15T14:00:00Z"}})],
    "a close of more than is held, less what closes already": [
        (closing(orderQuantity=101), HOLDS), (closing(), {**HOLDS, "orders": [works()]}), (closing(), {})],
    "an order whose price only a quote bounds, without a fresh one": [
        ({"side": "Sell"}, NO_QUOTES), ({"orderType": "Market", "limitPrice": None}, NO_QUOTES),
        ({"orderType": "Stop", "limitPrice": None, "stopPrice": 200}, NO_QUOTES)],
    "a buy limit that is compared with no quote": [({}, NO_QUOTES)],
    "a stop that closes, without quotes": [
        (closing(orderType="Stop", limitPrice=None, stopPrice=180), {**HOLDS, **NO_QUOTES})],
    "a limit on a stock more than 10% through the market": [({"limitPrice": 211.5}, {})],
    "a limit on a stock more than 5% through the market": [({"limitPrice": 202}, {})],
    "a limit on an option or spread more than 80% through the market": [
        ({**CALL_ORDER, "limitPrice": 9.19}, {}), ({**CALL_ORDER, "limitPrice": 51}, {}),
        ({**CALL_ORDER, "side": "Sell", "openClose": "Close", "limitPrice": 0.51}, HOLDS_CALL)],
    "a limit on a spread with a leg of stock more than 10% through its legs' market": [
        ({**COVERED, "limitPrice": 160, "legs": covered("Close", "Sell", "Buy")}, HOLDS_COVERED)],
    "a limit more than 50% through a doubtful quote, of an order that closes too": [
        ({"limitPrice": 300}, {"ages": {"quotes": "2026-01-15T14:55:00Z"}}),
        ({"limitPrice": 300}, {"ages": {"quotes": "2026-01-15T15:01:00Z"}}),
        ({"limitPrice": 300}, {"quotes": {"AAPL": {"bid": 190.03, "ask": 190.02}}}),
        (closing(limitPrice=19), {**HOLDS, "ages": {"quotes": "2026-01-15T14:55:00Z"}})],
    "a spread that opens at a limit at which it cannot gain": [
        ({**COVERED, "limitPrice": 190, "legs": covered("Open", "Buy", "Sell")}, {})],
    "a market order, or a stop without a limit, that opens where the ask is far above the bid, by 50% of their middle "
    "(cautious 30%)": [
        ({"orderType": "Market", "limitPrice": None, "orderQuantity": 1},
         {"quotes": {"AAPL": {"bid": 100, "ask": 190}}})],
    "a stop more than 85% from the market, by a quote of the last hour": [
        (closing(orderType="Stop", limitPrice=None, stopPrice=18), HOLDS),
        ({"orderType": "StopLimit", "stopPrice": 1900, "limitPrice": 1901, "orderQuantity": 1}, {}),
        (closing(orderType="Stop", limitPrice=None, stopPrice=18),
         {**HOLDS, "ages": {"quotes": "2026-01-15T14:55:00Z"}})],
    "a market order on a holiday": [({"orderType": "Market", "limitPrice": None, "at": "2026-01-19T15:00:00Z"},
                                     {"asOf": "2026-01-19T14:59:59Z"})],
    "a market order within 5 seconds of the bell": [
        ({"orderType": "Market", "limitPrice": None, "at": "2026-01-15T20:59:55.5Z"},
         {"asOf": "2026-01-15T20:59:55Z"})],
    "a symbol with small letters": [({"symbol": "aapl"}, {}), (closing(symbol="aapl"), {"positions": [held("aapl")]})],
    "an opening of stock spelled otherwise than it is held, or than with a point": [
        ({"symbol": "BRKB"}, {}), ({"symbol": "BRK-B"}, {"positions": [held("BRK.B")]}),
        ({"symbol": "BRK.B"}, {"positions": [held("BRKB")]}), ({"symbol": "BAC_L"}, {}),
        ({"symbol": "NVDA."}, {}), ({"symbol": "NVDA.US"}, {"positions": [held("NVDA")]})],
    "an opening of an option after its last trade": [
        ({**CALL_ORDER, "symbol": "AAPL260115C00190000", "limitPrice": 0.05, "at": "2026-01-15T21:00:01Z"},
         {"asOf": "2026-01-15T21:00:00Z"})],
    "no clientOrderId": [({"clientOrderId": None}, {})],
    "the terms of an order that works, under another id": [
        ({"clientOrderId": "a2"}, {"orders": [works(side="Buy", openClose="Open", orderQuantity=10, leavesQuantity=10,
                                                    limitPrice=190.5)]})],
    "a key that the service does not know": [({"note": "x"}, {})],
    "an opening order of more than 1,000,000 dollars, 10,000 shares or 500 contracts": [
        ({"orderQuantity": 5300}, {}), ({"symbol": "F", "limitPrice": 12, "orderQuantity": 10001}, {}),
        ({"securityType": "Option", "symbol": CALL, "route": "SMARTO", "limitPrice": 5.1, "orderQuantity": 501}, {})],
    "an opening order of more than 100,000 dollars, 5,000 shares or 100 contracts": [
        ({"orderQuantity": 530}, {}), ({"symbol": "F", "limitPrice": 12, "orderQuantity": 5001}, {}),
        ({"securityType": "Option", "symbol": CALL, "route": "SMARTO", "limitPrice": 5.1, "orderQuantity": 101}, {})],
    "a written call that nothing covers": [
        ({"securityType": "Option", "symbol": CALL, "route": "SMARTO", "side": "Sell", "limitPrice": 5.05,
          "orderQuantity": 1}, {})],
    "a close of the shares that cover written calls": [(closing(), {"positions": [held(), held(CALL, -1, "Short")]})],
    "after a loss of 5,000 dollars today": [({}, {"pnl": {"dayPnl": -5001}})],
    "after more than 3 rejections in a row": [({}, gate(rejectionsInARow=4))],
    "after more than 10 rejections in a row": [({}, gate(rejectionsInARow=11))],
    "an opening order while trading is halted": [({}, gate(trading="halted"))],
    "an order that only closes while trading is halted": [(closing(), {**HOLDS, **gate(trading="halted")})],
    "an opening order, in an account that is not Active": [({}, RESTRICTED)],
    "an order that only closes, in an account that is not Active": [
        (closing(), {**HOLDS, **RESTRICTED}), (closing(), {**RESTRICTED, "positions": None})],
    "an order that only closes, near the bell or of the terms of one that works": [
        (closing(orderType="Market", limitPrice=None, at="2026-01-15T20:59:55.5Z"),
         {**HOLDS, "asOf": "2026-01-15T20:59:55Z"}),
        (closing(clientOrderId="a2", orderQuantity=10),
         {**HOLDS, "orders": [works(orderQuantity=10, leavesQuantity=10, limitPrice=190.5)]})],
}


def rows():
    """Returns the manual's table: the words, and what each of the two policies decides."""
    with open(PAGE, encoding="utf-8") as f:
        table = re.search(r"^\.Ss What live and cautious do\n.*?^\.Bl -column[^\n]*\n(.*?)^\.El$", f.read(),
                          re.M | re.S)
    items = [re.sub(r"\s+", " ", item).strip().split(" Ta ") for item in table.group(1).split(".It ")[2:]]
    return {what.split(": ")[0]: (live, cautious) for live, cautious, what in items}


class Table(unittest.TestCase):
    def setUp(self):
        self.tool = test_decisions.Decisions()
        self.tool.setUp()
        self.addCleanup(self.tool.doCleanups)

    def does(self, policy, changes, facts):
        order = dict(changes)
        at = order.pop("at", None)
        told = copy.deepcopy(BASE)
        for key, value in facts.items():
            told[key] = value
        told = {k: v for k, v in told.items() if v is not None}
        base = {**test_decisions.ORDER, "accountId": "LIVE0001"}
        verdict, findings, _ = self.tool.decide(policy, {**base, **order}, told, **({"at": at} if at else {}))
        return REFUSE if verdict == REFUSE else WARN if WARN in findings.values() else PASS

    def test_each_row_is_what_the_policies_do(self):
        for what, does in rows().items():
            for changes, facts in EXAMPLES[what]:
                with self.subTest(what, order=changes):
                    self.assertEqual((self.does("live", changes, facts), self.does("cautious", changes, facts)), does)

    def test_each_example_has_its_row(self):
        self.assertEqual(set(EXAMPLES) ^ set(rows()), set())


if __name__ == "__main__":
    unittest.main()
