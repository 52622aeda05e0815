"""Rejections of orders: 200 with orderStatus Rejected and a code in text (Y36 to Y47 of docs/readings.md); which order
gets which code, and when (CON-24)."""
import re
import unittest

from paper import leg, occ, option, spread, stock
from reading_case import ReadingCase


class Rejections(ReadingCase):
    def rejected(self, code, account=None, kind=stock, **changes):
        """Assert that the answer itself says Rejected, with that code first."""
        return self.reads(self.post(account, kind, changes), code)

    def rejected_later(self, code, account=None, kind=stock, **changes):
        """Assert that the answer is PendingNew without a text, and Rejected 50 ms later."""
        row = self.post(account, kind, changes)
        self.assertEqual((row["orderStatus"], row["text"]), ("PendingNew", None))
        self.p.advance("50ms")
        return self.reads(self.p.lookup(row["clientOrderId"], account or self.account).json, code)

    def post(self, account, kind, changes):
        account = account or self.account
        if account == "LIVE0001":
            changes = {"route": {stock: "SMART", option: "SMARTO", spread: "SMARTM"}[kind], **changes}
        reply = self.p.order(kind(**changes), account)
        self.assertEqual(reply.status, 200, reply.text)
        return reply.json

    def reads(self, row, code):
        self.assertEqual((row["orderStatus"], row["executed"], row["leavesQuantity"], row["canceledQuantity"]),
                         ("Rejected", 0, 0, row["orderQuantity"]))
        self.assertTrue(row["text"].startswith(code + ": "), row["text"])
        self.assertEqual(re.findall(r"\bR\d+\b", row["text"]), [code], "the first and only code")
        return row


BOTH = ("LIVE0001", "PAPER0001")


class Codes(Rejections):
    def test_Y36_with_http_200_in_text(self):
        """orderStatus is Rejected, the code is the first word of text, and a look-up gives the same."""
        row = self.rejected("R145", limitPrice=-1)
        self.assertEqual(self.p.lookup(row["clientOrderId"], "LIVE0001").json["text"], row["text"])

    def test_Y37_R24_is_live_and_later(self):
        """The text of the reason varies. On paper the rejection comes at once, without the code."""
        for reason, kind, changes in (
                ("time in force ImmediateOrCancel", stock, {"timeInForce": "ImmediateOrCancel"}),
                ("route SMARTO does not take Stock", stock, {"route": "SMARTO"}),
                ("insufficient buying power", stock, {"orderQuantity": 600}),
                ("GME is hard to borrow", stock, {"symbol": "GME", "side": "Sell", "limitPrice": 25}),
                ("unknown symbol NOSUCH", stock, {"symbol": "NOSUCH"}),
                ("clientOrderId is longer", stock, {"order_id": "x" * 37}),
                ("closing 10 AAPL", stock, {"side": "Sell", "openClose": "Close"}),
                ("time in force GoodTillCancel", spread, {"timeInForce": "GoodTillCancel"})):
            row = self.rejected_later("R24", kind=kind, **changes)
            self.assertIn(reason, row["text"])
        self.p.control("PUT", "accounts/LIVE0001", {"optLevel": 1})
        self.assertIn("option level", self.rejected_later("R24", kind=option)["text"])
        row = self.post("PAPER0001", stock, {"symbol": "NOSUCH"})
        self.assertEqual((row["orderStatus"], row["text"]), ("Rejected", "unknown symbol NOSUCH"))

    def test_Y38_Q29_Q30_R54_no_or_unknown_route(self):
        """The rejection comes at once, on both accounts."""
        self.rejected("R54", route=None)
        for account in BOTH:
            for route in ("NOSUCH", "smart", "paper"):
                self.rejected("R54", account, route=route)

    def test_Y40_S8_R88_invalid_stop_price(self):
        """A Stop or StopLimit without a stopPrice or with 0 is R88; a negative one is R145."""
        for account in BOTH:
            for kind in (stock, option):
                for order_type in ("Stop", "StopLimit"):
                    for stop, code in ((None, "R88"), (0, "R88"), (-1, "R145")):
                        self.rejected(code, account, kind, orderType=order_type, stopPrice=stop)

    def test_Y41_Q40_R95_opening_both_ways(self):
        """A Buy+Open works, and a Sell+Open of the same symbol is R95."""
        for account in BOTH:
            route = {"route": "SMART"} if account == "LIVE0001" else {}
            self.p.order(stock("b", limitPrice=100, **route), account)
            self.rejected("R95", account, side="Sell", limitPrice=300)
            self.assertEqual(self.post(account, stock,
                                       {"symbol": "MSFT", "side": "Sell", "limitPrice": 900})["orderStatus"],
                             "PendingNew")

    def test_Y42_Q34_R114_duplicate_id(self):
        """The id stays used after a fill, a cancel and a rejection too; the first order is unchanged."""
        for account in BOTH:
            for order_id, changes in (("filled", {}), ("canceled", {"limitPrice": 1}),
                                      ("rejected", {"limitPrice": -1})):
                self.post(account, stock, {"order_id": order_id, **changes})
                self.p.advance("1s")
                if order_id == "canceled":
                    self.p.cancel(order_id, account)
                    self.p.advance("1s")
                before = self.p.lookup(order_id, account).json
                self.rejected("R114", account, order_id=order_id, symbol="MSFT")
                self.assertEqual((self.p.lookup(order_id, account).json, before["orderStatus"]),
                                 (before, order_id.capitalize()))

    def test_Y43_R118_stop_on_the_wrong_side(self):
        """A buy stop must be above the ask (190.01), and a sell stop below the bid (189.99). The rejection comes later
        on live, at once on paper."""
        for side, wrong, right in (("Buy", (190.01, 190, 150), 190.02), ("Sell", (189.99, 190, 250), 189.98)):
            stop = {"side": side, "orderType": "Stop", "limitPrice": None}
            for price in wrong:
                self.rejected_later("R118", **stop, stopPrice=price)
                self.rejected("R118", "PAPER0001", **stop, stopPrice=price)
            for account in BOTH:
                row = self.post(account, stock, {**stop, "stopPrice": right})
                self.assertEqual(row["orderStatus"], "PendingNew")
                self.p.cancel(row["clientOrderId"], account)
            self.p.advance("1s")

    def test_Y44_R130_cancel_of_a_rejected_order(self):
        """The answer is 200, and R130 replaces the text of the rejected order."""
        row = self.rejected("R145", limitPrice=-1)
        self.reads(self.p.cancel(row["clientOrderId"], "LIVE0001").json, "R130")
        self.reads(self.p.lookup(row["clientOrderId"], "LIVE0001").json, "R130")

    def test_Y45_R145_negative_or_invalid_price(self):
        """Without a price, with 0 or a negative one, and with more than two decimals at or above 1.00."""
        for account in BOTH:
            for price in (None, 0, -0.01):
                for kind in (stock, option, spread):
                    self.rejected("R145", account, kind, limitPrice=price)
            self.rejected("R145", account, limitPrice=1.005)
            self.assertEqual(self.post(account, stock, {"limitPrice": 0.9999})["orderStatus"], "PendingNew")

    def test_Y46_T2_R152_leg_of_another_symbol(self):
        """The rejection comes later, on both accounts."""
        legs = [leg(occ("MSFT", strike=190), "Buy"), leg(occ("MSFT", strike=195), "Sell")]
        for account in BOTH:
            self.rejected_later("R152", account, spread, legs=legs, symbol="AAPL")

    def test_Y47_no_code_is_invented(self):
        """A rejection without a documented code has plain text on paper, and R24 on live."""
        known = {"R24", "R54", "R78", "R88", "R95", "R114", "R118", "R130", "R145", "R152"}
        bad = ({"symbol": "NOSUCH"}, {"orderQuantity": 900000}, {"side": "Sell", "openClose": "Close"},
               {"openClose": "x"},
               {"route": "none"}, {"limitPrice": 0}, {"orderType": "Stop"}, {"symbol": "GME", "side": "Sell"})
        for account in BOTH:
            for changes in bad:
                self.post(account, stock, dict(changes))
        self.p.advance("1s")
        texts = {row["text"] for account in BOTH for row in self.get("orders", account)["orders"] if row["text"]}
        self.assertGreater(len(texts), 8)
        self.assertLessEqual({code for text in texts for code in re.findall(r"\bR\d+\b", text)}, known)


class OutsideHours(Rejections):
    clock = "2026-01-15T14:29:59.999Z"

    def test_Y39_R78_market_orders(self):
        """The order is sent one millisecond before 09:30, for stocks, options and spreads, on both accounts."""
        for account in BOTH:
            for kind in (stock, option, spread):
                self.rejected("R78", account, kind, orderType="Market", limitPrice=None)
        self.at("2026-01-15T14:30:00Z")
        for account in BOTH:
            self.assertEqual(self.post(account, stock, {"orderType": "Market", "limitPrice": None})["orderStatus"],
                             "PendingNew")


if __name__ == "__main__":
    unittest.main()
