"""Sessions: how their open and close affect orders, lots and counters (M9, M10, M19, M22, CON-12, CON-13, C24, P30 and
more)."""
import signal
import unittest

from paper import Paper, SomeFile, stock
from reading_case import CONTRACT, ReadingCase

OPEN = "2026-01-15T14:30:00Z"
CLOSED = "2026-01-15T21:00:01Z"
LATE = "2026-01-16T01:00:01Z"  # 20:00:01 of the 15th
EARLY = "2026-01-16T09:00:00Z"  # 04:00 of the 16th
NEXT = "2026-01-16T14:30:00Z"


class Orders(ReadingCase):
    def rest(self, order_id, tif, **changes):
        return self.send(order_id, timeInForce=tif, **{"limitPrice": 1, **changes})

    def shape(self, order_id):
        row = self.p.lookup(order_id, self.account).json
        return row["orderStatus"], row["executed"], row["leavesQuantity"], row["canceledQuantity"]

    def test_M9_done_for_day(self):
        """GoodTillCancel and GTC_Plus orders work again in the next session; others are over."""
        for tif in ("Day", "GoodTillCancel", "Day_Plus", "GTC_Plus"):
            self.rest(tif, tif)
        self.at(LATE)
        self.assertEqual([self.status(t) for t in ("Day", "GoodTillCancel", "Day_Plus", "GTC_Plus")],
                         ["DoneForDay"] * 4)
        self.at(NEXT)
        self.assertEqual([self.status(t) for t in ("Day", "GoodTillCancel", "Day_Plus", "GTC_Plus")],
                         ["DoneForDay", "New", "DoneForDay", "New"])

    def test_M19_gtc_works_again_next_session(self):
        """An order is DoneForDay at the close and keeps its leaves, then it is New again, and then it fills. A partly
        filled one is PartiallyFilled again."""
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.rest("part", "GoodTillCancel", symbol="F", limitPrice=12)
        self.rest("gtc", "GoodTillCancel", limitPrice=180)
        self.p.advance("1s")
        self.p.quote("F", 13, 13, 13)
        self.at(CLOSED)
        self.assertEqual((self.shape("gtc"), self.shape("part")), (("DoneForDay", 0, 10, 0), ("DoneForDay", 4, 6, 0)))
        self.at(NEXT)
        self.assertEqual((self.shape("gtc"), self.shape("part")), (("New", 0, 10, 0), ("PartiallyFilled", 4, 6, 0)))
        self.p.quote("AAPL", 179, 179, 179)
        self.assertEqual(self.status("gtc"), "Filled")

    def test_M10_an_opening_order_that_did_not_fill_expires(self):
        self.p.stop()
        self.p = Paper(clock="2026-01-15T14:00:00Z")
        self.addCleanup(self.p.stop)
        self.rest("low", "AtTheOpening")
        self.rest("high", "AtTheOpening", limitPrice=200)
        self.p.advance("1s")
        self.assertEqual([self.status(i) for i in ("low", "high")], ["New", "New"])
        self.at(OPEN)
        self.assertEqual((self.shape("low"), self.shape("high")), (("Expired", 0, 0, 10), ("Filled", 10, 0, 0)))
        self.rest("late", "AtTheOpening", limitPrice=200)
        self.p.advance("1s")
        self.assertEqual(self.status("late"), "Expired", "the open is over")

    def test_M18_an_expired_order_is_not_canceled(self):
        self.rest("late", "AtTheOpening", limitPrice=200)
        self.p.advance("1s")
        self.assertEqual(self.p.cancel("late", self.account).status, 404)
        self.assertEqual(self.status("late"), "Expired")

    def test_M21_nothing_leaves_a_final_state(self):
        """Filled, canceled, rejected and expired orders are the same two sessions later."""
        self.buy(1, 190)
        self.send("filled", limitPrice=190)
        self.rest("canceled", "GoodTillCancel")
        self.rest("rejected", "GoodTillCancel", limitPrice=-1)
        self.rest("expired", "AtTheOpening")
        self.p.advance("1s")
        self.p.cancel("canceled", self.account)
        self.p.advance("1s")
        before = {i: self.p.lookup(i, self.account).json for i in ("filled", "canceled", "rejected", "expired")}
        self.assertEqual([row["orderStatus"].lower() for row in before.values()], list(before))
        self.at("2026-01-20T16:00:00Z")
        self.assertEqual({i: self.p.lookup(i, self.account).json for i in before}, before)

    def test_CON_13_each_time_in_force_at_its_end(self):
        for tif in ("Day", "Day_Plus", "GoodTillCancel", "GTC_Plus"):
            self.rest(tif, tif)
        for tif in ("GoodTillCrossing", "AtTheOpening", "ImmediateOrCancel", "FillOrKill"):  # no live route takes these
            self.p.order(stock(tif, limitPrice=1, timeInForce=tif))
        self.p.advance("1s")

        def seen():
            return {t: self.p.lookup(t, a).json["orderStatus"] for t, a in
                    [(t, "LIVE0001") for t in ("Day", "Day_Plus", "GoodTillCancel", "GTC_Plus")] +
                    [(t, "PAPER0001") for t in ("GoodTillCrossing", "AtTheOpening", "ImmediateOrCancel", "FillOrKill")]}

        at_once = {"AtTheOpening": "Expired", "ImmediateOrCancel": "Canceled", "FillOrKill": "Canceled"}
        self.assertEqual(seen(), {"Day": "New", "Day_Plus": "New", "GoodTillCancel": "New", "GTC_Plus": "New",
                                  "GoodTillCrossing": "New", **at_once})
        self.at(CLOSED)
        self.assertEqual(seen(), {"Day": "DoneForDay", "Day_Plus": "New", "GoodTillCancel": "DoneForDay",
                                  "GTC_Plus": "New", "GoodTillCrossing": "New", **at_once})
        self.at(LATE)
        self.assertEqual(seen(), {t: "DoneForDay" for t in ("Day", "Day_Plus", "GoodTillCancel", "GTC_Plus",
                                                            "GoodTillCrossing")} | at_once)
        self.assertEqual((self.shape("Day"), self.shape("GTC_Plus")),
                         (("DoneForDay", 0, 0, 10), ("DoneForDay", 0, 10, 0)))

    def test_CON_13_the_rest_of_a_partly_filled_day_order(self):
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.rest("part", "Day", symbol="F", limitPrice=12)
        self.p.advance("1s")
        self.p.quote("F", 13, 13, 13)
        self.at(CLOSED)
        self.assertEqual(self.shape("part"), ("DoneForDay", 4, 0, 6))

    def test_M22_day_plus_trades_before_the_open_and_day_waits(self):
        self.at("2026-01-16T12:00:00Z")  # 07:00
        self.rest("day", "Day", limitPrice=195)
        self.rest("plus", "Day_Plus", limitPrice=195)
        self.p.advance("1s")
        self.assertEqual([self.status(i) for i in ("day", "plus")], ["New", "Filled"])
        self.at("2026-01-16T14:29:59Z")
        self.assertEqual(self.status("day"), "New")
        self.at(NEXT)
        self.assertEqual(self.status("day"), "Filled")

    def test_extended_hours_begin_with_what_waits_for_them(self):
        """A GTC_Plus order of the day before and one sent at night trade from 04:00 on; a GTC order does not."""
        self.rest("plus", "GTC_Plus", limitPrice=185)
        self.rest("gtc", "GoodTillCancel", limitPrice=185)
        self.at(LATE)
        self.rest("night", "Day_Plus", limitPrice=185)
        self.p.advance("1s")
        self.p.quote("AAPL", 184, 184, 184)
        self.assertEqual([self.status(i) for i in ("plus", "gtc", "night")], ["DoneForDay", "DoneForDay", "New"])
        self.at(EARLY)
        self.assertEqual([self.status(i) for i in ("plus", "gtc", "night")], ["Filled", "DoneForDay", "Filled"])

    def test_CON_14_a_day_order_after_the_close_waits_for_the_next_session(self):
        self.at("2026-01-16T22:00:00Z")  # Friday, 17:00
        self.rest("friday", "Day", limitPrice=195)
        self.at("2026-01-17T16:00:00Z")
        self.rest("saturday", "Day", limitPrice=195)
        self.at("2026-01-19T14:29:59Z")
        self.assertEqual([self.status(i) for i in ("friday", "saturday")], ["New", "New"])
        self.at("2026-01-19T14:30:00Z")
        self.assertEqual([self.status(i) for i in ("friday", "saturday")], ["Filled", "Filled"])

    def test_buying_power_is_not_held_overnight(self):
        free = self.detail()["bp"]
        self.rest("gtc", "GoodTillCancel", limitPrice=100)
        self.assertEqual(self.detail()["bp"], free - 1000)
        self.at(CLOSED)
        self.assertEqual(self.detail()["bp"], free)
        self.at(NEXT)
        self.assertEqual(self.detail()["bp"], free - 1000)

    def test_a_cancel_under_way_at_the_close(self):
        self.at("2026-01-15T20:59:59.990Z")
        self.rest("a", "Day", symbol="MSFT")
        self.p.advance("5ms")
        self.assertEqual(self.p.cancel("a", self.account).json["orderStatus"], "PendingCancel")
        self.at(CLOSED)
        self.assertEqual(self.status("a"), "Canceled")

    def test_pushes_of_a_session(self):
        stream = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.rest("gtc", "GoodTillCancel")
        self.at(NEXT)
        self.assertEqual([stream.order()["orderStatus"] for _ in range(4)], ["PendingNew", "New", "DoneForDay", "New"])


class Lists(ReadingCase):
    def listed(self):
        return {r["clientOrderId"]: r["orderStatus"] for r in self.get("orders")["orders"]}

    def test_P30_todays_orders(self):
        """The list has the working orders, also those of earlier sessions, and all orders of this session."""
        for tif in ("Day", "GoodTillCancel", "GTC_Plus"):
            self.send(tif, limitPrice=1, timeInForce=tif)
        self.p.advance("1s")
        self.assertEqual(self.listed(), {"Day": "New", "GoodTillCancel": "New", "GTC_Plus": "New"})
        self.at("2026-01-20T15:00:00Z")
        self.assertEqual(self.listed(), {"GoodTillCancel": "New", "GTC_Plus": "New"})

    def test_P32_a_single_order(self):
        """The answer is 404 if no order has the id."""
        self.assertEqual(self.p.lookup("a", "LIVE0001").status, 404)
        self.send("a", limitPrice=1)
        self.assertEqual(self.p.lookup("a", "LIVE0001").json["clientOrderId"], "a")


class Accounts(ReadingCase):
    COUNTERS = ("optContractsTraded", "realized", "sharesTraded", "totalCommissions", "totalLocateCosts")

    def counters(self, source=None):
        source = source or self.detail()
        return {k: source[k] for k in self.COUNTERS}

    def test_C24_CON_12_counters_are_of_the_session_open(self):
        """During the session, trades do not change the detail and the list; at the next session's open these show the
        day's counters. pnl changes at once."""
        self.p.control("PUT", "rates", {"share": 0.01, "contract": 0.5})
        before = self.counters()
        self.assertEqual(set(before.values()), {0})
        self.buy(10, 100)
        self.sell(10, 103)
        self.buy(2, 1, CONTRACT)
        self.assertEqual(self.counters(), before)
        listed = self.p.get("accounts", ("live-key", "live-secret")).json["accounts"][0]
        self.assertEqual(self.counters(listed), before)
        self.assertEqual((self.pnl()["sharesTraded"], self.pnl()["dayRealized"]), (20, 30))
        self.at(NEXT)
        rolled = {"optContractsTraded": 2, "realized": 30, "sharesTraded": 20, "totalCommissions": 1.2,
                  "totalLocateCosts": 0}
        self.assertEqual(self.counters(), rolled)
        self.assertEqual((self.pnl()["sharesTraded"], self.pnl()["dayRealized"]), (0, 0))
        self.at("2026-01-19T15:00:00Z")
        self.assertEqual(self.counters(), before)

    def test_C19_start_of_day_equity_is_constant_during_a_session(self):
        self.buy(10, 100)
        self.p.quote("AAPL", 110, 110, 110)
        self.assertEqual(self.detail()["sodEquity"], 50000)
        self.at(NEXT)
        self.p.quote("AAPL", 120, 120, 120)
        self.assertEqual(self.detail()["sodEquity"], 50100)

    def test_D14_day_becomes_overnight(self):
        self.buy(10, 100)
        self.assertEqual(self.positions()[0]["dayOvernight"], "Day")
        self.at(LATE)
        self.assertEqual(self.positions()[0]["dayOvernight"], "Day")
        self.at(NEXT)
        self.assertEqual(self.positions()[0]["dayOvernight"], "Overnight")

    def test_D22_two_lots_of_one_ticker(self):
        """What is bought today is not part of the carried lot, and is closed after it."""
        self.buy(10, 100)
        self.at(NEXT)
        self.buy(10, 110)
        rows = self.positions()
        self.assertEqual([(r["symbol"], r["priceAvg"], r["dayOvernight"]) for r in rows],
                         [("AAPL", 100, "Overnight"), ("AAPL", 110, "Day")])
        self.assertEqual(len({r["positionId"] for r in rows}), 2)
        self.sell(15, 120)
        self.assertEqual([(r["shares"], r["priceAvg"]) for r in self.positions()], [(5, 110)])

    def test_a_trade_before_the_open_is_of_that_day(self):
        self.at("2026-01-16T12:00:00Z")
        self.buy(10, 100, timeInForce="Day_Plus")
        self.at(NEXT)
        self.assertEqual((self.positions()[0]["dayOvernight"], self.pnl()["sharesTraded"]), ("Day", 10))


class Kept(unittest.TestCase):
    def test_sessions_that_passed_while_it_was_down(self):
        with SomeFile() as path:
            row = Orders()
            row.p = Paper("--db", path)
            row.buy(10, 100)
            row.sell(4, 105)
            row.buy(1, 50, "MSFT")
            row.sell(1, 60, "MSFT")
            row.rest("day", "Day")
            row.rest("gtc", "GoodTillCancel")
            row.rest("opening", "AtTheOpening")
            row.p.advance("1s")
            pnl = row.pnl()
            row.p.stop(signal.SIGKILL)

            row.p = Paper("--db", path, clock="2026-01-15T18:00:00Z")
            self.assertEqual(row.pnl(), pnl, "the same session, lots closed in it included")
            row.p.stop(signal.SIGKILL)

            with Paper("--db", path, clock=LATE) as row.p:
                self.assertEqual([row.status(i) for i in ("day", "gtc", "opening")],
                                 ["DoneForDay", "DoneForDay", "Expired"])
            with Paper("--db", path, clock=NEXT) as row.p:
                self.assertEqual([row.status(i) for i in ("day", "gtc")], ["DoneForDay", "New"])
                self.assertEqual(row.detail()["realized"], 30)
            with Paper("--db", path, clock="2026-02-20T15:00:00Z") as row.p:
                self.assertEqual([row.status(i) for i in ("day", "gtc")], ["DoneForDay", "New"])
                self.assertEqual(row.detail()["realized"], 0)
                self.assertEqual([(r["shares"], r["dayOvernight"]) for r in row.positions()], [(6, "Overnight")])
                self.assertEqual([r["symbol"] for r in row.pnl()["pnl"]], ["AAPL"])


if __name__ == "__main__":
    unittest.main()
