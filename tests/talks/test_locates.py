"""Locates: rows, types and inventory (group J of docs/readings.md), and their states (N)."""
import signal
import unittest

from locates import (CANCELED, EXPIRED, FILLED, LOCATE, OFFERED, PENDING, PRE_BORROW, QUOTING, REJECTED, SINGLE_USE,
                     Locates)
from paper import Paper, SomeFile

ROW = ("accountId symbol quoteReqID locateShares filledShares locateStatus locateType locatePrice preBorrow "
       "locateError text createdDate updatedDate").split()
INVENTORY = "accountId symbol available sold toBeSold unavailable locateType".split()


class Rows(Locates):
    def test_J1_J2_J3_owner_symbol_and_id(self):
        """accountId, symbol and quoteReqID are strings; the second row of a threshold symbol ends with .SU."""
        self.quote("one", "AMC")
        self.assertEqual([(r["accountId"], r["symbol"], r["quoteReqID"]) for r in self.rows()],
                         [("LIVE0001", "AMC", "one"), ("LIVE0001", "AMC", "one.SU")])

    def test_J4_shares_are_negative_on_credit_rows(self):
        self.located()
        self.credit()
        self.assertEqual((self.row("q")["locateShares"], self.row("s")["locateShares"]), (100, -100))

    def test_J5_filled_shares_equal_locate_shares_at_50(self):
        self.located(quantity=300)
        self.is_at(FILLED, locateShares=300, filledShares=300)

    def test_J6_status_codes(self):
        """The status is 81, then 65, then 50."""
        self.quote()
        self.is_at(QUOTING)
        self.p.advance("2s")
        self.is_at(OFFERED)
        self.accept()
        self.is_at(FILLED)

    def test_J7_type_is_0_on_rejected_rows_else_1_to_4(self):
        self.quote("hard", "GME")
        self.quote("list", "AMC")
        self.quote("easy", "AAPL")
        self.assertEqual({r["quoteReqID"]: r["locateType"] for r in self.rows()},
                         {"hard": LOCATE, "list": PRE_BORROW, "list.SU": SINGLE_USE, "easy": 0})

    def test_J8_price_is_0_until_offered(self):
        """The price is 0 at 81 and 54, and not 0 at 65 and 50."""
        self.symbol("AMC", available=0)
        self.quote(symbol="AMC")
        self.assertEqual([r["locatePrice"] for r in self.rows()], [0, 0])
        self.p.advance("2s")
        self.is_at(PENDING, "q", locatePrice=0)
        self.is_at(OFFERED, "q.SU", locatePrice=0.01)
        self.accept("q.SU")
        self.is_at(FILLED, "q.SU", locatePrice=0.01)

    def test_J8_a_symbol_without_a_price_is_offered_at_one(self):
        self.symbol("XYZ", borrow="hard", available=100)
        self.offered(symbol="XYZ")
        self.assertGreater(self.row()["locatePrice"], 0)

    def test_J9_pre_borrow_is_an_independent_flag(self):
        """The flag is true on a single-use row too, so locateType says what a row is."""
        self.quote("list", "AMC")
        self.quote("hard", "GME")
        self.assertEqual({r["locateType"]: r["preBorrow"] for r in self.rows()},
                         {PRE_BORROW: True, SINGLE_USE: True, LOCATE: False})

    def test_J10_error_is_0_on_success(self):
        self.located()
        self.is_at(FILLED, locateError=0)
        self.quote("easy", "AAPL")
        self.is_at(REJECTED, "easy", locateError=56)

    def test_J11_text_by_status(self):
        """The text is null while the row is quoting, empty once it is offered and when it is filled, and a reason when
        it is rejected; otherwise it is 'Quote expired.' or 'Quote canceled.'"""
        self.quote("a", "GME")
        self.is_at(QUOTING, "a", text=None)
        self.p.advance("2s")
        self.is_at(OFFERED, "a", text="")
        self.cancel("a")
        self.is_at(CANCELED, "a", text="Quote canceled.")
        self.quote("b", "AMC")
        self.p.advance("40s")
        self.is_at(EXPIRED, "b", text="Quote expired.")
        self.quote("c", "AAPL")
        self.assertIn("easy to borrow", self.row("c")["text"])

    def test_J12_dates_are_iso_8601_utc(self):
        self.quote()
        self.p.advance("2s")
        row = self.row()
        for key in ("createdDate", "updatedDate"):
            self.assertRegex(row[key], r"^2026-01-15T15:00:0\d\.\d{7}\+00:00$")
        self.assertLess(row["createdDate"], row["updatedDate"])

    def test_J13_the_13_keys(self):
        self.quote()
        self.assertEqual(list(self.row()), ROW)

    def test_J14_locate_is_reusable_and_creditable(self):
        """Type 1 (and its other code 2) can be sold short, covered and sold short again. What no short uses can be
        credited back."""
        self.located()
        self.assertEqual(self.shorts(100), "Filled")
        self.credit("tied")
        self.is_rejected(16, "16", "tied")
        self.covers(100)
        self.assertEqual(self.shorts(100), "Filled")
        self.covers(100)
        self.credit("free")
        self.is_at(PENDING, "free")

    def test_J15_pre_borrow_is_reusable_and_creditable(self):
        """Type 3: a cover returns the shares to the pool."""
        self.located(symbol="AMC")
        self.assertEqual(self.inventory("AMC"), {PRE_BORROW: (100, 0, 0, 0)})
        self.assertEqual(self.shorts(100, "AMC"), "Filled")
        self.covers(100, "AMC")
        self.assertEqual(self.inventory("AMC"), {PRE_BORROW: (100, 0, 0, 0)})
        self.credit(kind="PreBorrow", symbol="AMC")
        self.is_at(PENDING, "s")

    def test_J16_single_use_is_used_once(self):
        """Type 4 can be sold short once: after a cover, a second short sale is refused, and so is a credit."""
        self.located(symbol="AMC", quantity=200, chosen=".SU")
        self.assertEqual(self.shorts(100, "AMC"), "Filled")
        self.covers(100, "AMC")
        self.assertEqual(self.inventory("AMC"), {SINGLE_USE: (100, 0, 0, 100)})
        self.assertEqual(self.shorts(200, "AMC"), "Rejected")
        self.credit(kind="SingleUse", symbol="AMC")
        self.is_rejected(16, "16", "s")

    def test_J16_single_use_never_used_is_creditable(self):
        self.located(symbol="AMC", chosen=".SU")
        self.credit(kind="SingleUse", symbol="AMC")
        self.is_at(PENDING, "s", locateType=SINGLE_USE)

    def test_J17_the_caller_cannot_choose_the_pool(self):
        """A locateType in a quote is ignored."""
        self.quote("a", "GME", locateType="SingleUse")
        self.quote("b", "AMC", locateType=1)
        self.assertEqual([r["locateType"] for r in self.rows()], [LOCATE, PRE_BORROW, SINGLE_USE])

    def test_J18_inventory_row(self):
        """A row has the 7 keys, and its locateType is a number."""
        self.located()
        rows = self.get("locates/inventory")["locateInventory"]
        self.assertEqual(rows, [{"accountId": "LIVE0001", "symbol": "GME", "available": 100, "sold": 0, "toBeSold": 0,
                                 "unavailable": 0, "locateType": 1}])
        self.assertEqual(list(rows[0]), INVENTORY)

    def test_J19_one_symbol_can_have_two_rows(self):
        """The key of a row is (symbol, locateType)."""
        self.located("a", "AMC", 200)
        self.p.advance("30s")
        self.located("b", "AMC", 100, ".SU")
        self.assertEqual(self.inventory("AMC"), {PRE_BORROW: (200, 0, 0, 0), SINGLE_USE: (100, 0, 0, 0)})
        self.assertEqual(self.shorts(300, "AMC"), "Filled", "both count")


class States(Locates):
    def test_N1_N3_N4_quoting_offered_filled(self):
        self.quote()
        self.is_at(QUOTING)
        self.p.advance("1s")
        self.is_at(OFFERED)
        self.accept()
        self.is_at(FILLED)

    def test_N2_pending(self):
        self.symbol("AMC", available=0)
        self.offered(symbol="AMC")
        self.is_at(PENDING)

    def test_N5_N6_N7_canceled_rejected_expired(self):
        self.offered("a", "GME")
        self.cancel("a")
        self.is_at(CANCELED, "a")
        self.quote("b", "AAPL")
        self.is_at(REJECTED, "b")
        self.quote("c", "AMC")
        self.p.advance("40s")
        self.is_at(EXPIRED, "c")

    def test_N8_quoting_then_offered(self):
        """A quote is at 81, then at 65 within 2 s; if the pool has no shares, it goes from 81 to 54."""
        self.symbol("AMC", available=0)
        self.quote("a", "GME")
        self.quote("b", "AMC")
        self.assertEqual([r["locateStatus"] for r in self.rows()], [QUOTING] * 3)
        self.p.advance("2s")
        self.assertEqual([r["locateStatus"] for r in self.rows()], [OFFERED, PENDING, OFFERED])

    def test_N9_a_threshold_symbol_has_a_second_row(self):
        self.quote(symbol="AMC")
        self.assertEqual([r["quoteReqID"] for r in self.rows()], ["q", "q.SU"])

    def test_N10_what_is_not_locatable_is_rejected(self):
        """Easy, restricted, no inventory, odd lot, and quote open: each is 56 with text and locateError, in one row
        each."""
        self.symbol("RES", borrow="restricted", available=1000)
        self.symbol("NIL", borrow="hard")
        self.symbol("NIT", borrow="threshold", available=0, availableSingleUse=0)
        self.quote("open", "GME")
        for i, (symbol, quantity, error, prefix) in enumerate((
                ("AAPL", 100, 56, "R56"), ("RES", 100, 4, "R06"), ("NIL", 100, 11, "11"), ("NIT", 100, 11, "11"),
                ("AMC", 150, 67, "R67"), ("GME", 100, 14, "14"), ("NOSUCH", 100, 11, "11"))):
            with self.subTest(symbol=symbol):
                self.quote(f"q{i}", symbol, quantity)
                self.is_rejected(error, prefix, f"q{i}")
        self.assertEqual(len(self.rows()), 8)

    def test_N11_base_row_stays_pending_while_the_sibling_is_priced(self):
        """With an empty pre-borrow pool the base row is 54 and the .SU row 65; in the end the base row is 67."""
        self.symbol("AMC", available=0)
        self.offered(symbol="AMC")
        self.is_at(PENDING)
        self.is_at(OFFERED, "q.SU")
        self.p.advance("28s")
        self.is_at(PENDING)
        self.p.advance("1s")
        self.is_at(EXPIRED)

    def test_N11_the_other_pool_may_be_the_empty_one(self):
        self.symbol("AMC", availableSingleUse=0)
        self.offered(symbol="AMC")
        self.is_at(OFFERED)
        self.is_at(PENDING, "q.SU")

    def test_N12_the_pending_row_says_no_shares(self):
        """The text begins with 11, and locateError is 11."""
        self.symbol("AMC", available=0)
        self.offered(symbol="AMC")
        self.is_at(PENDING, locateError=11, text="11 No shares available")

    def test_N13_accept_within_30_s_of_the_offer(self):
        """After 29 s an accept is 50, after 31 s the row is 67, counted from the first 65 and not from the POST."""
        self.quote("a", "GME")
        self.quote("b", "AMC")
        self.p.advance("1s")
        self.p.advance("29s")
        self.accept("a")
        self.is_at(FILLED, "a")
        self.p.advance("2s")
        self.accept("b")
        self.is_at(EXPIRED, "b")
        self.assertEqual(self.inventory("AMC"), {})

    def test_N14_accept_expires_the_sibling(self):
        self.located(symbol="AMC")
        self.is_at(FILLED)
        self.is_at(EXPIRED, "q.SU", text="Quote expired.", locateError=0)

    def test_N15_an_inventory_row_appears(self):
        self.offered()
        self.assertEqual(self.inventory(), {})
        self.accept()
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})

    def test_N16_30_s_without_accept(self):
        """Both rows of a pair become 67 with 'Quote expired.'; a new quote is needed."""
        self.symbol("AMC", available=0)
        self.offered(symbol="AMC")
        self.p.advance("29s")
        for quote_id in ("q", "q.SU"):
            self.is_at(EXPIRED, quote_id, text="Quote expired.", locateError=0)
        self.accept("q.SU")
        self.is_at(EXPIRED, "q.SU")
        self.offered("again", "AMC")
        self.is_at(OFFERED, "again.SU")

    def test_N17_cancel_of_an_offer(self):
        """The row becomes 52 'Quote canceled.', and the second row of its pair stays. At 81 and 54 it becomes 52 with
        a null text."""
        self.symbol("AMC", available=0)
        self.quote("a", "GME")
        self.cancel("a")
        self.is_at(CANCELED, "a", text=None)
        self.offered("b", "AMC")
        self.cancel("b")
        self.is_at(CANCELED, "b", text=None, locateError=0)
        self.is_at(OFFERED, "b.SU")
        self.cancel("b.SU")
        self.is_at(CANCELED, "b.SU", text="Quote canceled.")
        self.p.advance("60s")
        self.is_at(CANCELED, "a")
        self.is_at(CANCELED, "b.SU")

    def test_N18_cancel_of_a_queued_sell(self):
        """The row becomes 52 with a null text, and the shares return from toBeSold to available."""
        self.located()
        self.credit()
        self.assertEqual(self.inventory(), {LOCATE: (0, 0, 100, 0)})
        self.cancel("s")
        self.is_at(CANCELED, "s", text=None, filledShares=0)
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})
        self.p.advance("10s")
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})

    def test_N19_cancel_of_an_accepted_quote(self):
        """The answer is 200, and the row stays at 50: the accept is not undone."""
        self.located()
        self.cancel()
        self.is_at(FILLED, text="")
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})

    def test_N20_accepting_adds_to_available(self):
        self.located("a")
        self.p.advance("30s")
        self.located("b", quantity=300)
        self.assertEqual(self.inventory(), {LOCATE: (400, 0, 0, 0)})

    def test_N21_a_sell_moves_shares_and_clears(self):
        """Shares move from available to toBeSold and to sold; the row disappears once nothing is left."""
        self.located(quantity=300)
        self.credit("part", quantity=100)
        self.assertEqual(self.inventory(), {LOCATE: (200, 0, 100, 0)})
        self.p.advance("5s")
        self.is_at(FILLED, "part")
        self.assertEqual(self.inventory(), {LOCATE: (200, 100, 0, 0)})
        self.credit("rest", quantity=200)
        self.assertEqual(self.inventory(), {LOCATE: (0, 100, 200, 0)})
        self.p.advance("5s")
        self.assertEqual(self.inventory(), {})

    def test_N22_a_queued_sell_can_be_undone(self):
        """A queued sell is canceled by its own quoteReqID, even if that equals the quote's."""
        self.located()
        self.credit("q", symbol=None)
        self.assertEqual([r["locateStatus"] for r in self.rows("q")], [FILLED, PENDING])
        self.cancel("q")
        self.assertEqual([r["locateStatus"] for r in self.rows("q")], [FILLED, CANCELED])
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})

    def test_N23_covers_return_shares_but_not_of_single_use(self):
        """Shares that are sold short are unavailable until they are covered."""
        for kind, symbol, chosen in ((LOCATE, "GME", ""), (PRE_BORROW, "AMC", ""), (SINGLE_USE, "AMC", ".SU")):
            with self.subTest(kind=kind):
                self.setUp()
                self.located(symbol=symbol, chosen=chosen)
                self.assertEqual(self.shorts(60, symbol), "Filled")
                self.assertEqual(self.inventory(symbol), {kind: (40, 0, 0, 60)})
                self.covers(60, symbol)
                self.assertEqual(self.inventory(symbol),
                                 {kind: (40, 0, 0, 60) if kind == SINGLE_USE else (100, 0, 0, 0)})

    def test_N24_terminal_rows_never_change(self):
        """An accept, a cancel or the passing of time does not change rows at 52, 56 and 67."""
        self.offered("canceled", "GME")
        self.cancel("canceled")
        self.quote("rejected", "AAPL")
        self.quote("expired", "AMC")
        self.p.advance("40s")
        before = self.rows()
        for quote_id in ("canceled", "rejected", "expired", "expired.SU"):
            self.accept(quote_id)
            self.cancel(quote_id)
        self.p.advance("60s")
        self.assertEqual(self.rows(), before)
        self.assertEqual(self.get("locates/inventory"), {"locateInventory": []})


class Kept(Locates):
    def test_locates_survive_a_kill(self):
        """After a kill rows, offers and their times, the inventory, queued credits, the market's pools and used ids
        are still there."""
        with SomeFile() as path:
            self.p.stop()
            self.p = Paper("--db", path)
            self.symbol("GME", available=500)
            self.symbol("XYZ", borrow="hard", available=1000)
            self.located("a", quantity=300)
            self.assertEqual(self.shorts(100), "Filled")
            self.credit("s", quantity=100)
            self.quote("b", "AMC")
            self.quote("c", "NOSUCH")
            self.p.advance("2s")
            self.quote("d", "XYZ")
            before = self.rows(), self.get("locates/inventory"), self.detail()
            self.assertEqual(self.p.stop(signal.SIGKILL), -signal.SIGKILL)
            self.p = Paper("--db", path, clock="2026-01-15T15:00:05Z")
            self.addCleanup(lambda: self.p.stop())
            self.assertEqual((self.rows(), self.get("locates/inventory"), self.detail()), before)
            self.p.advance("3s")
            self.is_at(FILLED, "s")
            self.is_at(OFFERED, "d")
            self.accept("b.SU")
            self.is_at(FILLED, "b.SU")
            self.is_at(EXPIRED, "b")
            self.quote("a", "XYZ")
            self.is_rejected(1, "1", "a")
            self.covers(100)
            self.assertEqual(self.inventory(), {LOCATE: (200, 100, 0, 0)})
            self.p.advance("40s")
            self.is_at(EXPIRED, "d")
            self.quote("e", "GME", 400)
            self.is_rejected(16, "16", "e")


if __name__ == "__main__":
    unittest.main()
