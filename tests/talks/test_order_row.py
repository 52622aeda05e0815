"""The order object in the clean shape (group G of docs/readings.md): POST, single look-up, GET /orders, and the answer
of a DELETE."""
import decimal
import unittest

from orders import CLEAN_KEYS, Orders, exact, is_number
from paper import in_world, occ, option, spread, stock
from reading_case import CONTRACT

D = decimal.Decimal
STAMP = r"^2026-01-15T15:00:00\.\d{7}\+00:00$"
CLOSE = "2026-01-15T21:00:01Z"


class Shape(Orders):
    def test_G1_the_calls_that_return_it(self):
        """The clean shape is that of POST, the look-up of a single-leg order and of a multi-leg one before its legs are
        there, each row of GET /orders, and DELETE (CON-38)."""
        for order_id, body in (("s", stock("s", limitPrice=1)), ("o", option("o", limitPrice=1)),
                               ("m", spread("m", limitPrice=1))):
            rows = [exact(self.p.order(body)), self.row(order_id), self.listed(order_id)]
            self.assertEqual([list(row) for row in rows], [CLEAN_KEYS] * 3, order_id)
        self.p.advance("1s")
        for order_id in ("s", "o"):
            self.assertEqual(list(self.row(order_id)), CLEAN_KEYS)
        for order_id in ("s", "o", "m"):
            self.assertEqual(list(self.listed(order_id)), CLEAN_KEYS)
            self.assertEqual(list(self.p.cancel(order_id).json), CLEAN_KEYS)

    def test_G35_the_31_keys(self):
        """Every kind of order has the 31 keys, including one that is rejected at once."""
        self.assertEqual(len(CLEAN_KEYS), 31)
        for body in (stock(), option(), spread(), stock(limitPrice=-1), stock(orderType="Market", limitPrice=None)):
            self.assertEqual(list(self.p.order(body).json), CLEAN_KEYS)

    def test_G36_no_order_id(self):
        """No order object has an orderId: neither of a POST, a look-up of either shape, the list, a cancel, nor a
        push."""
        stream = self.p.portfolio(subscriptions=["Order"])
        seen = [self.p.order(spread("m", limitPrice=0.01)).json, self.p.lookup("m").json]
        self.p.advance("1s")
        seen += [self.p.lookup("m").json, *self.get("orders")["orders"], stream.order(), stream.order(),
                 self.p.cancel("m").json]
        self.assertEqual(len(seen), 7)
        for row in seen:
            self.assertFalse({"orderId", "orderid", "OrderId", "orderID"} & set(row), row)


class Identity(Orders):
    def test_G2_account_id(self):
        for account, path in (("PAPER0001", "PAPER0001"), ("PAPER0001", "paper0001")):
            self.assertEqual(self.p.order(stock(), path).json["accountId"], account)
        self.assertEqual(self.send(account="LIVE0001")["accountId"], "LIVE0001")

    def test_G3_client_order_id(self):
        """The id is a string: the caller's own, or a generated number."""
        for order_id in ("mine", "123456", "Ab.c_D-1"):
            self.assertEqual(self.taken(stock(order_id, limitPrice=1))["clientOrderId"], order_id)
        made = self.taken(stock(limitPrice=1))["clientOrderId"]
        self.assertIsInstance(made, str)
        self.assertRegex(made, "^[0-9]+$")
        self.assertEqual(self.row(made)["clientOrderId"], made)

    def test_G20_order_type(self):
        for kind, prices in (("Market", {"limitPrice": None}), ("Limit", {}),
                             ("Stop", {"limitPrice": None, "stopPrice": 200}), ("StopLimit", {"stopPrice": 200})):
            self.assertEqual(self.taken(stock(orderType=kind, **prices))["orderType"], kind)

    def test_G21_security_type(self):
        """A request has Mleg, and the answer MLEG; a request with MLEG is a 400."""
        for body, echo in ((stock(), "Stock"), (option(), "Option"), (spread(), "MLEG")):
            self.assertEqual(self.taken(body)["securityType"], echo)
        self.refused(spread(securityType="MLEG"),
                     '- securityType: securityType must be one of the following: "Stock", "Option", "Mleg"')

    def test_G28_time_in_force(self):
        for tif in ("Day", "GoodTillCancel", "AtTheOpening", "ImmediateOrCancel", "FillOrKill", "GoodTillCrossing",
                    "Day_Plus", "GTC_Plus"):
            self.assertEqual(self.taken(stock(timeInForce=tif))["timeInForce"], tif)

    def test_G29_route(self):
        """The route is the one that is used; it is the literal <no value> if validation ended before a route was
        chosen."""
        for route in ("SMART", "CTDL"):
            self.assertEqual(self.send(account="LIVE0001", route=route)["route"], route)
        self.assertEqual([self.taken(body)["route"] for body in (stock(), option(), spread())],
                         ["PAPER", "PAPER", "PAPERM"])
        reply = self.p.order(stock(), "LIVE0001")
        self.assertEqual(reply.json["orderStatus"], "Rejected")
        self.assertIn('"route":"<no value>"', reply.text)


class Status(Orders):
    STATES = {"PendingNew", "Accepted", "New", "PartiallyFilled", "PendingCancel", "Filled", "Canceled", "Rejected",
              "DoneForDay", "Expired"}
    ENDS = {"filled": "Filled", "canceled": "Canceled", "rejected": "Rejected", "expired": "Expired",
            "day": "DoneForDay"}

    def lives(self, look=lambda: None):
        """Take one order to each final state (the canceled one has 4 of its 10 filled), and call look() between the
        steps."""
        self.part("canceled")
        look()
        for order_id, changes in (("filled", {"limitPrice": 200}), ("rejected", {"limitPrice": -1}),
                                  ("day", {"limitPrice": 1}),
                                  ("expired", {"limitPrice": 1, "timeInForce": "AtTheOpening"})):
            self.send(order_id, **changes)
        look()
        self.p.advance("1s")
        look()
        self.p.cancel("canceled")
        look()
        self.p.advance("1s")
        self.at(CLOSE)
        look()
        self.assertEqual({i: self.status(i) for i in self.ENDS}, self.ENDS)

    def test_G4_order_status(self):
        """At every moment of an order's life its status is one of the table."""
        self.lives()
        rows = self.p.control("GET", "orders")["orders"]
        seen = {event["orderStatus"] for row in rows for event in row["history"]}
        self.assertLessEqual(seen, self.STATES)
        self.assertGreaterEqual(seen, self.STATES - {"Accepted"})

    def test_G5_text(self):
        """The text is null while the order is accepted or in flight, and a string on a rejection."""
        self.account = "LIVE0001"
        self.part("a")
        self.send("b")
        self.assertEqual([self.row(i)["text"] for i in "ab"], [None, None])
        self.p.advance("50ms")
        self.assertEqual((self.row("b")["orderStatus"], self.row("b")["text"]), ("New", None))
        self.p.advance("1s")
        self.assertEqual((self.row("b")["orderStatus"], self.row("b")["text"]), ("Filled", None))
        self.assertRegex(self.send("c", limitPrice=-1)["text"], r"^R145: \w")

    def test_G7_executed(self):
        self.send("z", limitPrice=1)
        self.part("a")
        self.assertEqual([self.row(i)["executed"] for i in "za"], [0, 4])
        self.p.quote("F", 12, 12)
        self.assertEqual(self.row("a")["executed"], 10)

    def test_G8_leaves_quantity(self):
        """The field is the quantity that is still open; 0 in a final state."""
        self.part("a")
        self.assertEqual(self.row("a")["leavesQuantity"], 6)
        self.lives()
        self.assertEqual([self.row(i)["leavesQuantity"] for i in self.ENDS], [0] * 5)

    def test_G9_canceled_quantity(self):
        """On Rejected it is the unfilled quantity, whether the rejection comes at once or later."""
        self.lives()
        self.assertEqual({i: self.row(i)["canceledQuantity"] for i in self.ENDS},
                         {"filled": 0, "canceled": 6, "rejected": 10, "expired": 10, "day": 10})
        self.send("later", account="LIVE0001", symbol="NOSUCH", limitPrice=1)
        self.assertEqual(self.row("later", "LIVE0001")["canceledQuantity"], 0)
        self.p.advance("1s")
        self.assertEqual(self.row("later", "LIVE0001")["canceledQuantity"], 10)

    def test_G10_the_quantities_add_up(self):
        """executed + leaves + canceled = orderQuantity in every state of G4."""
        seen = set()

        def look():
            for row in self.get("orders")["orders"]:
                seen.add(row["orderStatus"])
                self.assertEqual(row["orderQuantity"], 10)
                self.assertEqual(row["executed"] + row["leavesQuantity"] + row["canceledQuantity"], 10, row)

        self.send("gtc", limitPrice=1, timeInForce="GoodTillCancel")
        self.lives(look)
        self.assertGreaterEqual(seen, self.STATES - {"Accepted"})

    def test_G30_start_time(self):
        """The field is the time at which the order was received, whatever happens later."""
        self.p.advance("250ms")
        started = self.send("a", limitPrice=1)["startTime"]
        self.assertEqual(started, "2026-01-15T15:00:00.2500000+00:00")
        self.p.advance("1m")
        self.p.cancel("a")
        self.p.advance("1m")
        self.assertEqual((self.row("a")["orderStatus"], self.row("a")["startTime"]), ("Canceled", started))

    def test_G31_last_updated_changes_on_each_transition(self):
        self.p.quote("AAPL", 190, 190, 190, askSize=4)
        times = [self.send("a")["lastUpdated"]]
        self.assertEqual(times[0], self.row("a")["startTime"])
        for step in ("60ms", "60ms"):
            self.p.advance(step)
            times.append(self.row("a")["lastUpdated"])
        self.p.advance("1s")
        times.append(self.p.cancel("a").json["lastUpdated"])
        self.p.advance("1s")
        times.append(self.row("a")["lastUpdated"])
        history = self.p.control("GET", "orders")["orders"][0]["history"]
        self.assertEqual([e["orderStatus"] for e in history],
                         ["PendingNew", "New", "PartiallyFilled", "PendingCancel", "Canceled"])
        self.assertEqual(times, sorted(set(times)))
        self.p.advance("1h")
        self.assertEqual(self.row("a")["lastUpdated"], times[-1], "no transition, no change")


class Prices(Orders):
    def test_G11_last_price_and_last_quantity(self):
        """Both are 0 while nothing has filled, and then those of the newest fill."""
        def last():
            row = self.row("a")
            return row["lastPrice"], row["lastQuantity"]
        self.p.quote("F", 12.5, 12.75, 12.75, askSize=4)
        self.send("a", symbol="F", limitPrice=13)
        self.assertEqual(last(), (0, 0))
        self.p.advance("1s")
        self.assertEqual(last(), (D("12.75"), 4))
        self.p.quote("F", 12, 12.25)
        self.assertEqual(last(), (D("12.25"), 6))

    def test_G12_limit_price(self):
        """It is the limit that was sent, for a StopLimit too; 0 for a Market or Stop order, whatever the body has."""
        for changes, echo in (({}, D("190.01")), ({"limitPrice": 1}, 1),
                              ({"orderType": "StopLimit", "stopPrice": 200}, D("190.01")),
                              ({"orderType": "Market"}, 0), ({"orderType": "Stop", "stopPrice": 200}, 0)):
            row = exact(self.p.order(stock(**changes)))
            self.assertEqual((row["limitPrice"], type(row["limitPrice"])), (echo, type(echo)), changes)

    def test_G13_price_stop(self):
        """The request's stopPrice is priceStop in the answer; 0 if there is none."""
        for changes, echo in (({}, 0), ({"orderType": "Market"}, 0),
                              ({"orderType": "Stop", "stopPrice": 200.25}, D("200.25")),
                              ({"orderType": "StopLimit", "stopPrice": 201}, 201)):
            reply = self.p.order(stock(**changes))
            self.assertEqual((reply.json["orderStatus"], exact(reply)["priceStop"]), ("PendingNew", echo))
            self.assertNotIn("stopPrice", reply.json)

    def test_G14_price_avg(self):
        """The average is 0 while nothing has filled; 4 at 12 and 6 at 11 give 11.4."""
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.assertEqual(self.send("a", symbol="F", limitPrice=12)["priceAvg"], 0)
        self.p.advance("1s")
        self.assertEqual(self.row("a")["priceAvg"], 12)
        self.p.quote("F", 11, 11)
        self.assertEqual(self.row("a")["priceAvg"], D("11.4"))

    def test_G15_max_display_quantity(self):
        """The field is a number: 0 on an ordinary order."""
        self.assertIn('"maxDisplayQuantity":0,', self.p.order(stock()).text)

    def test_G16_peg_difference(self):
        self.assertIn('"pegDifference":0,', self.p.order(stock()).text)

    def test_G17_peg_offset_type(self):
        """The field is a string."""
        self.assertIn('"pegOffsetType":"None",', self.p.order(stock()).text)

    def test_G18_requirements(self):
        """They are numbers that say how much the order reserves, as the account's bp shows it; 0 for an order that was
        rejected at once."""
        free = self.detail()["bp"]
        self.send("a", limitPrice=100.5)
        row = self.row("a")
        self.assertEqual((row["maintenanceRequirement"], row["marginRequirement"]), (1005, 1005))
        self.assertEqual(self.detail()["bp"], free - 1005)
        row = exact(self.p.order(stock("b", limitPrice=-1)))
        self.assertEqual((row["maintenanceRequirement"], row["marginRequirement"]), (0, 0))

    def test_G27_strike_price(self):
        """The strike price of a 7.50 strike is 7.5; it is 0 for equities and for an envelope."""
        for body, strike in ((option(), 190), (option(symbol=occ("F", kind="P", strike=7.5), limitPrice=1), D("7.5")),
                             (stock(), 0), (spread(), 0)):
            row = exact(self.p.order(body))
            self.assertTrue(is_number(row["strikePrice"]))
            self.assertEqual((row["orderStatus"], row["strikePrice"]), ("PendingNew", strike))


class Words(Orders):
    def test_G19_open_close(self):
        """The value is echoed; it is Unknown if the request's word was neither."""
        self.buy(20, 190)
        for word in ("Open", "Close"):
            self.assertEqual(self.taken(stock(side="Sell", openClose=word, limitPrice=300))["openClose"], word)
        for word in ("open", "CLOSE", ""):
            row = self.taken(stock(openClose=word))
            self.assertEqual((row["orderStatus"], row["openClose"]), ("Rejected", "Unknown"))

    def test_G22_side_echoes(self):
        """The side is Buy or Sell; a short sale is Sell in the answer and in a look-up."""
        for order_id, side in (("buy", "Buy"), ("short", "Sell")):
            body = stock(order_id, side=side, symbol={"Buy": "AAPL", "Sell": "MSFT"}[side],
                         limitPrice={"Buy": 1, "Sell": 999}[side])
            self.assertEqual((self.taken(body)["side"], self.row(order_id)["side"]), (side, side))

    def test_G23_sell_short_in_the_list(self):
        """Only in GET /orders a short sale is SellShort; a sale, a cover and a sold option keep their side."""
        self.buy(10, 190)
        self.short(10, 500, "MSFT")
        for order_id, symbol, side, effect, listed in (
            ("short", "TSLA", "Sell", "Open", "SellShort"), ("sale", "AAPL", "Sell", "Close", "Sell"),
            ("cover", "MSFT", "Buy", "Close", "Buy"), ("buy", "F", "Buy", "Open", "Buy"),
                ("sto", CONTRACT, "Sell", "Open", "Sell")):
            self.send(order_id, symbol=symbol, side=side, openClose=effect, limitPrice=1 if side == "Buy" else 999,
                      orderQuantity=1)
            self.assertEqual((self.listed(order_id)["side"], self.row(order_id)["side"]), (listed, side), order_id)

    def test_G24_net_side_of_an_envelope(self):
        """netSide is Unknown while the order is pending, then Buy for a debit and Sell for a credit."""
        for order_id, side in (("debit", "Buy"), ("credit", "Sell")):
            self.assertEqual(self.taken(self.vertical(order_id, side))["side"], "Unknown")
            self.assertEqual(self.listed(order_id)["side"], "Unknown")
        self.p.advance("1s")
        for order_id, side in (("debit", "Buy"), ("credit", "Sell")):
            self.assertEqual((self.row(order_id)["side"], self.listed(order_id)["side"]), (side, side))

    def test_G25_symbol(self):
        """The symbol of an option or an envelope is that of its underlying."""
        for body, symbol in ((stock(symbol="MSFT"), "MSFT"), (option(), "AAPL"), (spread(), "AAPL"),
                             (option(symbol=occ("GME", strike=25), limitPrice=1), "GME")):
            self.assertEqual(self.taken(body)["symbol"], symbol)

    def test_G26_traded_symbol(self):
        """The field is the ticker, the contract or the underlying; null if the order is rejected before the service
        knows which."""
        for body, symbol in ((stock(), "AAPL"), (option(), CONTRACT), (spread(), "AAPL"),
                             (stock(limitPrice=-1), "AAPL")):
            self.assertEqual(self.taken(body)["tradedSymbol"], symbol)
        for body in (stock("u", symbol="NOSUCH"), option("v", symbol="FOO")):
            row = self.taken(body)
            self.assertEqual((row["orderStatus"], row["symbol"], row["tradedSymbol"]),
                             ("Rejected", body["symbol"], None))

    def test_G32_leg_count(self):
        """legCount is always 0 for a single-leg order, and in the immediate answer to an envelope."""
        for order_id, body in (("s", stock("s")), ("o", option("o")), ("m", spread("m", limitPrice=0.01))):
            self.assertEqual(self.taken(body)["legCount"], 0)
        self.p.advance("1s")
        self.assertEqual([self.row(i)["legCount"] for i in "som"], [0, 0, 2])

    def test_G33_legs(self):
        """The value is null, not []."""
        for body in (stock("s"), option("o"), spread("m")):
            self.assertIn('"legs":null}', self.p.order(body).text)
        self.p.advance("1s")
        for order_id in "so":
            self.assertIn('"legs":null}', self.p.lookup(order_id).text)


class Switched(Orders):
    def world(self, switches):
        self.p.stop()
        self.p = in_world(f"switches: {{{switches}}}")
        self.addCleanup(self.p.stop)

    def test_G6_a_placeholder_in_text(self):
        """If the scenario of a paper account says so, rows of accepted orders have a text; they are accepted
        nevertheless."""
        self.world("placeholder: Simulated order.")
        for account in ("PAPER0001", "LIVE0001"):
            words = "Simulated order." if account == "PAPER0001" else None
            self.assertIsNone(self.send("a", account=account, limitPrice=1)["text"])
            self.p.advance("1s")
            row = self.row("a", account)
            self.assertEqual((row["orderStatus"], row["text"]), ("New", words))
            self.assertEqual(self.listed("a", account)["text"], words)
            self.assertRegex(self.send("b", account=account, limitPrice=-1)["text"], "^R145: ")

    def test_G34_six_keys_of_an_early_rejection(self):
        """If the scenario says so, the answer that rejects (for R114 too) has only six keys; look-up and list have the
        whole row."""
        self.world("early_subset: on")
        keys = ["orderStatus", "text", "clientOrderId", "canceledQuantity", "executed", "leavesQuantity"]
        for text in ("R145: ", "R114: "):
            row = self.p.order(stock("a", limitPrice=-1)).json
            self.assertEqual((list(row), row["text"][:6]), (keys, text))
            self.assertEqual([row[k] for k in keys[:1] + keys[2:]], ["Rejected", "a", 10, 0, 0])
        self.assertEqual((list(self.row("a")), list(self.listed("a"))), (CLEAN_KEYS, CLEAN_KEYS))
        self.assertEqual(list(self.send("b")), CLEAN_KEYS)


if __name__ == "__main__":
    unittest.main()
