"""What ordergate broker makes of several documents: positions with their figures, closed positions added up, fills with
their orders."""
import json
import unittest

from fault_proxy import FaultProxy, answer
from paper import occ
from programs import Programs
from reading_case import CONTRACT, ReadingCase

FIGURES = "exposure realizedPnl unrealizedPnL dayRealizedPnl dayUnrealizedPnL pctPnLMove dayPctPnLMove".split()


class Joins(Programs, ReadingCase):
    def joined(self, call, changes=None, **more):
        """Returns what the call prints. changes: {end of a path: what is done to its document}."""
        if not changes:
            return self.asked(*call.split(), **more)
        with FaultProxy(self.p) as proxy:
            for path, change in changes.items():
                document = self.get(path.strip("/"))
                change(document)
                proxy.gets[path] = answer(200, json.dumps(document).encode(), ["Content-Type: application/json"])
            return self.asked(*call.split(), url=proxy.url, **more)


class PositionPnl(Joins):
    def test_by_position_id(self):
        self.buy(10, 100, "MSFT")
        self.buy(2, 3, CONTRACT)
        self.buy(5, 10, "F")
        self.sell(5, 11, "F")
        self.p.quote("MSFT", 110, 110, 110)
        got, rows = self.joined("position-pnl"), {r["positionId"]: r for r in self.pnl()["pnl"]}
        self.assertEqual(len(got["positionPnl"]), 2)
        for position, held in zip(got["positionPnl"], self.positions()):
            self.assertEqual({k: position[k] for k in held}, held)
            self.assertEqual({k: position[k] for k in FIGURES}, {k: rows[held["positionId"]][k] for k in FIGURES})
            self.assertEqual(position["pnlBy"], "positionId")
        self.assertEqual([(r["symbol"], r["exposure"]) for r in got["otherPnl"]], [("F", 0)])

    def test_no_row_is_no_figure_and_not_0(self):
        self.buy(10, 100, "MSFT")
        position, = self.joined("position-pnl", {"/pnl": lambda d: d["pnl"].clear()})["positionPnl"]
        self.assertEqual([position[k] for k in (*FIGURES, "pnlBy")], [None] * 8)

    def test_by_symbol_if_ids_differ(self):
        self.buy(10, 100, "MSFT")
        self.buy(2, 3, CONTRACT)

        def rename(document):
            for row in document["pnl"]:
                row["positionId"] = "other-" + row["positionId"]
        got = self.joined("position-pnl", {"/pnl": rename})
        self.assertEqual({p["symbol"]: (p["pnlBy"], p["exposure"]) for p in got["positionPnl"]},
                         {"MSFT": ("symbol", 1000), "AAPL": ("tradedSymbol", 600)})
        self.assertEqual(got["otherPnl"], [])

    def test_two_candidates_are_none(self):
        """Two lots of one ticker whose ids say nothing, and the row of a lot that was closed."""
        self.buy(10, 100, "MSFT")

        def two_lots(document):
            document["pnl"] = [{**document["pnl"][0], "positionId": i} for i in ("x", "y")]

        def closed(document):
            document["pnl"][0].update(positionId="x", exposure=0)
        for change in (two_lots, closed):
            got = self.joined("position-pnl", {"/pnl": change})
            self.assertEqual([(p["pnlBy"], p["exposure"]) for p in got["positionPnl"]], [(None, None)])
            self.assertEqual(len(got["otherPnl"]), 2 if change is two_lots else 1)

        def second(document):
            document["positions"].append({**document["positions"][0], "positionId": "z"})

        def renamed(document):
            document["pnl"][0]["positionId"] = "x"
        got = self.joined("position-pnl", {"/positions": second, "/pnl": renamed})
        self.assertEqual([p["pnlBy"] for p in got["positionPnl"]], [None, None])

    def test_a_lot_by_its_id_beside_one_without(self):
        """The id counts first: what is left may be found by its symbol."""
        self.buy(10, 100, "MSFT")

        def second(document):
            document["positions"].insert(0, {**document["positions"][0], "positionId": "z"})
        first, other = self.joined("position-pnl", {"/positions": second})["positionPnl"]
        self.assertEqual((first["pnlBy"], other["pnlBy"]), (None, "positionId"))

    def test_table(self):
        self.buy(10, 100, "MSFT")
        self.p.quote("MSFT", 90, 90, 90)
        out, _ = self.run_broker("--format", "table", "position-pnl")
        self.assertRegex(out, r"MSFT +Long +10 .* -100")


class ClosedTotals(Joins):
    def rows(self, **more):
        return {r["tradedSymbol"] or r["symbol"]: r for r in self.joined("closed-totals", **more)["closedTotals"]}

    def test_records_of_a_symbol_are_added_up(self):
        for price in (10, 12.5):
            self.buy(5, price, "F")
            self.sell(5, 11.05, "F")
        self.short(7, 11, "F")
        self.cover(7, 10, "F")
        self.buy(3, 100, "MSFT")
        self.sell(3, 101, "MSFT")
        self.p.advance("10s")
        records, rows = self.closed(), self.rows()
        self.assertEqual(set(rows), {"F", "MSFT"})
        for symbol, side, count in (("F", "Both", 3), ("MSFT", "Long", 1)):
            own, row = [r for r in records if r["symbol"] == symbol], rows[symbol]
            self.assertEqual((row["records"], row["side"], row["securityType"]), (count, side, "Stock"))
            for key in ("sharesIn", "sharesOut", "realized"):
                self.assertAlmostEqual(row[key], sum(r[key] for r in own), 6)
            self.assertEqual((row["createdDate"], row["updatedDate"]),
                             (min(r["createdDate"] for r in own), max(r["updatedDate"] for r in own)))

    def test_options_by_contract(self):
        other = occ(strike=195)
        for contract, price in ((CONTRACT, 2), (other, 3), (other, 4)):
            self.buy(1, price, contract)
            self.sell(1, price + 1, contract)
        self.buy(1, 100, "AAPL")
        self.sell(1, 100, "AAPL")
        self.p.advance("10s")
        rows = self.rows()
        self.assertEqual({k: (r["symbol"], r["records"]) for k, r in rows.items()},
                         {CONTRACT: ("AAPL", 1), other: ("AAPL", 2), "AAPL": ("AAPL", 1)})

    def test_exact_sums_and_none(self):
        self.assertEqual(self.joined("closed-totals"), {"closedTotals": []})
        self.buy(1, 10, "F")
        self.sell(1, 11, "F")
        self.p.advance("10s")

        def many(document):
            document["closedPositions"] = [{**document["closedPositions"][0], "realized": 0.1} for _ in range(3)]
        with FaultProxy(self.p) as proxy:
            document = self.get("positions/closed")
            many(document)
            proxy.gets["/positions/closed"] = answer(200, json.dumps(document).encode(),
                                                     ["Content-Type: application/json"])
            out, _ = self.run_broker("closed-totals", url=proxy.url)
        self.assertIn('"realized":0.3,', out)

    def test_table(self):
        self.buy(1, 10, "F")
        self.sell(1, 11, "F")
        self.p.advance("10s")
        self.assertRegex(self.run_broker("--format", "table", "closed-totals")[0], r"F +Long +1 +1 +1 ")


class FillOrders(Joins):
    def rows(self, changes=None):
        return [(f["symbol"], f["qty"], f["clientOrderId"], f["orderBy"], sorted(f["candidates"]))
                for f in self.joined("fills 2026-01-15", changes)["fills"]]

    def test_the_only_order_that_fits(self):
        self.buy(10, 100, "MSFT", order_id="m")
        self.short(3, 11, "F", order_id="f")
        self.buy(1, 2, CONTRACT, order_id="o")
        self.assertEqual(self.rows(), [("MSFT", 10, "m", "terms", ["m"]), ("F", 3, "f", "terms", ["f"]),
                                       (CONTRACT, 1, "o", "terms", ["o"])])
        fills = self.joined("fills 2026-01-15 --limit 2")
        self.assertEqual((len(fills["fills"]), fills["pagination"]["totalRecords"]), (2, 3))

    def test_partial_fills_of_one_order(self):
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.send("a", symbol="F", limitPrice=12)
        self.p.advance("1s")
        self.p.quote("F", 11, 11, 11)
        self.assertEqual(self.rows(), [("F", 4, "a", "terms", ["a"]), ("F", 6, "a", "terms", ["a"])])

    def test_two_orders_that_fit_are_ambiguous(self):
        for order_id in "ab":
            self.buy(10, 100, "MSFT", order_id=order_id)
        self.buy(10, 101, "MSFT", order_id="c")
        self.assertEqual(self.rows(), [("MSFT", 10, None, None, ["a", "b"])] * 2 + [("MSFT", 10, "c", "terms", ["c"])])

    def test_more_fills_than_the_order_executed(self):
        """The list has dropped one of two equal orders: neither fill is certainly the other's."""
        for order_id in "ab":
            self.buy(10, 100, "MSFT", order_id=order_id)
        self.assertEqual(self.rows({"/orders": lambda d: d["orders"].pop()}), [("MSFT", 10, None, None, [mine])
                                                                               for mine in self.kept() * 2])

    def kept(self):
        return [self.get("orders")["orders"][0]["clientOrderId"]]

    def test_of_other_terms(self):
        self.buy(10, 100, "MSFT", order_id="m")

        def changed(**members):
            return {"/orders": lambda d: d["orders"][0].update(members)}
        for change in (changed(side="Sell"), changed(symbol="F", tradedSymbol="F"), changed(executed=9),
                       changed(priceAvg=99), changed(executed=20, limitPrice=99), changed(securityType="Option"),
                       changed(startTime="2026-01-16T15:00:00Z"), changed(lastUpdated="2026-01-14T15:00:00Z")):
            self.assertEqual(self.rows(change), [("MSFT", 10, None, None, [])])

    def test_busted_fills_have_no_order(self):
        self.buy(10, 100, "MSFT", order_id="m")
        history = "/orders-with-pagination/start-date/2026-01-15"
        self.assertEqual(self.rows({history: lambda d: d["tradingHistory"][0].update(canceled=True)}),
                         [("MSFT", 10, None, None, [])])

    def test_a_spread_by_its_ticket(self):
        self.buy(10, 100, "MSFT", order_id="m")
        history = "/orders-with-pagination/start-date/2026-01-15"
        ticket = {history: lambda d: d["tradingHistory"][0].update(mLegId=77)}
        self.assertEqual(self.rows(ticket), [("MSFT", 10, None, None, [])])
        self.assertEqual(self.rows({**ticket, "/orders": lambda d: d["orders"][0].update(mlegID=77)}),
                         [("MSFT", 10, "m", "mLegId", ["m"])])

    def test_table(self):
        self.buy(10, 100, "MSFT", order_id="m")
        self.assertRegex(self.run_broker("--format", "table", "fills", "2026-01-15")[0], r"MSFT +Buy +10 +100 .*m")


if __name__ == "__main__":
    unittest.main()
