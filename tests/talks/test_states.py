"""States of an order and their transitions (M1 to M8 and M11 to M17 of docs/readings.md; the ends of sessions are in
test_sessions)."""
import unittest

from paper import in_world, leg, occ, spread
from reading_case import ReadingCase


class States(ReadingCase):
    def shape(self, order_id):
        row = self.p.lookup(order_id, self.account).json
        return row["orderStatus"], row["executed"], row["leavesQuantity"], row["canceledQuantity"]

    def rest(self, order_id="a", **changes):
        self.send(order_id, **{"limitPrice": 1, **changes})
        self.p.advance("1s")

    def part(self, order_id="a"):
        """Make an order of which 4 of 10 have filled."""
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.rest(order_id, symbol="F", limitPrice=12)
        self.p.quote("F", 13, 13, 13)

    def test_M1_pending_new(self):
        self.send("a", limitPrice=1)
        self.assertEqual(self.shape("a"), ("PendingNew", 0, 10, 0))

    def test_M2_accepted(self):
        """If the scenario has the state, it comes between PendingNew and New, on the stream, on look-up and in the
        list; the order can be canceled then."""
        self.p.stop()
        self.p = in_world("switches: {accepted: on}")
        self.addCleanup(self.p.stop)
        stream = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.send("a", limitPrice=1)
        self.p.advance("50ms")
        self.assertEqual(self.shape("a"), ("Accepted", 0, 10, 0))
        self.assertEqual([r["orderStatus"] for r in self.get("orders")["orders"]], ["Accepted"])
        self.p.advance("1s")
        self.assertEqual([stream.order()["orderStatus"] for _ in range(3)], ["PendingNew", "Accepted", "New"])
        self.send("b", limitPrice=1)
        self.p.advance("50ms")
        self.assertEqual(self.p.cancel("b", self.account).json["orderStatus"], "PendingCancel")
        self.p.advance("1s")
        self.assertEqual(self.status("b"), "Canceled")

    def test_M3_new_rests(self):
        self.rest()
        self.assertEqual(self.shape("a"), ("New", 0, 10, 0))

    def test_M4_partially_filled(self):
        self.part()
        self.assertEqual(self.shape("a"), ("PartiallyFilled", 4, 6, 0))

    def test_M5_pending_cancel_may_still_fill(self):
        self.rest(limitPrice=100)
        self.p.cancel("a", self.account)
        self.assertEqual(self.shape("a"), ("PendingCancel", 0, 10, 0))
        self.p.quote("AAPL", 99, 99, 99)
        self.p.advance("1s")
        self.assertEqual(self.shape("a"), ("Filled", 10, 0, 0))

    def test_M6_filled(self):
        self.rest(limitPrice=200)
        self.assertEqual(self.shape("a"), ("Filled", 10, 0, 0))

    def test_M7_canceled(self):
        """canceledQuantity is set, and executed keeps what was partly filled."""
        self.part()
        self.p.cancel("a", self.account)
        self.p.advance("1s")
        self.assertEqual(self.shape("a"), ("Canceled", 4, 0, 6))

    def test_M8_rejected(self):
        self.rest(limitPrice=-1)
        self.assertEqual(self.shape("a"), ("Rejected", 0, 0, 10))
        self.assertTrue(self.p.lookup("a", self.account).json["text"].startswith("R145"))

    def test_M11_a_valid_body_is_200_either_way(self):
        self.assertEqual(self.send("a", limitPrice=1)["orderStatus"], "PendingNew")
        self.assertEqual(self.send("b", limitPrice=-1)["orderStatus"], "Rejected")

    def test_M12_pending_new_becomes_new_within_milliseconds(self):
        stream = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.send("a", limitPrice=1)
        self.p.advance("50ms")
        self.assertEqual(self.status("a"), "New")
        self.assertEqual([stream.order()["orderStatus"] for _ in range(2)], ["PendingNew", "New"])

    def test_M13_a_live_rejection_comes_later(self):
        """The answer is PendingNew with a null text; within 50 ms a look-up gives Rejected with a text, and there are
        two pushes."""
        stream = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        row = self.send("a", symbol="NOSUCH", limitPrice=1)
        self.assertEqual((row["orderStatus"], row["text"]), ("PendingNew", None))
        self.p.advance("50ms")
        row = self.p.lookup("a", self.account).json
        self.assertEqual((row["orderStatus"], row["text"][:4]), ("Rejected", "R24:"))
        self.assertEqual([stream.order()["orderStatus"] for _ in range(2)], ["PendingNew", "Rejected"])

    def test_M14_a_partial_execution_makes_and_moves_the_position(self):
        self.part()
        self.assertEqual([r["shares"] for r in self.positions()], [4])
        self.p.quote("F", 12, 12, 12, askSize=3)
        self.assertEqual((self.shape("a"), [r["shares"] for r in self.positions()]),
                         (("PartiallyFilled", 7, 3, 0), [7]))

    def test_M15_complete_execution(self):
        self.part()
        self.p.quote("F", 12, 12, 12)
        self.assertEqual((self.shape("a"), [r["shares"] for r in self.positions()]), (("Filled", 10, 0, 0), [10]))

    def test_M16_delete_then_pending_cancel_then_canceled(self):
        """A second DELETE meanwhile is 200 and changes nothing. An order that is not yet acknowledged can be canceled
        too."""
        self.rest()
        for _ in range(2):
            self.assertEqual(self.p.cancel("a", self.account).json["orderStatus"], "PendingCancel")
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "Canceled")
        self.send("b", limitPrice=1)
        self.assertEqual(self.p.cancel("b", self.account).status, 200)
        self.p.advance("1s")
        self.assertEqual(self.status("b"), "Canceled")

    def test_M17_delete_of_a_rejected_order_overwrites_its_text(self):
        self.rest(limitPrice=-1)
        reply = self.p.cancel("a", self.account)
        self.assertEqual((reply.status, reply.json["orderStatus"], reply.json["text"][:4]), (200, "Rejected", "R130"))

    def test_M18_delete_of_a_filled_or_canceled_order(self):
        self.rest("filled", limitPrice=200)
        self.rest("canceled")
        self.p.cancel("canceled", self.account)
        self.p.advance("1s")
        for order_id in ("filled", "canceled"):
            before = self.shape(order_id)
            reply = self.p.cancel(order_id, self.account)
            self.assertEqual((reply.status, reply.headers["Content-Type"]), (404, "text/plain; charset=utf-8"))
            self.assertEqual(self.shape(order_id), before)

    def test_P33_one_row_per_envelope(self):
        legs = [leg(occ(strike=s, kind=k), side) for s, k, side in
                ((170, "P", "Buy"), (180, "P", "Sell"), (200, "C", "Sell"), (210, "C", "Buy"))]
        self.p.order(spread("condor", legs=legs, limitPrice=0.01), "PAPER0001")
        self.p.advance("1s")
        rows = self.get("orders", "PAPER0001")["orders"]
        self.assertEqual([(r["clientOrderId"], r["securityType"]) for r in rows], [("condor", "MLEG")])


if __name__ == "__main__":
    unittest.main()
