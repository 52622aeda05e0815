"""ordergate check --margin: what each order takes of buying power, before it counts for the orders after it.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
AT = "2026-01-15T15:00:00Z"
FACTS = {"asOf": AT, "accountId": "L1",
         "account": {"account": "L1", "accountStatus": "Active", "accountType": "Live", "bp": 5000, "overnightBp": 4000,
                     "optLevel": 4, "optionTradingLevel": 4},
         "positions": [], "orders": [], "usedClientOrderIds": [], "borrow": {"AAPL": True},
         "routes": [{"routeName": "SMART", "securityTypes": ["Stock"], "timesInForce": ["Day"]},
                    {"routeName": "SMARTO", "securityTypes": ["Option"], "timesInForce": ["Day"]},
                    {"routeName": "SMARTM", "securityTypes": ["MLEG"], "timesInForce": ["Day"]}],
         "quotes": {"XYZ": {"last": 128.5}}}


def stock(**changes):
    return {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
            "orderQuantity": 100, "timeInForce": "Day", "limitPrice": 10, "clientOrderId": "a1", "route": "SMART",
            **changes}


def call(**changes):
    return stock(securityType="Option", symbol="XYZ261218C00120000", side="Sell", limitPrice=8.4, orderQuantity=1,
                 clientOrderId="a2", route="SMARTO", **changes)


def spread():
    legs = [{"symbol": "XYZ261218C00%d000" % k, "side": side, "ratio": 1, "openClose": "Open"}
            for k, side in ((125, "Buy"), (120, "Sell"))]
    o = stock(securityType="Mleg", symbol="XYZ", legs=legs, limitPrice=4.6, orderQuantity=2, clientOrderId="a3",
              route="SMARTM")
    return {k: v for k, v in o.items() if k not in ("side", "openClose")}


class Margin(unittest.TestCase):
    def margins(self, *orders, facts=FACTS, args=("--margin",)):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "facts.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(facts, f)
            p = subprocess.run([GATE, "check", "--at", AT, "-f", path, *args], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE,
                               input="".join((o if isinstance(o, str) else json.dumps(o)) + "\n"
                                             for o in orders).encode(),
                               timeout=600)
        self.assertEqual(p.stderr, b"")
        return [json.loads(line).get("margin") for line in p.stdout.splitlines()]

    def test_each_order_is_told_what_it_takes_and_what_those_before_left(self):
        self.assertEqual(self.margins(stock(), call(), spread()), [
            {"required": 1000, "available": 5000, "model": "notional", "gross": 1000, "proceeds": 0, "overnight": 4000,
             "initial": 500, "maintenance": 250},
            {"required": 2570, "available": 4000, "model": "strategy", "gross": 3410, "proceeds": 840,
             "overnight": 3000},
            {"required": 80, "available": 1430, "model": "strategy", "gross": 1000, "proceeds": 920, "overnight": 430}])

    def test_independent_orders_leave_everything(self):
        self.assertEqual([m["available"] for m in self.margins(stock(), call(), args=("--margin", "--independent"))],
                         [5000, 5000])

    def test_shares_have_the_margin_of_regulation_t_beside_it(self):
        legs = [{"symbol": "XYZ", "side": "Buy", "ratio": 100, "openClose": "Open"},
                {"symbol": "XYZ261218P00095000", "side": "Buy", "ratio": 1, "openClose": "Open"}]
        married = {**spread(), "legs": legs, "limitPrice": 104.5, "orderQuantity": 1}
        m = self.margins(married, stock(side="Sell", limitPrice=60), args=("--margin", "--independent"),
                         facts={**FACTS, "quotes": {"XYZ": {"last": 103.5}}})
        self.assertEqual([(x["required"], x["initial"], x["maintenance"]) for x in m],
                         [(10450, 5175, 1800), (6000, 9000, 7800)])

    def test_orders_in_flight_and_unknown_are_not_in_bp_yet_and_those_listed_are(self):
        def available(gate, **facts):
            return [m["available"] for m in self.margins(stock(orderQuantity=1),
                                                         facts={**FACTS, "gate": gate, **facts})]

        flown = stock(clientOrderId="f", orderQuantity=300)
        listed = [{**flown, "orderStatus": "New", "leavesQuantity": 300}]
        self.assertEqual(available({"inFlight": [flown]}), [2000])
        self.assertEqual(available({"unknown": [flown], "inFlight": [spread()]}), [1920])
        self.assertEqual(available({"inFlight": [stock(clientOrderId="f", side="Sell", openClose="Close")]}), [5000])
        self.assertEqual(available({"inFlight": [flown]}, orders=listed), [5000])

    def test_a_document_of_orders_alone_ends_what_was_in_flight(self):
        flown = stock(clientOrderId="f", orderQuantity=300)
        news = {"op": "facts", "asOf": AT, "orders": [{**flown, "orderStatus": "New", "leavesQuantity": 300}]}
        self.assertEqual([m["available"] for m in self.margins(stock(orderQuantity=1), news, stock(clientOrderId="b"),
                                                               facts={**FACTS, "gate": {"inFlight": [flown]}})],
                         [2000, 4990])

    def test_what_only_reduces_takes_nothing(self):
        m = self.margins(stock(side="Sell", openClose="Close"))[0]
        self.assertEqual((m["required"], m["model"]), (0, "closing"))

    def test_it_says_why_it_does_not_know(self):
        m = self.margins(call(), facts={**FACTS, "quotes": {}})[0]
        self.assertEqual((m["required"], m["model"], m["why"], m["needs"]), (None, None, "it needs a quote", "XYZ"))
        m = self.margins("{oh")[0]
        self.assertEqual((m["required"], m["why"]), (None, "the order is not well formed"))

    def test_a_bound_is_said_to_be_one(self):
        facts = {k: v for k, v in FACTS.items() if k != "positions"}
        self.assertEqual([m.get("bound") for m in self.margins(stock(), spread(), facts=facts)], [None, True])

    def test_without_the_option_nothing_is_said(self):
        self.assertEqual(self.margins(stock(), args=()), [None])


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
