"""The order object in the WebSocket shape, and its legs (group H of docs/readings.md): Portfolio pushes, and look-ups
of multi-leg orders."""
import unittest

from orders import CLEAN_KEYS, LEG_KEYS, Orders
from paper import Paper, leg, occ, spread, stock

RENAMED = {"accountId": "account", "clientOrderId": "userOrderId", "canceledQuantity": "cancelledQuantity",
           "lastQuantity": "lastQty", "maxDisplayQuantity": "maxDisplayQty"}
EXTRA = {"lvsQty", "status", "accountType", "condition", "legIndex", "mlegID", "startTimeET", "sourceSystem"}


class Shape(Orders):
    def pushes(self, body, account=None):
        """Returns the pushes for one order, the last of which says that it is filled."""
        stream = self.p.portfolio(account or self.account, subscriptions=["Order"])
        self.filled(body, account)
        rows = [stream.order() for _ in range(3)]
        self.assertEqual([r["orderStatus"] for r in rows], ["PendingNew", "New", "Filled"])
        return rows

    def push(self):
        """Returns the newest push of a filled stock order, and its row in the clean shape."""
        return self.pushes(stock("a:b"))[-1], self.p.lookup("a:b").json

    def test_H1_the_same_values_under_other_keys(self):
        """The pushes, and the look-ups of multi-leg orders once legs is populated, have the values of the rows of
        POST, look-up and list."""
        self.account = "LIVE0001"
        one = self.pushes(stock("one", route="SMART"))[-1], self.p.lookup("one", self.account).json
        body = self.vertical("two")
        stream = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.filled(body)
        listed = self.get("orders")["orders"]
        pushed = [stream.order() for _ in range(3)][-1]
        two = self.p.lookup("two", self.account).json, next(r for r in listed if r["clientOrderId"] == "two")
        for frame, clean in (one, two, (pushed, two[1])):
            self.assertEqual(list(clean), CLEAN_KEYS)
            self.assertEqual(set(frame), {RENAMED.get(k, k) for k in CLEAN_KEYS} | EXTRA)
            for key, value in clean.items():
                if key == "clientOrderId":
                    value = f"LIVE0001:{value}"
                if frame is not pushed or key not in ("legs", "legCount", "side"):  # these come a little later
                    self.assertEqual(frame[RENAMED.get(key, key)], value, key)
        self.assertEqual((two[0]["side"], len(two[0]["legs"])), ("Buy", 2))

    def test_H2_account(self):
        frame, _ = self.push()
        self.assertEqual(frame["account"], "PAPER0001")
        self.assertNotIn("accountId", frame)

    def test_H3_user_order_id(self):
        """The field is <account_id>:<client_order_id>, whatever characters the client order id has."""
        frame, _ = self.push()
        self.assertEqual(frame["userOrderId"], "PAPER0001:a:b")
        self.assertNotIn("clientOrderId", frame)
        stream = self.p.portfolio()
        for order_id in ('"', "\\", "\u00e9:"):
            self.taken(stock(order_id, limitPrice=1))
            self.assertEqual(stream.order()["userOrderId"], "PAPER0001:" + order_id)

    def test_H5_cancelled_quantity(self):
        """The push spells the key with two l."""
        stream = self.p.portfolio()
        self.send("a", limitPrice=-1)
        frame = stream.order()
        self.assertEqual(frame["cancelledQuantity"], 10)
        self.assertNotIn("canceledQuantity", frame)

    def test_H6_last_qty(self):
        """The key of the price is lastPrice in both shapes; that of the quantity differs."""
        frame, clean = self.push()
        self.assertEqual((frame["lastQty"], frame["lastPrice"]), (10, 190.01))
        self.assertEqual(clean["lastQuantity"], 10)
        self.assertFalse({"lastQuantity", "lastPx"} & set(frame))

    def test_H7_leaves_twice(self):
        """The frame has leavesQuantity and lvsQty, which are equal."""
        for frame, left in zip(self.pushes(stock()), (10, 10, 0)):
            self.assertEqual((frame["leavesQuantity"], frame["lvsQty"]), (left, left))

    def test_H8_max_display_qty(self):
        frame, clean = self.push()
        self.assertEqual((frame["maxDisplayQty"], clean["maxDisplayQuantity"]), (0, 0))
        self.assertNotIn("maxDisplayQuantity", frame)

    def test_H9_status_and_order_status(self):
        """The frame has both fields, and they are equal."""
        self.assertEqual([f["status"] for f in self.pushes(stock())], ["PendingNew", "New", "Filled"])

    def test_H10_account_type(self):
        for account, kind in (("PAPER0001", "Paper"), ("LIVE0001", "Live")):
            body = {**stock("a"), "route": "SMART"} if kind == "Live" else stock("a")
            self.assertEqual([f["accountType"] for f in self.pushes(body, account)], [kind] * 3)

    def test_H11_condition_leg_index_source_system(self):
        frame, _ = self.push()
        self.assertEqual((frame["condition"], frame["legIndex"], frame["sourceSystem"]), (None, 0, "PAPER"))

    def test_H12_mleg_id(self):
        """mlegID is a number, is only in this shape, and is 0 for a single-leg order."""
        self.assertEqual(self.push()[0]["mlegID"], 0)
        self.taken(spread("m"))
        for reply in (self.p.lookup("m"), self.p.get("accounts/PAPER0001/orders")):
            self.assertNotIn("mlegID", reply.text)
        self.p.advance("1s")
        self.assertRegex(self.p.lookup("m").text, r'"mlegID":[1-9][0-9]*,')

    def test_H13_start_time_et(self):
        """The time is that of New York, in summer and in winter."""
        for clock, eastern in (("2026-01-15T15:00:00Z", "2026-01-15T10:00:00.0000000-05:00"),
                               ("2026-07-15T15:00:00Z", "2026-07-15T11:00:00.0000000-04:00")):
            with Paper(clock=clock) as p:
                stream = p.portfolio()
                p.order(stock("a"))
                self.assertEqual(stream.order()["startTimeET"], eastern)

    def test_H14_the_raw_side(self):
        """A short sale is Sell in the push, and SellShort in GET /orders."""
        stream = self.p.portfolio()
        self.send("short", side="Sell", limitPrice=500)
        self.assertEqual(stream.order()["side"], "Sell")
        self.assertEqual(self.listed("short")["side"], "SellShort")


class Legs(Orders):
    def legs(self, body):
        """Fill the order. Returns the legs of its row."""
        row = self.filled(body)
        self.assertEqual(row["legCount"], len(body["legs"]))
        return row["legs"]

    def butterfly(self, **changes):
        symbols = self.priced((185, 190, 195), (9, 5, 3))
        legs = [leg(symbol, side, ratio=ratio) for symbol, side, ratio in zip(symbols, ("Buy", "Sell", "Buy"),
                                                                              (1, 2, 1))]
        return spread("fly", legs=legs, **{"limitPrice": 2, "orderQuantity": 3, **changes})

    def covered(self):
        self.p.quote("AAPL", 190, 190, 190)
        call, = self.priced((200,), (2,))
        return spread("cc", legs=[leg("AAPL", "Buy", ratio=100), leg(call, "Sell")], limitPrice=188)

    def test_H15_index(self):
        """The index counts from zero, in the order in which the legs were sent."""
        body = self.butterfly()
        body["legs"] = body["legs"][::-1]
        legs = self.legs(body)
        self.assertEqual([(one["index"], one["symbol"]) for one in legs],
                         [(i, sent["symbol"]) for i, sent in enumerate(body["legs"])])

    def test_H16_symbol(self):
        """The symbol is the contract, or the bare ticker of a stock leg."""
        self.assertEqual([one["symbol"] for one in self.legs(self.covered())], ["AAPL", occ(strike=200)])

    def test_H17_side(self):
        self.assertEqual([one["side"] for one in self.legs(self.butterfly())], ["Buy", "Sell", "Buy"])

    def test_H18_qty(self):
        """qty is ratio x orderQuantity: a butterfly x 3 has 3, 6, 3; the stock of a covered call has 100."""
        self.assertEqual([one["qty"] for one in self.legs(self.butterfly())], [3, 6, 3])
        self.assertEqual([one["qty"] for one in self.legs(self.covered())], [100, 1])

    def test_H19_lvs_qty(self):
        """lvsQty is the whole quantity while the order works, and 0 once it is filled."""
        self.taken(self.butterfly(limitPrice=0.5))
        self.p.advance("1s")
        self.assertEqual([one["lvsQty"] for one in self.row("fly")["legs"]], [3, 6, 3])
        self.p.quote(occ(strike=190), 6, 6, 6)
        self.assertEqual(self.row("fly")["orderStatus"], "Filled")
        self.assertEqual([one["lvsQty"] for one in self.row("fly")["legs"]], [0, 0, 0])

    def test_H20_last_qty_and_last_px(self):
        self.taken(self.butterfly(limitPrice=0.5))
        self.p.advance("1s")
        self.assertEqual([(one["lastQty"], one["lastPx"]) for one in self.row("fly")["legs"]], [(0, 0)] * 3)
        self.p.quote(occ(strike=190), 5.95, 5.95, 5.95)
        legs = self.p.lookup("fly").json["legs"]
        self.assertEqual([(one["lastQty"], one["lastPx"]) for one in legs], [(3, 9), (6, 5.95), (3, 3)])

    def test_H21_avg_px(self):
        """avgPx is the leg's own; together the legs give the envelope's priceAvg."""
        row = self.filled(self.butterfly())
        self.assertEqual([one["avgPx"] for one in row["legs"]], [9, 5, 3])
        self.assertEqual(row["priceAvg"], 9 - 2 * 5 + 3)

    def test_H22_cxl_qty(self):
        self.taken(self.butterfly(limitPrice=0.5))
        self.p.advance("1s")
        self.assertEqual([one["cxlQty"] for one in self.row("fly")["legs"]], [0, 0, 0])
        self.p.cancel("fly")
        self.p.advance("1s")
        row = self.row("fly")
        self.assertEqual((row["orderStatus"], [one["cxlQty"] for one in row["legs"]]), ("Canceled", [3, 6, 3]))

    def test_H23_open_close(self):
        """Each leg has its openClose. The request's ratio is not among the ten keys."""
        body = self.butterfly()
        self.assertEqual([one["openClose"] for one in self.legs(body)], ["Open"] * 3)
        legs = self.legs(self.closing(body, "close"))
        self.assertEqual([one["openClose"] for one in legs], ["Close"] * 3)
        self.assertEqual([list(one) for one in legs], [LEG_KEYS] * 3)


class Envelope(Orders):
    def number(self, body):
        return self.filled(body)["mlegID"]

    def test_H24_T23_the_close_has_the_number_of_its_open(self):
        """A close has the mlegID of the oldest order with the same legs and ratios that is still open; another spread
        has another mlegID."""
        first, second = self.number(self.vertical("a")), self.number(self.vertical("b"))
        other = self.number(spread("c", legs=[leg(occ(strike=180), "Buy"), leg(occ(strike=185), "Sell")],
                                   orderType="Market", limitPrice=None))
        self.assertEqual(len({first, second, other}), 3)
        closes = [self.number(self.closing(self.vertical("a"), order_id)) for order_id in ("x", "y")]
        self.assertEqual(closes, [first, second])

    def test_H24_a_close_that_comes_to_nothing_leaves_the_number(self):
        """A close that is rejected at once, a duplicate or canceled leaves the number to the next close."""
        first = self.number(self.vertical("a"))
        self.rejected(self.closing(self.vertical("a"), "dear", limitPrice=-1), "R145: ")
        self.rejected(self.closing(self.vertical("a"), "a"), "R114: ")
        self.taken(self.closing(self.vertical("a"), "late", limitPrice=4))
        self.p.advance("1s")
        self.p.cancel("late")
        self.p.advance("1s")
        self.assertEqual((self.row("late")["orderStatus"], self.row("late")["mlegID"]), ("Canceled", first))
        self.assertEqual(self.number(self.closing(self.vertical("a"), "x")), first)

    def test_H24_an_envelope_closed_in_parts(self):
        """One envelope of 2 is closed by two orders of 1: all three have the same number."""
        first = self.number(self.vertical("a", orderQuantity=2))
        self.assertEqual([self.number(self.closing(self.vertical("a"), i)) for i in "xy"], [first, first])

    def test_H25_a_market_envelope_gets_its_limit_from_the_legs(self):
        """The limit is positive and is the net price of the legs, for a debit and for a credit."""
        for order_id, side in (("a", "Buy"), ("b", "Sell")):
            body = self.vertical(order_id, side, orderType="Market", limitPrice=None)
            self.assertEqual(self.taken(body)["limitPrice"], 0)
            self.p.advance("1s")
            row = self.row(order_id)
            self.assertEqual((row["orderStatus"], row["limitPrice"], row["priceAvg"]), ("Filled", 2, 2))
            low, high = (one["avgPx"] for one in row["legs"])
            self.assertEqual(low - high, row["limitPrice"])


if __name__ == "__main__":
    unittest.main()
