"""Routes, the borrow check, and positions as the streams report them (group L of docs/readings.md; L7 is in
test_environments.py)."""
import unittest

from orders import is_number
from reading_case import CONTRACT, PATHS, ReadingCase

TYPES = ["Market", "Limit", "Stop", "StopLimit"]
TIMES_IN_FORCE = ("Day GoodTillCancel AtTheOpening ImmediateOrCancel FillOrKill GoodTillCrossing Day_Plus "
                  "GTC_Plus").split()


class Routes(ReadingCase):
    def routes(self, account=None):
        document = self.get("routes", account)
        self.assertEqual(list(document), ["routes"])
        return document["routes"]

    def test_L1_a_route_entry(self):
        """routeName is a text; securityTypes and timesInForce are lists of texts, with Mleg spelled MLEG."""
        for account in PATHS:
            for route in self.routes(account):
                self.assertEqual(list(route),
                                 ["routeName", "securityTypes", "timesInForce", "orderTypes", "useDisplayQty"])
                self.assertIsInstance(route["routeName"], str)
                self.assertTrue(set(route["securityTypes"]) <= {"Stock", "Option", "MLEG"}, route)
                self.assertTrue(set(route["timesInForce"]) <= set(TIMES_IN_FORCE), route)
                self.assertTrue(route["securityTypes"] and route["timesInForce"])
                self.assertIsInstance(route["useDisplayQty"], bool)

    def test_L2_the_routes_of_paper(self):
        self.assertEqual(self.routes("PAPER0001"),
                         [{"routeName": "PAPER", "securityTypes": ["Stock", "Option"],
                           "timesInForce": ["Day", "GoodTillCancel", "GoodTillCrossing"], "orderTypes": TYPES,
                           "useDisplayQty": True},
                          {"routeName": "PAPERM", "securityTypes": ["MLEG"], "timesInForce": ["Day"],
                           "orderTypes": TYPES, "useDisplayQty": False}])

    def test_L3_the_routes_of_live(self):
        """There are a smart and a direct route for stock, one for options, and one for several legs."""
        routes = self.routes("LIVE0001")
        self.assertEqual([(r["routeName"], r["securityTypes"]) for r in routes],
                         [("SMART", ["Stock"]), ("CTDL", ["Stock"]), ("SMARTO", ["Option"]),
                          ("SMARTM", ["Option", "MLEG"])])
        self.assertEqual(routes[3]["timesInForce"], ["Day"])


class Borrow(ReadingCase):
    def test_L6_is_easy_to_borrow_is_a_boolean(self):
        """It is the only key; false for a symbol that live does not know, and for a contract."""
        for symbol, text in (("AAPL", "true"), ("GME", "false"), ("NOSUCH", "false"), ("aapl", "false"),
                             (CONTRACT, "false")):
            reply = self.p.get(f"accounts/LIVE0001/is-easy-to-borrow/symbol/{symbol}", PATHS["LIVE0001"])
            self.assertEqual((reply.status, reply.text), (200, f'{{"isEasyToBorrow":{text}}}'), symbol)


class Messages(ReadingCase):
    """Positions as the streams push them."""

    def setUp(self):
        super().setUp()
        self.s = self.p.portfolio("LIVE0001", subscriptions=["Position"])

    def test_L8_a_position_is_named_by_id(self):
        """The id equals positionId of the REST call."""
        self.buy(10, 100)
        self.buy(1, 2, CONTRACT)
        for row in self.positions():
            position = self.s.json()["position"]
            self.assertNotIn("positionId", position)
            self.assertEqual(position["id"], row["positionId"])

    def test_L9_symbol_side_and_shares(self):
        """The push has these fields, and no margin fields."""
        self.buy(10, 100)
        self.short(7, 10, "F")
        self.short(2, 2, CONTRACT)
        seen = [self.s.json()["position"] for _ in range(3)]
        self.assertEqual([(p["symbol"], p["side"], abs(p["shares"])) for p in seen],
                         [("AAPL", "Long", 10), ("F", "Short", 7), ("AAPL", "Short", 2)])
        for position, row in zip(seen, self.positions()):
            del row["positionId"], row["marginRequirement"], row["maintenanceRequirement"]
            self.assertEqual({k: v for k, v in position.items() if k != "id"}, row)

    def test_L10_figures_under_pnl_calc(self):
        """The figures of an option are under its OCC symbol."""
        self.buy(10, 100)
        self.buy(1, 2, CONTRACT)
        pnl = self.p.stream("pnl")
        pnl.send(dict(zip(("key", "secret"), PATHS["LIVE0001"])))
        pnl.send({"account": "LIVE0001"})
        [pnl.json() for _ in range(3)]
        self.p.quote(CONTRACT, 3, 3, 3)
        updates = [pnl.json() for _ in range(3)]
        self.assertEqual([u["target"] for u in updates], ["position", "position", "aggCalcs"])
        figures = ["dayPctPnLMove", "dayUnrealizedPnL", "exposure", "pctPnLMove", "unrealizedPnL"]
        for update, row in zip(updates, self.pnl()["pnl"]):
            position = update["position"]
            self.assertEqual(sorted(position), ["dayRealizedPnl", "pnlCalc", "positionId", "realizedPnl", "symbol"])
            self.assertEqual(sorted(position["pnlCalc"]), figures)
            self.assertTrue(all(is_number(v) or isinstance(v, float) for v in position["pnlCalc"].values()))
            self.assertEqual({**position["pnlCalc"], **{k: v for k, v in position.items() if k != "pnlCalc"}}, row)
        self.assertEqual([u["position"]["symbol"] for u in updates[:2]], ["AAPL", CONTRACT])


if __name__ == "__main__":
    unittest.main()
