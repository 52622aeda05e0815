"""Locates where the document is silent or contradicts itself (CON and GAP of docs/readings.md), and the short sales
that need them."""
import unittest

from locates import CANCELED, EXPIRED, FILLED, LOCATE, OFFERED, PENDING, QUOTING, Locates


class Readings(Locates):
    def test_CON_27_text_and_error_by_status(self):
        self.symbol("AMC", available=0)
        seen = {}

        def note():
            for r in self.rows():
                seen[r["locateStatus"]] = (r["text"], r["locateError"])
        self.quote("a", "AMC")
        note()
        self.p.advance("2s")
        note()
        self.accept("a.SU")
        note()
        self.assertEqual(seen, {81: (None, 0), 54: ("11 No shares available", 11), 65: ("", 0), 50: ("", 0),
                                67: ("Quote expired.", 0)})

    def test_CON_28_accept_or_time_ends_both_cancel_one(self):
        self.offered("a", "AMC")
        self.cancel("a")
        self.is_at(OFFERED, "a.SU")
        self.accept("a.SU")
        self.is_at(CANCELED, "a")
        self.is_at(FILLED, "a.SU")

    def test_CON_29_cooldown_is_error_14(self):
        self.offered("a")
        self.cancel("a")
        self.quote("b")
        self.is_rejected(14, "14", "b")

    def test_CON_30_exactly_30_s_is_expired(self):
        self.quote("a", "GME")
        self.quote("b", "AMC")
        self.p.advance("1s")
        self.p.advance("29999ms")
        self.accept("a")
        self.is_at(FILLED, "a")
        self.p.advance("1ms")
        self.accept("b")
        self.is_at(EXPIRED, "b")

    def test_CON_31_the_symbol_of_a_sell(self):
        """The symbol of a sell is that of the body, or that of the filled quote with the id; otherwise error 1. A used
        id makes a new row."""
        self.located("q", quantity=300)
        self.credit("q", symbol=None)
        self.credit("new", symbol="GME")
        self.credit("other", symbol=None)
        self.credit("q", symbol="GME")
        self.assertEqual([r["locateStatus"] for r in self.rows("q")], [FILLED, PENDING, PENDING])
        self.is_at(PENDING, "new")
        self.is_rejected(1, "1", "other")

    def test_CON_32_inventory_figures(self):
        """The type is a number; sold means credited; unavailable means used by a short or used up; the row disappears
        when nothing is left."""
        self.located(quantity=300)
        self.assertEqual(self.shorts(100), "Filled")
        self.credit(quantity=200)
        self.p.advance("5s")
        self.assertEqual(self.inventory(), {LOCATE: (0, 200, 0, 100)})
        self.covers(100)
        self.credit("s2")
        self.p.advance("5s")
        self.assertEqual(self.inventory(), {})

    def test_CON_46_the_maximum_is_no_multiple(self):
        """A quantity of 2147483647 is answered 200 and then gets R67; a larger one is a 400."""
        self.quote(quantity=2147483647)
        self.is_rejected(67, "R67")
        body = {"account": self.account, "symbol": "GME", "quantity": 2147483648, "quoteReqID": "x"}
        self.assertEqual(self.post("quote", body).status, 400)

    def test_CON_47_a_completed_credit(self):
        """filledShares = locateShares, negative; price 0"""
        self.located()
        self.credit()
        self.is_at(PENDING, "s", text=None, filledShares=0, locatePrice=0)
        self.p.advance("5s")
        self.is_at(FILLED, "s", locateShares=-100, filledShares=-100, locatePrice=0, text="")

    def test_CON_54_working_shorts_share_a_locate(self):
        """A locate is reserved when an order is accepted, used up by its fill, and released when it is canceled."""
        self.located(quantity=100)
        self.assertEqual(self.shorts(60, order_id="fills"), "Filled")
        rest = {"symbol": "GME", "side": "Sell", "limitPrice": 30}
        self.send("rest", orderQuantity=30, **rest)
        self.p.advance("1s")
        self.assertEqual(self.status("rest"), "New")
        self.assertEqual(self.inventory(), {LOCATE: (40, 0, 0, 60)}, "a working short is not yet a use")
        self.send("much", orderQuantity=11, **rest)
        self.p.advance("1s")
        self.assertEqual(self.status("much"), "Rejected")
        self.p.cancel("rest", self.account)
        self.p.advance("1s")
        self.send("now", orderQuantity=40, **rest)
        self.p.advance("1s")
        self.assertEqual(self.status("now"), "New")
        self.p.quote("GME", 31, 31.02, bidSize=10)
        self.assertEqual(self.inventory(), {LOCATE: (30, 0, 0, 70)})
        self.p.quote("GME", 31, 31.02)
        self.assertEqual(self.inventory(), {LOCATE: (0, 0, 0, 100)})

    def test_Q28_a_short_without_a_locate_is_rejected(self):
        """The short sale is rejected if there is no locate, too few shares are located, or the locate is for another
        symbol."""
        row = self.try_short(100)
        self.assertEqual((row["orderStatus"], row["text"][:4]), ("Rejected", "R24:"))
        self.located()
        self.assertEqual(self.shorts(101), "Rejected")
        self.assertEqual(self.shorts(100, "AMC"), "Rejected")
        self.assertEqual(self.shorts(100, "AAPL"), "Filled", "easy to borrow needs none")
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})

    def test_GAP_24_times(self):
        """The offer comes within 2 s, and the credit after 5 s."""
        self.quote()
        self.p.advance("999ms")
        self.is_at(QUOTING)
        self.p.advance("1001ms")
        self.is_at(OFFERED)
        self.accept()
        self.credit()
        self.p.advance("4999ms")
        self.is_at(PENDING, "s")
        self.p.advance("1ms")
        self.is_at(FILLED, "s")

    def test_locates_are_good_for_a_day_that_ends_at_20_00(self):
        """A locate is valid for its day only, and can be credited back until 20:00 in New York (SEEN-19)."""
        self.located()
        self.at("2026-01-16T00:59:59Z")
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})
        self.at("2026-01-16T01:00:00Z")
        self.assertEqual(self.inventory(), {})
        self.credit()
        self.is_rejected(16, "16", "s")
        self.at("2026-01-16T15:00:00Z")
        self.assertEqual(self.shorts(100), "Rejected")
        self.located("new", quantity=200)
        self.assertEqual(self.inventory(), {LOCATE: (200, 0, 0, 0)})

    def test_a_pool_is_drawn_on(self):
        """Accepted shares are gone from the market until they are credited back."""
        self.symbol("GME", available=200)
        self.located("a", quantity=200)
        self.p.advance("30s")
        self.quote("b")
        self.is_rejected(11, "11", "b")
        self.credit(quantity=100)
        self.p.advance("30s")
        self.quote("c")
        self.is_at(QUOTING, "c")


if __name__ == "__main__":
    unittest.main()
