"""The endpoints of locates (group V of docs/readings.md), their refusals (Y), rates (Z), and the paper account (B)."""
import unittest

from locates import (EXPIRED, FILLED, LOCATE, MISMATCH, OFFERED, PENDING, PRE_BORROW, QUOTING, REJECTED, SINGLE_USE,
                     Locates)
from paper import LIVE, PAPER, occ, stock


class Endpoints(Locates):
    def problems(self, body, call="quote"):
        """Returns the problem details of a 400."""
        reply = self.post(call, body)
        self.assertEqual(reply.status, 400, reply.text)
        self.assertIn("json", reply.headers["Content-Type"])
        doc = reply.json
        self.assertEqual((sorted(doc), doc["status"]), (["errors", "status", "title", "traceId", "type"], 400))
        for texts in doc["errors"].values():
            self.assertTrue(texts and all(isinstance(t, str) for t in texts))
        return sorted(doc["errors"])

    def body(self, **changes):
        body = {"account": self.account, "symbol": "GME", "quantity": 100, "quoteReqID": "q", **changes}
        return {k: v for k, v in body.items() if v is not None}

    def test_V1_write_responses_are_strings(self):
        """Each answer carries the text "true"."""
        self.assertEqual(self.post("quote", self.body()).text, '{"locateQuoteSent":"true"}')
        self.p.advance("2s")
        self.assertEqual(self.post("accept", {"accountId": self.account, "quoteReqID": "q"}).text,
                         '{"locateAcceptSent":"true"}')
        reply = self.p.call("DELETE", "/v1/api/accounts/locates/cancel/accounts/LIVE0001/quoteReqID/q", keys=LIVE)
        self.assertEqual(reply.text, '{"locateCancelSent":"true"}')
        reply = self.post("sell", self.body(quoteReqID="s", locateType="Locate"))
        self.assertEqual(reply.text, '{"locateSellSent":"true"}')

    def test_V2_quantity_is_100_to_2147483647(self):
        self.symbol("GME", available=2147483600)
        for quantity in (99, 2147483648, 10 ** 30, 100.5, "100", None, True):
            self.assertEqual(self.problems(self.body(quantity=quantity)), ["Quantity"], quantity)
        self.assertEqual(self.rows(), [])
        self.quote("least", "AMC", 100)
        self.offered("most", "GME", 2147483600)
        self.is_at(OFFERED, "most", locateShares=2147483600)

    def test_V3_below_100_is_refused_at_once(self):
        for quantity in (99, 0, -100):
            self.assertEqual(self.problems(self.body(quantity=quantity)), ["Quantity"], quantity)
        self.assertEqual(self.rows(), [])

    def test_V4_other_than_lots_is_refused_later(self):
        """A quantity of 150 is answered 200; the row then has status 56, error 67 and text R67."""
        self.quote(quantity=150)
        self.is_rejected(67, "R67")

    def test_V5_a_fresh_quote_id(self):
        """A missing or empty id is a 400. A used id is 56, with error 14 while the old quote is open, otherwise 1."""
        for quote_id in (None, "", 7):
            self.assertEqual(self.problems(self.body(quoteReqID=quote_id)), ["QuoteReqID"])
        self.offered()
        self.quote("q", "AMC")
        self.is_rejected(14, "14")
        self.accept()
        self.assertEqual([r["locateStatus"] for r in self.rows("q")], [FILLED, REJECTED])
        self.quote("q", "AMC")
        self.is_rejected(1, "1")
        self.quote("q", "AAPL", account="PAPER0001")
        self.assertEqual(self.rows("q", "PAPER0001")[0]["locateError"], 56, "ids are of an account")

    def test_V6_symbol_must_be_present(self):
        for symbol in (None, "", 5):
            self.assertEqual(self.problems(self.body(symbol=symbol)), ["Symbol"])

    def test_V7_options_are_not_locatable(self):
        self.quote(symbol=occ("GME", strike=25))
        self.is_rejected(11, "11")

    def test_V9_the_account_field_is_named_differently(self):
        """Quote and sell call the field account, accept calls it accountId, and cancel has the account in the path."""
        reply = self.post("quote", self.body(account=None, accountId="LIVE0001"))
        self.assertEqual((reply.status, reply.json), (400, MISMATCH))
        reply = self.post("accept", {"account": "LIVE0001", "quoteReqID": "q"})
        self.assertEqual((reply.status, reply.text), (400, "- (root): accountId is required"))
        reply = self.post("sell", self.body(account=None, accountId="LIVE0001", locateType="Locate"))
        self.assertEqual((reply.status, reply.text), (400, "- (root): account is required"))
        self.assertEqual(self.rows(), [])

    def test_V10_the_pair_of_a_threshold_symbol(self):
        """The rows have types 3 and 4, and the sibling is never dearer than the base row."""
        self.symbol("AMC", locatePrice=0.02, singleUsePrice=0.05)
        self.offered(symbol="AMC")
        base, sibling = self.rows()
        self.assertEqual((base["locateType"], sibling["locateType"]), (PRE_BORROW, SINGLE_USE))
        self.assertLessEqual(sibling["locatePrice"], base["locatePrice"])

    def test_V11_accept_by_the_exact_id(self):
        """Accepting <id>.SU gives that row the status 50, and the base row 67."""
        self.located(symbol="AMC", chosen=".SU")
        self.is_at(FILLED, "q.SU")
        self.is_at(EXPIRED, "q")
        self.assertEqual(self.inventory("AMC"), {SINGLE_USE: (100, 0, 0, 0)})

    def test_V12_accept_has_no_locate_type(self):
        """A locateType in the body is ignored."""
        self.offered(symbol="AMC")
        self.accept("q", locateType=4)
        self.assertEqual(self.inventory("AMC"), {PRE_BORROW: (100, 0, 0, 0)})

    def test_V13_accept_always_returns_200(self):
        """The answer is 200 also for a quote that is unknown, not offered yet, already accepted, or expired."""
        self.accept("nosuch")
        self.quote("early")
        self.accept("early")
        self.is_at(QUOTING, "early")
        self.p.advance("2s")
        self.accept("early")
        self.accept("early")
        self.quote("late", "AMC")
        self.p.advance("40s")
        self.accept("late")
        self.is_at(EXPIRED, "late")

    def test_V15_accepting_again_adds_nothing(self):
        self.located()
        before = self.detail()
        self.accept()
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})
        self.assertEqual(self.detail(), before)

    def test_V17_sell_types_are_strings(self):
        """The four strings are accepted; a number or another word is a 400."""
        self.located(quantity=400)
        for wrong in (1, None, "locate", "Both", True):
            reply = self.post("sell", {**self.body(quoteReqID="s"), "locateType": wrong})
            self.assertEqual(reply.status, 400, wrong)
            self.assertTrue(reply.text.startswith("- locateType: "), reply.text)
        self.assertEqual(len(self.rows()), 1)
        for kind, status in (("Unknown", PENDING), ("Locate", PENDING), ("PreBorrow", REJECTED),
                             ("SingleUse", REJECTED)):
            self.credit(kind, kind)
            self.is_at(status, kind)

    def test_V18_intraday_is_still_accepted(self):
        self.located()
        self.credit(kind="IntraDay")
        self.is_at(PENDING, "s", locateType=LOCATE)

    def test_V19_sell_has_the_same_range(self):
        """A quantity of 99 is a 400; one of 150 is answered 200, and the row is then 56 with error 67."""
        self.located(quantity=300)
        for quantity in (99, 0, 2147483648):
            body = self.body(quoteReqID="s", locateType="Locate", quantity=quantity)
            self.assertEqual(self.problems(body, "sell"), ["Quantity"])
        self.credit(quantity=150)
        self.is_rejected(67, "R67", "s")

    def test_V20_cancel_returns_200_for_any_id(self):
        """Cancel answers 200 for any id, but 400 for an account that is not the key's."""
        self.cancel("nosuch")
        reply = self.p.call("DELETE", "/v1/api/accounts/locates/cancel/accounts/PAPER0001/quoteReqID/q", keys=LIVE)
        self.assertEqual((reply.status, reply.json), (400, MISMATCH))

    def test_V21_cancel_does_not_roll_back(self):
        self.located()
        cash = self.detail()["availableCash"]
        self.cancel()
        self.assertEqual((self.inventory(), self.detail()["availableCash"]), ({LOCATE: (100, 0, 0, 0)}, cash))

    def test_V22_live_inventory(self):
        self.assertEqual(self.get("locates/inventory"), {"locateInventory": []})

    def test_V23_one_open_quote_a_symbol(self):
        """A second quote while one is at 81, 54 or 65 is 56 with error 14. Another symbol or account may have one."""
        self.quote("a")
        self.quote("b")
        self.is_rejected(14, "14", "b")
        self.p.advance("2s")
        self.quote("c")
        self.is_rejected(14, "14", "c")
        self.symbol("AMC", available=0)
        self.quote("d", "AMC")
        self.p.advance("25s")
        self.cancel("d.SU")
        self.is_at(PENDING, "d")
        self.p.advance("5s")
        self.quote("e", "AMC")
        self.is_rejected(14, "14", "e")

    def test_V24_a_queued_sell_does_not_block_a_quote(self):
        self.located()
        self.p.advance("30s")
        self.credit()
        self.quote("next")
        self.is_at(QUOTING, "next")

    def test_V25_cooldown_between_quotes_of_a_symbol(self):
        """After a quote and a cancel, a quote 10 s later is 200 and then 56; after exactly 30 s it is allowed. A 400
        starts no cooldown."""
        self.problems(self.body(quantity=1))
        self.quote("a")
        self.cancel("a")
        self.p.advance("10s")
        self.quote("b")
        self.is_rejected(14, "14", "b")
        self.p.advance("20s")
        self.quote("c")
        self.is_at(QUOTING, "c")

    def test_V25_the_cooldown_runs_from_an_accepted_quote_too(self):
        self.located("a")
        self.p.advance("27s")
        self.quote("b")
        self.is_rejected(14, "14", "b")
        self.p.advance("1s")
        self.quote("c")
        self.is_at(QUOTING, "c")

    def test_V25_CON_29_the_cooldown_runs_from_a_rejected_quote_too(self):
        """The cooldown runs however the first quote ended, even for an odd lot or too few shares. A quote that
        violates it does not start it again."""
        for symbol, quantity, error, text in (("GME", 150, 67, "R67"), ("AMC", 10 ** 9, 16, "16")):
            self.quote("x" + symbol, symbol, quantity)
            self.is_rejected(error, text, "x" + symbol)
        self.p.advance("29999ms")
        for symbol in ("GME", "AMC"):
            self.quote("y" + symbol, symbol)
            self.is_rejected(14, "14", "y" + symbol)
        self.p.advance("1ms")
        for symbol in ("GME", "AMC"):
            self.quote("z" + symbol, symbol)
            self.is_at(QUOTING, "z" + symbol)

    def test_V26_what_a_sell_may_give_back(self):
        """Types 1-3 may be sold while they are not used by a working or filled short; type 4 only if never used.
        Otherwise 56, error 16."""
        self.located(quantity=300)
        self.assertEqual(self.shorts(100), "Filled")
        self.p.order(stock("rest", symbol="GME", side="Sell", orderQuantity=100, limitPrice=30, route="SMART"),
                     self.account)
        self.p.advance("1s")
        self.credit("tied", quantity=200)
        self.is_rejected(16, "16", "tied")
        self.credit("free", quantity=100)
        self.is_at(PENDING, "free")

    def test_V27_paper_inventory_is_empty(self):
        self.assertEqual(self.get("locates/inventory", "PAPER0001"), {"locateInventory": []})

    def test_V28_the_listed_sell_body_has_no_symbol(self):
        """Without a symbol the id must name the filled quote; an id that names none is 56 with error 1."""
        self.located(symbol="AMC", chosen=".SU")
        self.credit("q.SU", "Unknown", symbol=None)
        self.is_at(PENDING, "q.SU", symbol="AMC", locateType=SINGLE_USE)
        self.credit("nosuch", symbol=None)
        self.is_rejected(1, "1", "nosuch")


class Refusals(Locates):
    def test_Y13_bodies_that_are_no_json_object(self):
        """The answer is 400 in plain text."""
        for call in ("quote", "accept", "sell"):
            for body in ("{", "[]", "", '{"account":}', "7", '{} x'):
                reply = self.post(call, body)
                self.assertEqual((reply.status, reply.headers["Content-Type"].split(";")[0]), (400, "text/plain"),
                                 (call, body))

    def test_Y21_quantity_out_of_range(self):
        """The problem details have errors.Quantity, type, title, status and traceId."""
        reply = self.post("quote", {"account": "LIVE0001", "symbol": "GME", "quantity": 99, "quoteReqID": "q"})
        self.assertEqual(reply.status, 400)
        self.assertIn("json", reply.headers["Content-Type"])
        doc = reply.json
        self.assertEqual(sorted(doc), ["errors", "status", "title", "traceId", "type"])
        self.assertEqual((list(doc["errors"]), doc["status"]), (["Quantity"], 400))
        self.assertIsInstance(doc["errors"]["Quantity"][0], str)
        self.assertRegex(doc["traceId"], r"^00-[0-9a-f]{32}-[0-9a-f]{16}-00$")

    def test_Y22_account_missing_or_not_resolved(self):
        """The answer is 400 with JSON: statusCode, message, and detail null."""
        quote = {"symbol": "GME", "quantity": 100, "quoteReqID": "q"}
        for account in ({}, {"account": "PAPER0001"}, {"account": ""}, {"account": None}, {"account": 5}):
            reply = self.post("quote", {**quote, **account})
            self.assertEqual((reply.status, reply.json), (400, MISMATCH), account)
            self.assertIn("application/json", reply.headers["Content-Type"])
        for call, body in (("accept", {"accountId": "PAPER0001", "quoteReqID": "q"}),
                           ("sell", {"account": "PAPER0001", "quoteReqID": "q", "locateType": "Locate",
                                     "quantity": 100})):
            reply = self.post(call, body)
            self.assertEqual((reply.status, reply.json), (400, MISMATCH), call)

    def test_Y23_accept_or_sell_without_a_field(self):
        """The answer is 400 in plain text, with a line for each missing field."""
        for call, body, fields in (("accept", {}, ["accountId", "quoteReqID"]),
                                   ("accept", {"accountId": "LIVE0001"}, ["quoteReqID"]),
                                   ("sell", {}, ["account", "quoteReqID", "locateType", "quantity"]),
                                   ("sell", {"account": "LIVE0001", "quantity": 100}, ["quoteReqID", "locateType"])):
            reply = self.post(call, body)
            self.assertEqual((reply.status, reply.headers["Content-Type"].split(";")[0]), (400, "text/plain"))
            self.assertEqual(reply.text.split("\n"), [f"- (root): {f} is required" for f in fields])

    def test_Y48_Y49_easy_to_borrow(self):
        self.quote(symbol="AAPL")
        self.is_rejected(56, "R56")

    def test_Y50_restricted(self):
        """The text is R06, but the error is 4."""
        self.symbol("AAPL", borrow="restricted")
        self.quote(symbol="AAPL")
        self.is_rejected(4, "R06")

    def test_Y51_not_a_multiple_of_100(self):
        self.quote(quantity=101)
        self.is_rejected(67, "R67")

    def test_Y52_no_shares(self):
        self.symbol("GME", available=0)
        self.quote()
        self.is_rejected(11, "11")

    def test_Y53_already_pending(self):
        self.quote("a")
        self.quote("b")
        self.is_rejected(14, "14", "b")

    def test_Y54_insufficient_shares(self):
        """A sell of more than is available, or a quote of more than the pool has, is refused."""
        self.located()
        self.credit(quantity=200)
        self.is_rejected(16, "16", "s")
        self.symbol("AMC", available=100, availableSingleUse=200)
        self.quote("big", "AMC", 300)
        self.is_rejected(16, "16", "big")

    def test_Y55_system_error(self):
        self.credit("nosuch", symbol=None)
        self.is_rejected(1, "1", "nosuch")

    def test_Y56_error_and_status_are_independent(self):
        """Status 67 has error 0, and status 56 has error 67."""
        self.quote("a")
        self.quote("b", "AMC", 150)
        self.p.advance("40s")
        self.is_at(EXPIRED, "a", locateError=0)
        self.is_at(REJECTED, "b", locateError=67)

    def test_Y57_expired_offers(self):
        self.offered()
        self.p.advance("30s")
        self.is_at(EXPIRED, text="Quote expired.")

    def test_CON_7_reads_of_a_foreign_account(self):
        """Reads are answered 404, unlike writes."""
        for path in ("locates/history", "locates/inventory"):
            self.assertEqual(self.p.get("accounts/PAPER0001/" + path, LIVE).status, 404)


class PaperAccount(Locates):
    def test_B5_B7_B8_a_quote_ends_rejected(self):
        """The call is answered 200, and the row is then 56; the paper account has no inventory, and its short sales
        need none."""
        for i, symbol in enumerate(("AAPL", "GME", "AMC", "NOSUCH")):
            self.quote(f"p{i}", symbol, account="PAPER0001")
        self.assertEqual([(r["locateStatus"], r["locateError"]) for r in self.rows(account="PAPER0001")],
                         [(REJECTED, 56)] * 4)
        body = {"accountId": "PAPER0001", "quoteReqID": "p1"}
        self.assertEqual(self.post("accept", body, PAPER).json, {"locateAcceptSent": "true"})
        self.p.advance("40s")
        self.assertEqual(self.get("locates/inventory", "PAPER0001"), {"locateInventory": []})
        self.send("short", "PAPER0001", symbol="GME", side="Sell", limitPrice=20)
        self.p.advance("1s")
        self.assertEqual(self.status("short", "PAPER0001"), "Filled")

    def test_B7_the_400s_still_apply(self):
        body = {"account": "PAPER0001", "symbol": "GME", "quantity": 99, "quoteReqID": "q"}
        self.assertEqual(self.post("quote", body, PAPER).status, 400)

    def test_B9_live_has_the_whole_workflow(self):
        """A quote leads to 65, an accept to 50, the shares are in the inventory, and a short sale uses them."""
        self.offered()
        self.is_at(OFFERED)
        self.accept()
        self.is_at(FILLED)
        self.assertEqual(self.inventory(), {LOCATE: (100, 0, 0, 0)})
        self.assertEqual(self.shorts(100), "Filled")


if __name__ == "__main__":
    unittest.main()
