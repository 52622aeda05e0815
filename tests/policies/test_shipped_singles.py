"""The custom rules of the shipped policies: what one refuses as a single order, it refuses as a spread and as an
option without openClose.

A rule that uses a field which spreads lack (order.action, the side) could be evaded by sending the same trade as a
spread. So each custom rule lists the orders it is tried with, or why there is nothing to try; a rule without an
entry fails. OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import re
import unittest

from test_shipped import POLICIES, gate, policies

AT = "2026-01-15T15:00:00Z"
LATE = "2026-01-15T20:45:00Z"
POOR = {"availableCash": 2000, "equity": 20000, "sodEquity": 20000}

BESIDE = {"availableCash": 20000, "equity": 20000, "sodEquity": 20000, "orders": [
    {"clientOrderId": "w1", "symbol": "KO", "securityType": "Stock", "side": "Buy", "openClose": "Open",
     "orderType": "Limit", "orderQuantity": 300, "limitPrice": 60, "leavesQuantity": 300, "orderStatus": "New"}]}


def stock(**more):
    return {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
            "orderQuantity": 10, "timeInForce": "Day", "limitPrice": 190, "clientOrderId": "t1",
            "route": "SMART", **more}


def option(symbol, side="Buy", open_close="Open", price=0.3, **more):
    order = stock(**{"securityType": "Option", "symbol": symbol, "side": side, "openClose": open_close,
                     "orderQuantity": 1, "limitPrice": price, "route": "SMARTO", **more})
    return {k: v for k, v in order.items() if v is not None}


def spread(symbol, price, *legs, **more):
    return {"securityType": "Mleg", "symbol": symbol, "orderType": "Limit", "orderQuantity": 1, "timeInForce": "Day",
            "limitPrice": price, "clientOrderId": "t1", "route": "SMARTM",
            "legs": [{"symbol": s, "side": side, "ratio": 100 if s == symbol else 1, "openClose": "Open"}
                     for s, side in legs], **more}


def calls(root, low, high, price):
    return spread(root, price, (f"{root}260220C000{low}000", "Buy"), (f"{root}260220C000{high}000", "Sell"))


def short_calls(root, low, high, price, **more):
    return spread(root, price, (f"{root}260220C000{low}000", "Sell"), (f"{root}260220C000{high}000", "Buy"), **more)


EXPIRY = "2026-02-20T20:56:00Z"
ALONE = "it is of spreads alone"
OF_STOCK = "it is of stock that is sold short, which no spread of the service opens"
# policy, with its folder, and rule: the account and the time, and orders that the rule refuses, the first a single
# order; or why there are none
TRIED = {
    ("small-account", "spread-loss-capped"): ALONE,
    ("small-account", "cash-kept"): (POOR, AT, [
        stock(orderQuantity=5), option("F260220C00013000", orderQuantity=4),
        option("F260220C00013000", open_close=None, orderQuantity=4), calls("F", 13, 14, 0.3),
        calls("F", 13, 14, 0.3) | {"side": "Sell"}, short_calls("F", 13, 14, 0.3)]),
    ("small-account", "cash-kept-beside-orders"): (BESIDE, AT, [
        stock(orderQuantity=5), option("F260220C00013000", orderQuantity=4),
        option("F260220C00013000", open_close=None, orderQuantity=4), calls("F", 13, 14, 0.3),
        calls("F", 13, 14, 0.3) | {"side": "Sell"}, short_calls("F", 13, 14, 0.3)]),
    ("small-account", "no-daily-reset-overnight"): ({}, LATE, [
        stock(symbol="TQQQ", limitPrice=80), option("TQQQ260220C00080000"),
        option("TQQQ260220C00080000", open_close=None), calls("TQQQ", 80, 81, 0.3)]),
    ("options-income", "no-bought-options"): ({}, AT, [
        option("F260220C00013000"), option("F260220C00013000", open_close=None)]),      # in a spread by the next rule
    ("options-income", "spreads-for-a-credit"): ALONE,
    ("options-income", "spread-loss-capped"): ALONE,
    ("options-income", "credit-pays-for-the-risk"): ALONE,
    ("options-income", "not-too-far-out"): ({}, AT, [
        option("F260619P00011000", "Sell"), option("F260619P00011000", "Sell", None),
        spread("F", 0.3, ("F260619P00011000", "Buy"), ("F260619P00012000", "Sell"))]),
    ("short-seller", "shorts-at-a-limit"): OF_STOCK,
    ("short-seller", "shorts-above-the-bid"): OF_STOCK,
    ("short-seller", "no-crowded-shorts"): ({}, AT, [
        stock(symbol="GME", side="Sell", limitPrice=25.5), option("GME260220C00030000", "Sell"),
        option("GME260220C00030000", "Sell", None), short_calls("GME", 30, 35, 0.5),
        short_calls("GME", 30, 35, 0.5, side="Buy", openClose="Close"),
        spread("GME", 2, ("GME260220P00020000", "Sell"), ("GME260220C00030000", "Sell"))]),
    ("short-seller", "no-shorts-into-the-close"): OF_STOCK,
    ("short-seller", "squeeze-survivable"): OF_STOCK,
    ("prop-desk/firm", "restricted-list"): ({}, AT, [
        stock(symbol="ABCD"), stock(symbol="abcd"), stock(symbol="ABCD", side="Sell", openClose="Close"),
        option("ABCD260220C00030000"), option("ABCD260220C00030000", open_close=None), calls("ABCD", 30, 35, 0.5),
        spread("AAPL", 0.5, ("ABCD260220C00030000", "Buy"), ("ABCD260220C00035000", "Sell"))]),
    ("prop-desk/momentum", "liquid-names-only"): ({}, AT, [
        stock(symbol="XYZ"), option("XYZ260220C00030000"), calls("XYZ", 30, 35, 0.5)]),
    ("prop-desk/momentum", "not-against-the-day"): ({"dayPnl": -21000}, AT, [
        stock(orderQuantity=110), option("AAPL260220C00190000", price=210), calls("AAPL", 10, 99, 210)]),
    ("prop-desk/momentum", "wide-spreads"): "it is watched, and of stock alone: the strategy trades nothing else",
    ("desk-book/firm", "restricted-list"): ({}, AT, [
        stock(symbol="ABCD"), stock(symbol="abcd"), stock(symbol="ABCD", side="Sell"), option("ABCD260220C00030000"),
        option("ABCD260220C00030000", open_close=None), calls("ABCD", 30, 35, 0.5),
        spread("AAPL", 0.5, ("ABCD260220C00030000", "Buy"), ("ABCD260220C00035000", "Sell"))]),
    ("desk-book/firm", "defined-risk"): ALONE,
    ("desk-book/firm", "spread-loss"): ALONE,
    ("desk-book/firm", "last-day-late"): ({}, EXPIRY, [
        option("F260220C00013000"), option("F260220C00013000", open_close=None), option("F260220P00011000", "Sell"),
        option("F260220P00011000", "Sell", None), calls("F", 13, 14, 0.3), short_calls("F", 13, 14, 0.3),
        spread("F", 0.3, ("F260220C00013000", "Buy"), ("F260320C00014000", "Sell"))]),
}


def facts(account):
    with open(f"{POLICIES}/calm-facts.json", encoding="utf-8") as f:
        doc = json.load(f)
    more = dict(account)
    doc["pnl"]["dayPnl"] = more.pop("dayPnl", 0)
    doc["orders"] = more.pop("orders", doc.get("orders", []))
    doc["account"].update(more)
    return doc


def findings(policy, account, at, order):
    lines = json.dumps({"op": "facts", **facts(account), "asOf": at}) + "\n" + json.dumps(order) + "\n"
    p = gate("check", "-p", policy, "--at", at, input=lines)
    decision = json.loads(p.stdout.splitlines()[-1])
    return [f for f in decision["findings"] if f["level"] == "refuse"], decision


def named():
    """The policies by folder and name: two folders have a firm.yaml, with rules of their own."""
    return {os.path.relpath(path, POLICIES).removesuffix(".yaml"): path for path in policies()}


def ids(text):
    return set(re.findall(r"^  - id: (\S+)", text.partition("\ncustom:")[2], re.M))


class Singles(unittest.TestCase):
    def test_each_own_rule_says_with_what_it_was_tried(self):
        seen = set()
        for name, path in named().items():
            with open(path, encoding="utf-8") as f:
                seen |= {(name, rule) for rule in ids(f.read())}
        self.assertEqual(seen, set(TRIED))
        for path in policies():     # in effect, those of the layers below included
            self.assertLessEqual(ids(gate("policy", "show", path).stdout), {rule for _, rule in TRIED}, path)

    def test_what_is_refused_as_a_single_is_refused_however_it_is_sent(self):
        paths = named()
        for (policy, rule), tried in TRIED.items():
            if isinstance(tried, str):
                continue
            account, at, orders = tried
            for order in orders:
                with self.subTest(policy=policy, rule=rule, order=json.dumps(order)):
                    found, decision = findings(paths[policy], account, at, order)
                    self.assertIn(rule, {f["rule"] for f in found} | {f["reason"] for f in found},
                                  json.dumps(decision["findings"], indent=1))

    def test_a_short_is_sized_at_half_as_a_spread_too(self):
        paths = named()
        for order in (stock(side="Sell", orderQuantity=140),
                      option("F260220P00011000", "Sell", price=2.6, orderQuantity=100),
                      option("F260220P00011000", "Sell", None, price=2.6, orderQuantity=100),
                      spread("SPY", 0.5, ("SPY260220P00474000", "Buy"), ("SPY260220P00480000", "Sell"),
                             orderQuantity=50)):
            found, decision = findings(paths["short-seller"], {}, AT, order)
            self.assertIn("notional-above-limit", {f["reason"] for f in found}, json.dumps(decision, indent=1))


if __name__ == "__main__":
    unittest.main()
