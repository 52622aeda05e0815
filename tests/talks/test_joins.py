"""What ordergate broker makes of several documents: positions with their figures."""
import json
import unittest

from fault_proxy import FaultProxy, answer
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


if __name__ == "__main__":
    unittest.main()
