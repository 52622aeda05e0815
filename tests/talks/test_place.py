"""Placing an order: its fields and the rules for them (group Q of docs/readings.md; the codes of Q29, Q30, Q34 and Q40
are in test_reject_codes, the locate of Q28 in test_locate_readings)."""
import decimal
import signal
import unittest
import urllib.parse

from orders import Orders, exact, live, raw
from paper import Paper, SomeFile, leg, occ, option, spread, stock
from reading_case import CONTRACT

D = decimal.Decimal
TIFS = "Day GoodTillCancel AtTheOpening ImmediateOrCancel FillOrKill GoodTillCrossing Day_Plus GTC_Plus".split()
PATTERN = "- symbol: Does not match pattern '^[a-zA-Z0-9._-]+$'"


def one_of(field, *words):
    return f"- {field}: {field} must be one of the following: " + ", ".join(f'"{w}"' for w in words)


class Words(Orders):
    def test_Q1_enums_are_case_sensitive(self):
        """stock, BUY, limit or day is a 400; a wrong case of openClose is a 200 (Q32)."""
        self.refused(stock(securityType="stock"), one_of("securityType", "Stock", "Option", "Mleg"))
        for side in ("BUY", "buy", "sELL"):
            self.refused(stock(side=side), one_of("side", "Buy", "Sell"))
        for kind in ("limit", "LIMIT", "stopLimit"):
            self.refused(stock(orderType=kind), one_of("orderType", "Market", "Limit", "Stop", "StopLimit"))
        for tif in ("day", "DAY", "goodTillCancel"):
            self.refused(stock(timeInForce=tif), one_of("timeInForce", *TIFS))
        self.assertEqual(self.p.order(stock(openClose="OPEN")).status, 200)

    def test_Q2_security_type(self):
        """The field is required, and is Stock, Option or Mleg."""
        self.refused(stock(securityType=None), "- (root): securityType is required")
        for word in ("MLEG", "Future", ""):
            self.refused(stock(securityType=word), one_of("securityType", "Stock", "Option", "Mleg"))
        for body in (stock(), option(), spread()):
            self.taken(body)

    def test_Q3_symbol(self):
        """The field is required, and has letters, digits, dots, underscores and hyphens."""
        self.refused(stock(symbol=None), "- (root): symbol is required")
        for symbol in ("BRK/B", "A B", "A@", ""):
            self.refused(stock(symbol=symbol), PATTERN)
        for symbol in ("BRK.B", "A-B", "a_b", "0", "-"):
            self.taken(stock(symbol=symbol))

    def test_Q4_the_whole_symbol_must_match(self):
        """A line end or NUL behind the symbol, a blank before it, and letters beyond ASCII are refused."""
        for symbol in ("AAPL\n", "\nAAPL", "A\nB", " AAPL", "AAPL ", "\u00c5APL", "\uff21APL", "AAPL\u0301", "AAPL\r",
                       "[A]"):
            self.refused(stock(symbol=symbol), PATTERN)
        reply = self.p.order(stock(symbol="AAPL\0X"))
        self.assertEqual((reply.status, reply.headers["Content-Type"]), (400, "text/plain; charset=utf-8"))

    def test_Q5_what_a_symbol_is_of_each_type(self):
        """The symbol is a ticker, a contract or an underlying, by the type; an order with another kind of symbol is
        accepted and then Rejected."""
        for body, ok in ((stock(), True), (option(), True), (spread(), True), (stock(symbol=CONTRACT), False),
                         (option(symbol="AAPL"), False), (spread(symbol=CONTRACT), False)):
            row = self.taken(body)
            self.p.advance("1s")
            self.assertEqual(self.status(row["clientOrderId"]) != "Rejected", ok, body)

    def test_Q7_case_is_not_changed(self):
        """aapl is echoed unchanged and is not a symbol: Rejected, on live once routed."""
        row = self.rejected(stock(symbol="aapl"), "unknown symbol aapl")
        self.assertEqual(row["symbol"], "aapl")
        self.assertEqual(self.rejected_later(live(stock(symbol="aapl")), "R24: unknown symbol aapl")["symbol"], "aapl")

    def test_Q8_side(self):
        """The field is required except for Mleg, and is Buy or Sell."""
        for body in (stock, option):
            self.refused(body(side=None), "- (root): side is required")
            self.refused(body(side="Short"), one_of("side", "Buy", "Sell"))
        self.taken(spread())

    def test_Q27_no_sell_short_nor_buy_to_cover(self):
        for body in (stock, option):
            for side in ("SellShort", "BuyToCover"):
                self.refused(body(side=side), one_of("side", "Buy", "Sell"))

    def test_Q9_open_close(self):
        """openClose is required for stocks. An option without it closes what it can, otherwise it opens. On Mleg it is
        ignored at the root."""
        self.refused(stock(openClose=None), "- (root): openClose is required")
        for side, effect in (("Buy", "Open"), ("Sell", "Close"), ("Sell", "Open"), ("Buy", "Close")):
            self.p.quote(CONTRACT, 5, 5, 5)
            self.assertEqual(self.filled(option(side=side, openClose=None, limitPrice=5))["openClose"], effect)
        self.assertEqual(self.taken(spread(openClose="Close"))["openClose"], "Open")

    def test_Q32_a_wrong_case_of_open_close(self):
        """The answer is 200 and Rejected at once, on live too, and echoes Unknown. Any other word has the same
        effect."""
        for word in ("open", "CLOSE", "Opening", ""):
            for account, body in (("PAPER0001", stock(openClose=word)), ("LIVE0001", live(stock(openClose=word))),
                                  ("PAPER0001", option(openClose=word))):
                self.assertEqual(self.rejected(body, "Invalid openClose", account)["openClose"], "Unknown")
        for value, given in ((1, "integer"), (None, "null"), (True, "boolean")):
            self.refused({**stock(), "openClose": value},
                         f"- openClose: Invalid type. Expected: string, given: {given}")

    def test_Q10_order_type(self):
        """The field is required, and is Market, Limit, Stop or StopLimit."""
        self.refused(stock(orderType=None), "- (root): orderType is required")
        for word in ("TrailStop", "MarketOnClose", ""):
            self.refused(stock(orderType=word), one_of("orderType", "Market", "Limit", "Stop", "StopLimit"))
        for kind in ("Market", "Limit", "Stop", "StopLimit"):
            self.assertEqual(self.taken(stock(orderType=kind, stopPrice=200))["orderStatus"], "PendingNew")

    def test_Q13_time_in_force(self):
        """The field is required, and is one of eight words."""
        self.refused(stock(timeInForce=None), "- (root): timeInForce is required")
        for word in ("GTC", "DAY", "day_plus", "DayPlus", "GTC_PLUS", ""):
            self.refused(stock(timeInForce=word), one_of("timeInForce", *TIFS))
        for tif in TIFS:
            self.assertEqual(self.taken(stock(timeInForce=tif, limitPrice=1))["orderStatus"], "PendingNew")


class Numbers(Orders):
    def test_Q11_order_quantity(self):
        """The field is required, and is 1 to 1,000,000."""
        self.refused(stock(orderQuantity=None), "- (root): orderQuantity is required")
        for quantity, line in ((0, "Must be greater than or equal to 1"), (-1, "Must be greater than or equal to 1"),
                               (1000001, "Must be less than or equal to 1e+06"),
                               (10 ** 30, "Must be less than or equal to 1e+06")):
            self.refused(stock(orderQuantity=quantity), f"- orderQuantity: {line}")
        for quantity in (1, 1000000):
            row = self.taken(stock(orderQuantity=quantity, symbol="F", limitPrice=0.5))
            self.assertEqual((row["orderStatus"], row["orderQuantity"]), ("PendingNew", quantity))

    def test_Q12_no_fractions(self):
        """1.5 and a text are a 400; 100.0 and 1e2 are whole numbers."""
        for value, given in ((1.5, "number"), ("100", "string"), (None, "null")):
            self.refused({**stock(), "orderQuantity": value},
                         f"- orderQuantity: Invalid type. Expected: integer, given: {given}")
        self.refused(raw(stock(), '"orderQuantity": 10', '"orderQuantity": 15e-1'),
                     "- orderQuantity: Invalid type. Expected: integer, given: number")
        for written, quantity in (("100.0", 100), ("1e2", 100), ("1.0E0", 1)):
            reply = self.p.order(raw(stock(limitPrice=1), '"orderQuantity": 10', f'"orderQuantity": {written}'))
            self.assertIn(f'"orderQuantity":{quantity},', reply.text)

    def test_Q14_limit_price_is_a_number(self):
        """A text or null is a 400; on Market and Stop orders limitPrice is ignored."""
        for value, given in (("1", "string"), (None, "null"), ([], "array")):
            self.refused({**stock(), "limitPrice": value},
                         f"- limitPrice: Invalid type. Expected: number, given: {given}")
        for changes in ({"orderType": "Market"}, {"orderType": "Stop", "stopPrice": 200}):
            row = self.taken(stock(limitPrice=0.01, **changes))
            self.assertEqual((row["orderStatus"], row["limitPrice"]), ("PendingNew", 0))

    def test_Q15_up_to_four_decimals(self):
        """1.2345 and 1.234500 pass, and 1.23456 is refused: the spelling decides."""
        for written, echo in (("1.2345", D("1.2345")), ("1.234500", D("1.2345")), ("12345e-4", D("1.2345")),
                              ("0.0003", D("0.0003")), ("1.0050", D("1.005"))):
            row = exact(self.p.order(raw(option(), '"limitPrice": 20', f'"limitPrice": {written}')))
            self.assertEqual((row["orderStatus"], row["limitPrice"]), ("PendingNew", echo))
        for written in ("1.23456", "1e-5", "0.00001", "1e-400", "1.00000000000000000000001"):
            for body in (option(limitPrice=20), stock(limitPrice=20)):
                self.refused(raw(body, '"limitPrice": 20', f'"limitPrice": {written}'),
                             "- limitPrice: Must be a multiple of 0.0001")

    def test_Q16_a_limit_order_without_a_limit(self):
        """The answer is 200; the limit becomes 0, and the order is Rejected."""
        for body in (stock, option):
            for changes in ({}, {"orderType": "StopLimit", "stopPrice": 200}):
                row = self.rejected(body(limitPrice=None, **changes), "R145: ")
                self.assertEqual(row["limitPrice"], 0)

    def test_Q17_stocks_at_or_above_1_use_two_decimals(self):
        """1.00 and 0.9999 pass, and 1.005 is Rejected. The rule does not apply to options, envelopes and stops."""
        for price, ok in ((1.00, True), (0.9999, True), (1.005, False), (1.0001, False), (190.01, True),
                          (190.011, False)):
            if ok:
                self.assertEqual(self.taken(stock(limitPrice=price))["orderStatus"], "PendingNew")
            else:
                self.rejected(stock(limitPrice=price), "R145: ")
        for body in (option(limitPrice=1.005), spread(limitPrice=1.005),
                     stock(orderType="Stop", limitPrice=None, stopPrice=200.005)):
            self.assertEqual(self.taken(body)["orderStatus"], "PendingNew")

    def test_Q18_stop_price(self):
        """It must be positive: 0 or none is R88, a negative one is R145, both with 200; a value that is not a number
        is a 400."""
        for kind in ("Stop", "StopLimit"):
            for stop, text in ((None, "R88: "), (0, "R88: "), (-1, "R145: ")):
                self.rejected(stock(orderType=kind, stopPrice=stop), text)
            for value, given in (("200", "string"), (None, "null"), ({}, "object")):
                self.refused({**stock(orderType=kind), "stopPrice": value},
                             f"- stopPrice: Invalid type. Expected: number, given: {given}")
            self.assertEqual(self.taken(stock(orderType=kind, stopPrice=190.02))["orderStatus"], "PendingNew")


class Ids(Orders):
    def test_Q19_client_order_id(self):
        """It may be any text, and the order is found by it. An empty id counts as none."""
        for order_id in ("a", "A", "a.b_c-1", "a b", "\u00fc%:", "x" * 200):
            self.assertEqual(self.taken(stock(order_id, limitPrice=1))["clientOrderId"], order_id)
            self.assertEqual(self.p.lookup(urllib.parse.quote(order_id, safe="")).json["clientOrderId"], order_id)
        self.assertRegex(self.taken(stock(clientOrderId=""))["clientOrderId"], "^[0-9]+$")
        self.refused({**stock(), "clientOrderId": 7}, "- clientOrderId: Invalid type. Expected: string, given: integer")

    def test_Q21_a_numeric_id_is_made_when_it_is_omitted(self):
        """Orders of every type get an id of their own, which works for look-up and cancel."""
        made = [self.taken(body)["clientOrderId"] for body in (stock(limitPrice=1), option(limitPrice=1),
                                                               spread(limitPrice=0.01))]
        self.assertEqual(len(set(made)), 3)
        for order_id in made:
            self.assertRegex(order_id, "^[0-9]+$")
            self.assertEqual(self.p.cancel(order_id).json["clientOrderId"], order_id)

    def test_Q22_order_id_is_not_recognized(self):
        """The order is accepted under a generated id, and the caller's orderId is lost."""
        row = self.taken({**stock(), "orderId": "mine"})
        self.assertRegex(row["clientOrderId"], "^[0-9]+$")
        self.assertEqual(self.p.lookup("mine").status, 404)

    def test_Q35_a_generated_id_is_used_up_too(self):
        """A generated id is used up too, and the generator skips ids that callers used."""
        made = self.taken(stock(limitPrice=1))["clientOrderId"]
        self.rejected(stock(made), "R114: ")
        self.taken(stock(str(int(made) + 1), limitPrice=1))
        self.assertEqual(self.taken(stock(limitPrice=1))["clientOrderId"], str(int(made) + 2))

    def test_Q33_an_id_is_used_up_for_good(self):
        """An id stays used after a cancel, over sessions and after a restart, for each account; a 400 uses none
        (CON-16)."""
        with SomeFile() as path:
            self.p.stop()
            self.p = Paper("--db", path)
            for order_id, changes in (("filled", {}), ("canceled", {"limitPrice": 1}),
                                      ("rejected", {"limitPrice": -1})):
                self.taken(stock(order_id, **changes))
            self.p.advance("1s")
            self.p.cancel("canceled")
            self.refused(stock("kept", side="x"), one_of("side", "Buy", "Sell"))
            self.at("2026-01-20T15:00:00Z")
            for _ in range(2):
                for order_id in ("filled", "canceled", "rejected"):
                    self.rejected(stock(order_id), "R114: ")
                    self.assertEqual(self.status(order_id), order_id.capitalize())
                self.p.stop(signal.SIGKILL)
                self.p = Paper("--db", path, clock="2026-01-21T15:00:00Z")
            self.assertEqual(self.taken(live(stock("filled")), "LIVE0001")["orderStatus"], "PendingNew")
            self.assertEqual(self.taken(stock("kept"))["orderStatus"], "PendingNew")
            self.p.stop()

    def test_Q39_a_routed_R118_rewrites_the_id(self):
        """The id is <id>INVALID in the answer, on look-up and in the pushes. The plain id is gone, and both are used
        up (CON-22)."""
        self.account = "LIVE0001"
        stream = self.p.portfolio("LIVE0001")
        stop = {"orderType": "Stop", "limitPrice": None, "stopPrice": 190.01}
        row = self.rejected_later(live(stock("st", **stop)), "R118: ")
        self.assertEqual(row["clientOrderId"], "stINVALID")
        self.assertEqual([stream.order()["userOrderId"] for _ in range(2)], ["LIVE0001:stINVALID"] * 2)
        self.assertEqual(self.p.lookup("st", "LIVE0001").status, 404)
        for order_id in ("st", "stINVALID"):
            self.rejected(live(stock(order_id)), "R114: ")
        self.assertEqual(self.rejected(stock("st", **stop), "R118: ", "PAPER0001")["clientOrderId"], "st")

    def test_Q39_a_rewritten_id_takes_no_other_order_s(self):
        """If <id>INVALID is an order already, the rejected order keeps its own id; after a restart too."""
        stop = {"orderType": "Stop", "limitPrice": None, "stopPrice": 190.01}
        with SomeFile() as path:
            self.p.stop()
            self.p = Paper("--db", path)
            self.taken(live(stock("stINVALID", limitPrice=1)), "LIVE0001")
            self.assertEqual(self.rejected_later(live(stock("st", **stop)), "R118: ")["clientOrderId"], "st")
            for _ in range(2):
                self.assertEqual([self.status(i, "LIVE0001") for i in ("stINVALID", "st")], ["New", "Rejected"])
                self.p.stop(signal.SIGKILL)
                self.p = Paper("--db", path, clock="2026-01-15T15:01:00Z")
            self.assertEqual(self.p.cancel("stINVALID", "LIVE0001").json["orderStatus"], "PendingCancel")
            self.p.stop()


class Rules(Orders):
    def test_Q23_route(self):
        """It must be exactly a routeName of the routes call; an empty one counts as none."""
        for account, body in (("PAPER0001", stock), ("LIVE0001", stock)):
            names = [r["routeName"] for r in self.get("routes", account)["routes"] if "Stock" in r["securityTypes"]]
            self.assertTrue(names)
            for name in names:
                row = self.taken(body(route=name), account)
                self.assertEqual((row["orderStatus"], row["route"]), ("PendingNew", name))
                for other in (name.lower(), name + " ", " " + name):
                    self.rejected(body(route=other), "R54: ", account)
        self.assertEqual(self.taken(stock(route=""))["route"], "PAPER")
        self.assertEqual(self.rejected(stock(route=""), "R54: ", "LIVE0001")["route"], "<no value>")
        self.refused({**stock(), "route": True}, "- route: Invalid type. Expected: string, given: boolean")

    def test_Q24_legs(self):
        """legs is an array, required for Mleg and ignored for other types."""
        body = spread()
        del body["legs"]
        self.refused(body, "- (root): legs is required")
        for value, given in (({}, "object"), ("x", "string"), (None, "null")):
            self.refused({**spread(), "legs": value}, f"- legs: Invalid type. Expected: array, given: {given}")
        for body in (stock(), option()):
            row = self.taken({**body, "legs": [leg("AAPL", "Buy")]})
            self.assertEqual((row["orderStatus"], row["legCount"], row["legs"]), ("PendingNew", 0, None))

    def test_Q25_200_says_that_the_body_was_valid_and_no_more(self):
        """PendingNew and Rejected both come with 200; a Rejected order holds, reserves and fills nothing."""
        before = self.detail()
        for body, status in ((stock(limitPrice=-1), "Rejected"), (stock(symbol="NOSUCH"), "Rejected"),
                             (stock("a", limitPrice=1), "PendingNew")):
            reply = self.p.order(body)
            self.assertEqual((reply.status, reply.json["orderStatus"]), (200, status))
        self.p.cancel("a")
        self.p.advance("1s")
        self.assertEqual((self.positions(), self.detail()), ([], before))

    def test_Q26_trader_actions(self):
        """Buy+Open buys, Sell+Close sells, Sell+Open sells short, and Buy+Close covers."""
        def held():
            return [(r["symbol"], r["side"], r["shares"]) for r in self.positions()]
        for side, effect, after in (("Buy", "Open", [("AAPL", "Long", 10)]), ("Sell", "Close", []),
                                    ("Sell", "Open", [("AAPL", "Short", 10)]), ("Buy", "Close", [])):
            self.trade(side, effect, 10, 190)
            self.assertEqual(held(), after)

    def test_Q38_rejections_once_routed(self):
        """On live the answer is PendingNew without a text, and the reason comes on look-up and on the stream; on paper
        the answer has it (CON-24)."""
        self.p.control("PUT", "accounts/LIVE0001", {"optLevel": 1})
        stream = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        naked = option(symbol=occ(strike=190), side="Sell")
        for body, reason in ((stock(symbol="NOSUCH"), "unknown symbol"),
                             (stock(orderQuantity=9000), "insufficient buying power"),
                             (stock(side="Sell", openClose="Close"), "closing 10 AAPL"), (naked, "option level"),
                             (stock(timeInForce="FillOrKill"), "time in force"),
                             (stock(symbol="GME", side="Sell", limitPrice=25), "GME is hard to borrow"),
                             ({**option(), "route": "SMART"}, "route SMART does not take Option")):
            row = self.rejected_later({**live(body), **{k: v for k, v in body.items() if k == "route"}},
                                      "R24: " + reason)
            frames = [stream.order() for _ in range(2)]
            self.assertEqual([(f["orderStatus"], f["text"]) for f in frames],
                             [("PendingNew", None), ("Rejected", row["text"])])
        for body, reason in ((stock(symbol="NOSUCH"), "unknown symbol"),
                             (stock(orderQuantity=9000), "insufficient buying power"),
                             (stock(side="Sell", openClose="Close"), "closing 10 AAPL")):
            self.rejected(body, reason)

    def test_Q41_unknown_fields_are_ignored(self):
        """Unknown fields of the body and of a leg are ignored; twelve and four are known, and none is returned under
        its name in the request."""
        known = {"securityType", "symbol", "side", "openClose", "orderType", "orderQuantity", "timeInForce",
                 "limitPrice", "stopPrice", "clientOrderId", "route", "legs"}
        body = stock("a", orderType="StopLimit", stopPrice=200, route="PAPER")
        self.assertEqual(set(body), known - {"legs"})
        row = self.taken({**body, "stopprice": 1, "Symbol": "F", "maxDisplayQuantity": 5, "postOnly": True,
                          "x": {"y": [None]}})
        self.assertEqual((row["orderStatus"], row["priceStop"], row["symbol"], row["maxDisplayQuantity"]),
                         ("PendingNew", 200, "AAPL", 0))
        self.assertFalse({"stopPrice", "stopprice", "postOnly", "x"} & set(row))
        legs = [{**leg(occ(), "Buy"), "qty": 7}, {**leg(occ(strike=195), "Sell"), "limitPrice": "x"}]
        rows = self.filled(spread(legs=legs))["legs"]
        self.assertEqual([one["qty"] for one in rows], [1, 1])
        self.assertNotIn("ratio", rows[0])


class Hours(Orders):
    INSIDE = ("2026-01-15T14:30:00Z", "2026-01-15T21:00:00Z", "2026-03-06T14:30:00Z", "2026-03-09T13:30:00Z",
              "2026-07-15T13:30:00Z", "2026-07-15T20:00:00Z", "2026-11-02T14:30:00Z")
    OUTSIDE = ("2026-01-15T14:29:59.999Z", "2026-01-15T21:00:00.001Z", "2026-01-17T17:00:00Z", "2026-01-18T17:00:00Z",
               "2026-03-09T20:00:00.001Z", "2026-07-15T13:29:59.999Z", "2026-07-15T20:00:00.001Z",
               "2026-11-02T14:29:59.999Z")
    clock = "2026-01-15T10:00:00Z"

    def test_Q37_market_orders_outside_regular_hours(self):
        """Before 09:30, after 16:00 and on weekends, by New York's clock: Rejected with executed 0, for every type and
        both accounts."""
        far = [occ(expiry="261218", strike=strike) for strike in (190, 195)]
        for instant in sorted(self.INSIDE + self.OUTSIDE, key=lambda i: i.rstrip("Z")):
            self.at(instant)
            for account in ("PAPER0001", "LIVE0001"):
                for order in (stock(), option(symbol=far[0]), spread(legs=[leg(far[0], "Buy"), leg(far[1], "Sell")])):
                    order = {**order, "orderType": "Market"}
                    order = live(order) if account == "LIVE0001" else order
                    if instant in self.INSIDE:
                        self.assertEqual(self.taken(order, account)["orderStatus"], "PendingNew", instant)
                    else:
                        self.rejected(order, "R78: ", account)
        self.assertEqual(self.taken(stock(orderType="Stop", limitPrice=None, stopPrice=1000))["orderStatus"],
                         "PendingNew")


if __name__ == "__main__":
    unittest.main()
