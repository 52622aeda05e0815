"""What ordergate broker makes of several documents: positions with their figures, closed positions added up."""
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


if __name__ == "__main__":
    unittest.main()
