"""POST order and what becomes of it: the 400s, the rejections at once and once routed, fills, cancels."""
import itertools
import json
import unittest

from paper import LIVE, PAPER, Paper, leg, occ, option, spread, stock

CLEAN_KEYS = ("accountId clientOrderId orderStatus text executed leavesQuantity canceledQuantity orderQuantity lastPrice "
              "lastQuantity limitPrice priceStop priceAvg maxDisplayQuantity pegDifference pegOffsetType "
              "maintenanceRequirement marginRequirement openClose orderType securityType side symbol tradedSymbol "
              "strikePrice timeInForce route startTime lastUpdated legCount legs").split()


class Base(unittest.TestCase):
    clock = "2026-01-15T15:00:00Z"

    def setUp(self):
        self.p = Paper(clock=self.clock)
        self.addCleanup(self.p.stop)

    def refused(self, body, *lines, account="PAPER0001"):
        reply = self.p.order(body, account)
        self.assertEqual((reply.status, set(reply.text.split("\n"))), (400, set(lines)))
        self.assertEqual(reply.headers["Content-Type"], "text/plain; charset=utf-8")

    def taken(self, body, account="PAPER0001"):
        reply = self.p.order(body, account)
        self.assertEqual(reply.status, 200, reply.text)
        row = reply.json
        self.assertEqual(list(row), CLEAN_KEYS)
        return row

    def rejected(self, body, text, account="PAPER0001"):
        """Rejected in the answer itself."""
        row = self.taken(body, account)
        self.assertEqual((row["orderStatus"], row["executed"], row["leavesQuantity"]), ("Rejected", 0, 0))
        self.assertEqual(row["canceledQuantity"], row["orderQuantity"])
        self.assertTrue(row["text"].startswith(text), row["text"])
        return row

    def rejected_later(self, body, text, account="LIVE0001"):
        """PendingNew without a text first, then Rejected on look-up."""
        row = self.taken(body, account)
        self.assertEqual((row["orderStatus"], row["text"]), ("PendingNew", None))
        self.p.advance("50ms")
        row = self.p.lookup(row["clientOrderId"], account).json
        self.assertEqual(row["orderStatus"], "Rejected")
        self.assertTrue(row["text"].startswith(text), row["text"])
        return row

    def status(self, order_id, account="PAPER0001"):
        return self.p.lookup(order_id, account).json["orderStatus"]

    def filled(self, body, account="PAPER0001"):
        row = self.taken(body, account)
        self.p.advance("1s")
        row = self.p.lookup(row["clientOrderId"], account).json
        self.assertEqual(row["orderStatus"], "Filled", row["text"])
        return row


class Schema(Base):
    def test_required(self):
        self.refused({}, *[f"- (root): {f} is required" for f in
                           ("securityType", "symbol", "orderType", "orderQuantity", "timeInForce")])
        for field in ("side", "openClose"):
            self.refused(stock("a", **{field: None}), f"- (root): {field} is required")
        self.assertEqual(self.taken(option("a", openClose=None))["openClose"], "Open")
        self.refused(spread("a", legs=[], side="Buy") | {"legs": []}, "- (root): Additional property side is not allowed")
        body = spread("a")
        del body["legs"]
        self.refused(body, "- (root): legs is required")

    def test_types(self):
        for field, value, expected, given in (
                ("symbol", 1, "string", "integer"), ("side", None, "string", "null"), ("orderType", [], "string", "array"),
                ("orderQuantity", 1.5, "integer", "number"), ("orderQuantity", "100", "integer", "string"),
                ("limitPrice", "1", "number", "string"), ("limitPrice", None, "number", "null"),
                ("stopPrice", {}, "number", "object"), ("clientOrderId", 7, "string", "integer"),
                ("route", True, "string", "boolean")):
            self.refused({**stock("a"), field: value}, f"- {field}: Invalid type. Expected: {expected}, given: {given}")

    def test_enums(self):
        sides = '- side: side must be one of the following: "Buy", "Sell"'
        for side in ("BUY", "SellShort", "BuyToCover", ""):
            self.refused(stock("a", side=side), sides)
        self.refused(stock("a", securityType="MLEG"),
                     '- securityType: securityType must be one of the following: "Stock", "Option", "Mleg"')
        for kind in ("limit", "MarketOnClose", "LimitOnClose"):
            self.refused(stock("a", orderType=kind),
                         '- orderType: orderType must be one of the following: "Market", "Limit", "Stop", "StopLimit"')
        reply = self.p.order(stock("a", timeInForce="GTC"))
        self.assertEqual(reply.text, '- timeInForce: timeInForce must be one of the following: "Day", "GoodTillCancel", '
                         '"AtTheOpening", "ImmediateOrCancel", "FillOrKill", "GoodTillCrossing", "Day_Plus", "GTC_Plus"')

    def test_symbols(self):
        for symbol in ("BRK/B", "A B", "A@", "", "AAPL\n", " AAPL", "\u00c5APL", "AAPL  260116C00150000"):
            self.refused(stock("a", symbol=symbol), "- symbol: Does not match pattern '^[a-zA-Z0-9._-]+$'")
        self.refused(stock("a", symbol="AAPL\0X"), "invalid JSON: NUL in a string")

    def test_numbers(self):
        for quantity, message in ((0, "greater than or equal to 1"), (-5, "greater than or equal to 1"),
                                  (1000001, "less than or equal to 1e+06"), (10 ** 30, "less than or equal to 1e+06")):
            self.refused(stock("a", orderQuantity=quantity), f"- orderQuantity: Must be {message}")
        self.refused(option("a", limitPrice=10000), "- limitPrice: Must be less than or equal to 9999.99")
        raw = json.dumps(option("a")).replace('"limitPrice": 20', '"limitPrice": 9999.991')
        self.refused(raw, "- limitPrice: Must be less than or equal to 9999.99")
        for price in ("1.23456", "1e-5", "0.00001", "1e-400", "190.00000000000000000000001"):
            raw = json.dumps(stock("a")).replace("190.01", price)
            self.refused(raw, "- limitPrice: Must be a multiple of 0.0001")
        for n, (written, quantity) in enumerate((("100.0", 100), ("1e2", 100), ("1.0E0", 1))):
            raw = json.dumps(stock(f"n{n}")).replace('"orderQuantity": 10', f'"orderQuantity": {written}')
            self.assertEqual(self.taken(raw)["orderQuantity"], quantity)
        self.assertEqual(self.taken(json.dumps(stock("n9")).replace("190.01", "0.123400"))["limitPrice"], 0.1234)

    def test_what_is_not_an_object(self):
        for body in ("", "{", "[1", "{} {}", '{"a":1,}', "{'a':1}", "[" * 200, '{"symbol":"\\ud800"}', b"\xff"):
            reply = self.p.order(body)
            self.assertEqual((reply.status, reply.text[:14]), (400, "invalid JSON: "), body)
        self.refused("[]", "- (root): Invalid type. Expected: object, given: array")

    def test_last_of_equal_keys_and_unknown_ones(self):
        raw = json.dumps(stock("d1"))[:-1] + ', "clientOrderId": "d2", "orderId": "x", "postOnly": {"a": [1, {}]}}'
        self.assertEqual(self.taken(raw)["clientOrderId"], "d2")

    def test_account_after_the_body(self):
        reply = self.p.order(stock("a"), "LIVE0001", PAPER)
        self.assertEqual((reply.status, reply.headers["Content-Type"]), (400, "application/json; charset=utf-8"))
        self.assertEqual((reply.json["statusCode"], reply.json["message"]), ("BadRequest", "PlaceOrderWithResponse"))
        self.assertEqual(self.p.order({**stock("a"), "side": "x"}, "NOBODY", PAPER).headers["Content-Type"],
                         "text/plain; charset=utf-8")
        self.assertEqual(self.p.order(stock("a"), "paper0001").json["accountId"], "PAPER0001")


class MultiLeg(Base):
    def shape(self, *legs, **changes):
        return self.p.order(spread(legs=list(legs), **changes))

    def test_counts(self):
        one = leg(occ(), "Buy")
        for count, text in ((0, "Too few legs, invalid order."), (1, "Too few legs, invalid order."),
                            (5, "Too many legs, invalid order."), (40, "Too many legs, invalid order.")):
            body = spread() | {"legs": [one] * count}
            self.refused(body, text)

    def test_leg_fields(self):
        good = leg(occ(strike=195), "Sell")
        for field in good:
            self.refused(spread(legs=[{k: v for k, v in leg(occ(), "Buy").items() if k != field}, good]),
                         f"- legs.0: {field} is required")
        for field, value, line in (
                ("ratio", 0, "Must be greater than or equal to 1"), ("ratio", 101, "Must be less than or equal to 100"),
                ("ratio", 1.5, "Invalid type. Expected: integer, given: number"),
                ("side", "Long", 'legs.1.side must be one of the following: "Buy", "Sell"'),
                ("symbol", "A B", "Does not match pattern '^[a-zA-Z0-9._-]+$'"),
                ("openClose", 1, "Invalid type. Expected: string, given: integer")):
            self.refused(spread(legs=[leg(occ(), "Buy"), {**good, field: value}]), f"- legs.1.{field}: {line}")
        self.refused(spread(legs=[good, 7]), "- legs.1: Invalid type. Expected: object, given: integer")
        self.rejected(spread("w", legs=[good, leg(occ(), "Buy", "open")]), "Invalid openClose")

    def test_structure(self):
        self.refused(spread(legs=[leg(occ(expiry="260116"), "Buy"), leg(occ(), "Sell")]),
                     "Calendar orders are not currently supported.")
        self.refused(spread(legs=[leg(occ(), "Buy", ratio=2), leg(occ(strike=195), "Sell", ratio=2)]),
                     "Invalid order, leg ratios cannot have a common devisor.")

    def shapes(self):
        """Every supported shape as a list of legs, in strike order."""
        def c(strike, side, ratio=1, o="Open"):
            return leg(occ(strike=strike), side, o, ratio)

        def q(strike, side, ratio=1, o="Open"):
            return leg(occ(strike=strike, kind="P"), side, o, ratio)
        b, s = "Buy", "Sell"
        yield "Buy", [c(190, b), c(195, s)]
        yield "Sell", [q(190, b), q(195, s)]
        yield "Buy", [c(190, b), q(190, b)]
        yield "Buy", [q(185, b), c(195, b)]
        for f in (c, q):
            yield "Buy", [f(185, b), f(190, s, 2), f(195, b)]
            yield "Buy", [f(180, b), f(185, s), f(190, s), f(195, b)]
        yield "Sell", [q(185, b), q(190, s), c(190, s), c(195, b)]
        yield "Sell", [q(180, b), q(185, s), c(195, s), c(200, b)]

    def test_supported_shapes(self):
        flip = {"Buy": "Sell", "Sell": "Buy"}
        count = 0
        for net, legs in self.shapes():
            for turned in (False, True):
                side = flip[net] if turned else net
                legs_now = [{**one, "side": flip[one["side"]] if turned else one["side"]} for one in legs]
                for order in itertools.permutations(legs_now):
                    reply = self.p.order(spread(f"s{count}", legs=list(order), limitPrice=0.01))
                    self.assertEqual(reply.status, 200, f"{reply.text} {order}")
                    count += 1
            self.p.advance("1s")
            self.assertEqual(self.p.lookup(f"s{count - 1}").json["side"], side)
        for legs in ([leg("AAPL", "Buy", ratio=100), leg(occ(), "Sell")],
                     [leg("AAPL", "Buy", ratio=100), leg(occ(kind="P"), "Buy")],
                     [leg("AAPL", "Sell", "Close", 100), leg(occ(), "Buy", "Close")],
                     [leg("AAPL", "Sell", "Close", 100), leg(occ(kind="P"), "Sell", "Close")]):
            for order in (legs, legs[::-1]):
                self.assertEqual(self.p.order(spread(legs=order)).status, 200)

    def test_unsupported_shapes(self):
        c = lambda strike, side, ratio=1: leg(occ(strike=strike), side, ratio=ratio)
        q = lambda strike, side, ratio=1: leg(occ(strike=strike, kind="P"), side, ratio=ratio)
        st = lambda side, ratio=100, o="Open": leg("AAPL", side, o, ratio)
        b, s = "Buy", "Sell"
        for legs in ([c(190, b), c(195, b)], [q(190, s), q(195, s)], [c(190, b), c(195, s, 2)], [c(190, b, 2), c(195, s, 3)],
                     [c(190, b), q(190, s)], [q(185, b), c(195, s)], [q(195, b), c(185, b)], [c(190, b), c(190, s)],
                     [c(185, b), c(190, s), c(195, b)], [c(185, b), c(190, s, 3), c(195, b, 2)],
                     [c(185, b), q(190, s, 2), c(195, b)], [c(185, b), c(190, b, 2), c(195, b)],
                     [c(185, b, 2), c(190, s), c(195, b)], [st(b), c(195, s), q(185, b)],
                     [c(190, b), c(195, s), q(190, s), q(195, b)], [q(185, b), q(190, s), c(185, s), c(195, b)],
                     [q(190, b), q(195, s), c(185, s), c(180, b)], [q(180, b), q(185, b), c(195, s), c(200, s)],
                     [c(180, b), c(185, s), c(190, b), c(195, s)], [c(180, b), c(185, s), c(190, s), q(195, b)],
                     [st(b, 1), c(190, s)], [st(b, 99), c(190, s)], [st(b), c(190, b)], [st(b), q(190, s)],
                     [st(s), c(190, b)], [st(s), q(190, s)], [st(b), leg("MSFT", s, ratio=1)],
                     [st(b, 100, "Close"), c(190, s)]):
            self.refused(spread(legs=legs), "Strategy not supported.")

    def test_underlying_mismatch_is_found_once_routed(self):
        for account in ("PAPER0001", "LIVE0001"):
            route = {"route": "SMARTM"} if account == "LIVE0001" else {}
            for root in ("MSFT", "ZZZZ"):
                legs = [leg(occ(root, strike=190), "Buy"), leg(occ(root, strike=195), "Sell")]
                self.rejected_later(spread(f"r{root}", legs=legs, **route), "R152: ", account)

    def test_road_of_a_spread(self):
        row = self.taken(spread("v1", limitPrice=4))
        self.assertEqual((row["securityType"], row["side"], row["legCount"], row["legs"], row["route"], row["symbol"]),
                         ("MLEG", "Unknown", 0, None, "PAPERM", "AAPL"))
        self.p.advance("150ms")
        row = self.p.lookup("v1").json
        self.assertEqual((row["orderStatus"], row["legs"]), ("Filled", None))
        self.p.advance("150ms")
        row = self.p.lookup("v1").json
        self.assertEqual((row["userOrderId"], row["status"], row["side"], row["legCount"]),
                         ("PAPER0001:v1", "Filled", "Buy", 2))
        low, high = row["legs"]
        self.assertEqual(list(low), ["index", "symbol", "side", "qty", "lvsQty", "lastQty", "lastPx", "avgPx", "cxlQty",
                                     "openClose"])
        self.assertAlmostEqual(low["avgPx"] - high["avgPx"], row["priceAvg"])
        positions = self.p.get("accounts/PAPER0001/positions").json["positions"]
        self.assertEqual([(x["tradedSymbol"], x["side"], x["shares"], x["symbol"], x["putCall"], x["priceStrike"])
                          for x in positions],
                         [(occ(strike=190), "Long", 1, "AAPL", "Call", 190), (occ(strike=195), "Short", 1, "AAPL", "Call", 195)])
        self.assertEqual(len({x["positionId"] for x in positions}), 2)
        self.assertEqual(len(self.p.get("accounts/PAPER0001/orders").json["orders"]), 1)
        close = [leg(occ(strike=190), "Sell", "Close"), leg(occ(strike=195), "Buy", "Close")]
        closed = self.filled(spread("v2", legs=close, limitPrice=0.01))
        self.assertEqual(closed["mlegID"], row["mlegID"])
        self.assertEqual(self.p.get("accounts/PAPER0001/positions").json["positions"], [])

    def test_market_spread_gets_its_limit_from_the_legs(self):
        row = self.filled(spread("k", orderType="Market", limitPrice=None))
        self.assertGreater(row["priceAvg"], 0)
        self.assertEqual(row["limitPrice"], row["priceAvg"])
        self.assertEqual(self.taken(spread("l", orderType="StopLimit", limitPrice=1.5))["priceStop"], 1.5)

    def test_covered_call(self):
        self.filled(spread("cc", legs=[leg("AAPL", "Buy", ratio=100), leg(occ(strike=200), "Sell")], limitPrice=190))
        positions = self.p.get("accounts/PAPER0001/positions").json["positions"]
        self.assertEqual([(x["securityType"], x["side"], x["shares"]) for x in positions],
                         [("Stock", "Long", 100), ("Option", "Short", 1)])


class AtOnce(Base):
    def test_open_close(self):
        for word in ("open", "OPEN", "x"):
            row = self.rejected(stock(openClose=word), "Invalid openClose")
            self.assertEqual(row["openClose"], "Unknown")

    def test_generated_ids(self):
        row = self.taken(stock())
        self.assertRegex(row["clientOrderId"], "^[0-9]+$")
        self.assertTrue(self.rejected(stock(row["clientOrderId"]), "R114: "))
        following = str(int(row["clientOrderId"]) + 1)
        self.taken(stock(following))
        self.assertNotEqual(self.taken(stock(""))["clientOrderId"], following)

    def test_duplicate_ids_stay_used(self):
        self.filled(stock("d"))
        self.rejected(stock("d", symbol="MSFT"), "R114: ")
        self.assertEqual(self.status("d"), "Filled", "the first order stays as it was")
        self.taken(stock("e", limitPrice=1))
        self.p.cancel("e")
        self.p.advance("1s")
        self.rejected(stock("e"), "R114: ")
        self.rejected(stock("f", limitPrice=-1), "R145: ")
        self.rejected(stock("f"), "R114: ")
        self.taken(stock("D"))
        self.assertEqual(self.p.order({**stock("g"), "side": "x"}).status, 400)
        self.taken(stock("g"))

    def test_routes(self):
        self.assertEqual(self.taken(stock("a"))["route"], "PAPER")
        self.assertEqual(self.taken(spread("b", legs=[leg("AAPL", "Buy", ratio=100), leg(occ(), "Sell")]))["route"], "PAPER")
        self.rejected(stock("c", route="SMART"), "R54: ")
        row = self.rejected(stock("d"), "R54: ", "LIVE0001")
        self.assertEqual(row["route"], "<no value>")
        self.rejected(stock("e", route="smart"), "R54: ", "LIVE0001")

    def test_prices(self):
        for price in (None, 0, -0.01):
            self.rejected(stock(limitPrice=price), "R145: ")
            self.rejected(option(limitPrice=price), "R145: ")
        row = self.rejected(stock(limitPrice=None), "R145: ")
        self.assertEqual(row["limitPrice"], 0)
        self.rejected(stock(limitPrice=1.005), "R145: ")
        self.taken(stock(limitPrice=0.9999))
        self.taken(option(limitPrice=1.0055))
        self.assertEqual(self.taken(stock(orderType="Market", limitPrice=5))["limitPrice"], 0)
        for body in (stock, option):
            for kind in ("Stop", "StopLimit"):
                for stop, code in ((None, "R88: "), (0, "R88: "), (-1, "R145: ")):
                    self.rejected(body(orderType=kind, stopPrice=stop), code)

    def test_opposite_opening_orders(self):
        self.taken(stock("b", limitPrice=100))
        self.rejected(stock("s", side="Sell", limitPrice=300), "R95: ")
        self.taken(stock("x", symbol="MSFT", side="Sell", limitPrice=900))
        self.p.advance("1s")
        self.rejected(stock("s2", side="Sell", limitPrice=300), "R95: ")
        self.p.cancel("b")
        self.taken(stock("s3", side="Sell", limitPrice=300))

    def test_plain_words_on_paper(self):
        for body, text in ((stock(symbol="NOSUCH"), "unknown symbol NOSUCH"), (stock(symbol="aapl"), "unknown symbol aapl"),
                           (option(symbol="FOO"), "unknown symbol FOO"), (option(symbol=occ("ZZZ")), "unknown symbol"),
                           (option(symbol=occ(expiry="251219")), "unknown symbol"),
                           (option(symbol=occ(expiry="260231")), "unknown symbol"),
                           (stock(orderQuantity=6000), "insufficient buying power"),
                           (stock(side="Sell", openClose="Close"), "closing 10 AAPL, none held"),
                           (option(route="PAPERM"), "route PAPERM does not take Option")):
            self.rejected(body, text)
        self.taken(stock(symbol="GME", side="Sell", limitPrice=25))
        for tif in ("GoodTillCancel", "AtTheOpening", "Day_Plus", "GTC_Plus", "GoodTillCrossing", "FillOrKill"):
            self.taken(option(timeInForce=tif, limitPrice=0.01))

    def test_account_that_is_not_active(self):
        self.p.control("PUT", "accounts/PAPER0001", {"accountStatus": "Closed"})
        self.rejected(stock(), "the account is not active")

    def test_decisions_come_in_order(self):
        used = stock("o")
        self.taken(used)
        everything = {**used, "openClose": "x", "route": "none", "orderType": "Limit", "limitPrice": -1}
        self.rejected(everything, "R114: ")
        everything["clientOrderId"] = "o2"
        self.rejected(everything, "Invalid openClose")
        everything.update(clientOrderId="o3", openClose="Open")
        self.rejected(everything, "R54: ")
        everything.update(clientOrderId="o4", route="PAPER", side="Sell")
        self.rejected(everything, "R145: ")
        everything.update(clientOrderId="o5", limitPrice=190)
        self.rejected(everything, "R95: ")


class Hours(unittest.TestCase):
    def at(self, clock, status, text=None):
        with Paper(clock=clock) as p:
            for account, body in (("PAPER0001", {}), ("LIVE0001", {"route": "SMART"})):
                row = p.order(stock("m", orderType="Market", limitPrice=None, **body), account).json
                self.assertEqual((row["orderStatus"], row["executed"]), (status, 0), clock)
                if text:
                    self.assertTrue(row["text"].startswith(text))

    def test_market_orders(self):
        for clock in ("2026-01-15T14:30:00Z", "2026-01-15T21:00:00Z", "2026-07-15T13:30:00Z", "2026-07-15T20:00:00Z",
                      "2026-03-09T13:30:00Z", "2026-03-06T14:30:00Z", "2026-11-02T14:30:00Z"):
            self.at(clock, "PendingNew")
        for clock in ("2026-01-15T14:29:59.999Z", "2026-01-15T21:00:00.001Z", "2026-01-17T17:00:00Z", "2026-01-18T17:00:00Z",
                      "2026-07-15T13:29:59.999Z", "2026-07-15T20:00:00.001Z", "2026-03-09T20:00:00.001Z",
                      "2026-11-02T14:29:59.999Z"):
            self.at(clock, "Rejected", "R78: ")

    def test_resting_orders_and_the_session(self):
        with Paper(clock="2026-01-15T13:00:00Z") as p:
            day = {"limitPrice": 195}
            for order_id, changes in (("day", {}), ("plus", {"timeInForce": "Day_Plus"}), ("open", {"timeInForce": "AtTheOpening"}),
                                      ("low", {"timeInForce": "AtTheOpening", "limitPrice": 1}),
                                      ("rest", {"limitPrice": 1}), ("gtc", {"limitPrice": 1, "timeInForce": "GoodTillCancel"})):
                self.assertEqual(p.order(stock(order_id, **{**day, **changes})).json["orderStatus"], "PendingNew")
            p.advance("1s")
            seen = {i: p.lookup(i).json["orderStatus"] for i in ("day", "plus", "open", "low")}
            self.assertEqual(seen, {"day": "New", "plus": "Filled", "open": "New", "low": "New"})
            p.control("PUT", "clock", {"now": "2026-01-15T14:30:00Z"})
            seen = {i: p.lookup(i).json["orderStatus"] for i in ("day", "open", "low", "rest", "gtc")}
            self.assertEqual(seen, {"day": "Filled", "open": "Filled", "low": "Expired", "rest": "New", "gtc": "New"})
            p.control("PUT", "clock", {"now": "2026-01-15T21:00:01Z"})
            row = p.lookup("rest").json
            self.assertEqual((row["orderStatus"], row["leavesQuantity"], row["canceledQuantity"]), ("DoneForDay", 0, 10))
            row = p.lookup("gtc").json
            self.assertEqual((row["orderStatus"], row["leavesQuantity"]), ("DoneForDay", 10))
            self.assertEqual(p.cancel("rest").status, 404)
            p.control("PUT", "clock", {"now": "2026-01-16T14:30:00Z"})
            self.assertEqual(p.lookup("gtc").json["orderStatus"], "New")
            held = p.get("accounts/PAPER0001/positions").json["positions"][0]
            self.assertEqual((held["shares"], held["dayOvernight"]), (30, "Overnight"))


class Routed(Base):
    """Live accounts: what is only found out once routed."""

    def later(self, body, text):
        return self.rejected_later(body, text)

    def test_r24(self):
        smart = {"route": "SMART"}
        for body, text in ((stock(timeInForce="ImmediateOrCancel", **smart), "R24: time in force"),
                           (stock(route="SMARTO"), "R24: route SMARTO does not take Stock"),
                           (option(route="SMART"), "R24: route SMART does not take Option"),
                           (spread(route="SMART"), "R24: route SMART does not take MLEG"),
                           (spread(route="SMARTM", timeInForce="GoodTillCancel"), "R24: time in force"),
                           (stock(orderQuantity=600, **smart), "R24: insufficient buying power"),
                           (stock(symbol="GME", side="Sell", limitPrice=25, **smart), "R24: GME is hard to borrow"),
                           (stock(symbol="AMC", side="Sell", limitPrice=5, **smart), "R24: AMC is hard to borrow"),
                           (stock(symbol="NOSUCH", **smart), "R24: unknown symbol"),
                           (stock("x" * 37, **smart), "R24: clientOrderId is longer"),
                           (stock(side="Sell", openClose="Close", **smart), "R24: closing 10 AAPL")):
            self.later(body, text)
        self.taken(stock("y" * 36, **smart), "LIVE0001")
        self.taken(stock("s", symbol="TSLA", side="Sell", limitPrice=250, **smart), "LIVE0001")

    def test_option_levels(self):
        call, put, route = occ(strike=190), occ(strike=20, kind="P", root="F"), {"route": "SMARTO"}
        for level, body, ok in ((0, option(**route), False), (1, option(**route), False), (2, option(**route), True),
                                (3, option(symbol=call, side="Sell", **route), False),
                                (4, option(symbol=call, side="Sell", **route), True),
                                (1, option(symbol=put, side="Sell", limitPrice=8, **route), True),
                                (2, spread(route="SMARTM"), False), (3, spread(route="SMARTM"), True),
                                (1, spread(route="SMARTM", legs=[leg("F", "Buy", ratio=100), leg(occ("F", strike=13), "Sell")],
                                           symbol="F", limitPrice=12), True)):
            self.p.control("PUT", "accounts/LIVE0001", {"optLevel": level})
            if ok:
                row = self.taken(body, "LIVE0001")
                self.p.cancel(row["clientOrderId"], "LIVE0001")
                self.p.advance("30ms")
                self.assertNotEqual(self.p.lookup(row["clientOrderId"], "LIVE0001").json["orderStatus"], "Rejected")
                self.p.advance("1s")
            else:
                self.later(body, "R24: option level")

    def test_stop_on_the_wrong_side(self):
        for account, stop, ok in (("LIVE0001", 190.01, False), ("LIVE0001", 190.02, True), ("PAPER0001", 180, False)):
            body = stock(f"st{stop}", orderType="Stop", limitPrice=None, stopPrice=stop,
                         **({"route": "SMART"} if account == "LIVE0001" else {}))
            if ok:
                self.assertEqual(self.taken(body, account)["clientOrderId"], f"st{stop}")
            elif account == "PAPER0001":
                self.rejected(body, "R118: ")
            else:
                row = self.taken(body, account)
                self.assertEqual((row["clientOrderId"], row["orderStatus"], row["text"]), (f"st{stop}INVALID", "PendingNew", None))
                self.p.advance("50ms")
                row = self.p.lookup(f"st{stop}INVALID", account).json
                self.assertEqual((row["orderStatus"], row["text"][:5]), ("Rejected", "R118:"))
                self.assertEqual(self.p.lookup(f"st{stop}", account).status, 404)
                for used in (f"st{stop}", f"st{stop}INVALID"):
                    self.rejected(stock(used, route="SMART"), "R114: ", account)
        self.rejected(stock(side="Sell", orderType="Stop", limitPrice=None, stopPrice=189.99), "R118: ")
        self.taken(stock(side="Sell", openClose="Open", orderType="Stop", limitPrice=None, stopPrice=189.98))


class Fills(Base):
    def test_market_and_marketable_limit(self):
        row = self.filled(stock("a", orderType="Market", limitPrice=None))
        self.assertEqual((row["priceAvg"], row["lastPrice"], row["executed"], row["leavesQuantity"]), (190.01, 190.01, 10, 0))
        row = self.filled(stock("b", limitPrice=195))
        self.assertEqual(row["priceAvg"], 190.01)
        row = self.filled(stock("c", side="Sell", openClose="Close", limitPrice=180))
        self.assertEqual(row["priceAvg"], 189.99)
        held = self.p.get("accounts/PAPER0001/positions").json["positions"]
        self.assertEqual([(x["shares"], x["priceAvg"]) for x in held], [(10, 190.01)])

    def test_resting_limit_fills_when_crossed(self):
        self.taken(stock("a", limitPrice=185))
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "New")
        self.p.quote("AAPL", 185, 185.01)
        self.assertEqual(self.status("a"), "New")
        self.p.quote("AAPL", 184.98, 185)
        row = self.p.lookup("a").json
        self.assertEqual((row["orderStatus"], row["priceAvg"]), ("Filled", 185))

    def test_sizes_limit_one_fill(self):
        self.p.quote("AAPL", 190, 190.01, askSize=4)
        self.taken(stock("a"))
        self.p.advance("1s")
        row = self.p.lookup("a").json
        self.assertEqual((row["orderStatus"], row["executed"], row["leavesQuantity"]), ("PartiallyFilled", 4, 6))
        self.p.quote("AAPL", 190, 190, askSize=4)
        self.assertEqual(self.p.lookup("a").json["executed"], 8)
        self.p.quote("AAPL", 189.5, 189.6)
        row = self.p.lookup("a").json
        self.assertEqual((row["orderStatus"], row["executed"], row["lastQuantity"]), ("Filled", 10, 2))
        self.assertEqual(row["priceAvg"], round((4 * 190.01 + 4 * 190 + 2 * 189.6) / 10, 4))
        self.p.quote("AAPL", 190, 190.01, askSize=4)
        for order_id, tif, status, executed in (("i", "ImmediateOrCancel", "Canceled", 4), ("k", "FillOrKill", "Canceled", 0)):
            self.taken(stock(order_id, timeInForce=tif))
            self.p.advance("1s")
            row = self.p.lookup(order_id).json
            self.assertEqual((row["orderStatus"], row["executed"], row["canceledQuantity"]), (status, executed, 10 - executed))

    def test_stops(self):
        self.taken(stock("s", orderType="Stop", limitPrice=None, stopPrice=192))
        self.taken(stock("l", orderType="StopLimit", limitPrice=192, stopPrice=192))
        self.p.advance("1s")
        self.p.quote("AAPL", 192.5, 192.6)
        self.assertEqual([self.status("s"), self.status("l")], ["Filled", "New"])
        self.p.quote("AAPL", 191.5, 191.6)
        self.assertEqual(self.status("l"), "Filled")

    def test_without_a_quote(self):
        self.p.control("PUT", "quotes/AAPL", None)
        self.taken(stock("a", orderType="Market", limitPrice=None))
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "New")
        self.p.quote("AAPL", 10, 10.01)
        self.assertEqual(self.status("a"), "Filled")

    def test_options_are_priced(self):
        row = self.filled(option("a", limitPrice=50))
        self.assertEqual((row["symbol"], row["tradedSymbol"], row["strikePrice"], row["legs"], row["legCount"]),
                         ("AAPL", occ(), 190, None, 0))
        self.p.quote(occ(), 1.2, 1.25)
        self.assertEqual(self.filled(option("b", limitPrice=2))["priceAvg"], 1.25)
        # Prices of strikes are in order and convex, so that no spread is free.
        asks = []
        for i, strike in enumerate((180, 185, 190, 195, 200)):
            self.p.control("PUT", "accounts/PAPER0001", {"bp": 1000000})
            asks.append(self.filled(option(f"k{i}", symbol=occ(strike=strike, expiry="260320"), limitPrice=90))["priceAvg"])
        steps = [a - b for a, b in zip(asks, asks[1:])]
        self.assertTrue(all(0 < s <= 5 for s in steps), asks)
        self.assertEqual(steps, sorted(steps, reverse=True))

    def test_buying_power(self):
        def bp():
            return self.p.get("account/PAPER0001").json["bp"]
        self.taken(stock("a", limitPrice=100))
        self.assertEqual(bp(), 999000)
        self.p.cancel("a")
        self.p.advance("1s")
        self.assertEqual(bp(), 1000000)
        self.filled(stock("b", limitPrice=200))
        self.assertEqual(bp(), 998099.9)
        self.p.quote("AAPL", 200, 200.01)
        self.filled(stock("c", side="Sell", openClose="Close", limitPrice=150))
        account = self.p.get("account/PAPER0001").json
        self.assertEqual((account["bp"], account["availableCash"], account["equity"]), (1000099.9, 1000099.9, 1000099.9))
        self.assertEqual((account["realized"], account["sharesTraded"]), (0, 0), "the detail's counters are the open's")
        pnl = self.p.get("accounts/PAPER0001/pnl").json
        self.assertEqual((pnl["dayRealized"], pnl["dayPnl"], pnl["sharesTraded"], pnl["exposure"]), (99.9, 99.9, 20, 0))
        self.assertEqual([(r["exposure"], r["dayRealizedPnl"], r["unrealizedPnL"]) for r in pnl["pnl"]], [(0, 99.9, 0)])


class Cancels(Base):
    def test_cancel(self):
        self.taken(stock("a", limitPrice=1))
        self.p.advance("1s")
        row = self.p.cancel("a").json
        self.assertEqual((list(row), row["orderStatus"]), (CLEAN_KEYS, "PendingCancel"))
        self.assertEqual(self.p.cancel("a").json["orderStatus"], "PendingCancel")
        self.p.advance("1s")
        row = self.p.lookup("a").json
        self.assertEqual((row["orderStatus"], row["canceledQuantity"], row["leavesQuantity"]), ("Canceled", 10, 0))
        reply = self.p.cancel("a")
        self.assertEqual((reply.status, reply.headers["Content-Type"]), (404, "text/plain; charset=utf-8"))

    def test_cancel_at_once_and_fill_meanwhile(self):
        self.taken(stock("a"))
        self.assertEqual(self.p.cancel("a").json["orderStatus"], "PendingCancel")
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "Canceled")
        self.taken(stock("b", limitPrice=150))
        self.p.advance("1s")
        self.p.cancel("b")
        self.p.quote("AAPL", 149, 149.5)
        self.assertEqual(self.status("b"), "Filled")
        self.p.advance("1s")
        self.assertEqual(self.status("b"), "Filled")

    def test_what_cannot_be_canceled(self):
        self.assertEqual(self.p.cancel("none").status, 404)
        self.filled(stock("f"))
        self.assertEqual(self.p.cancel("f").status, 404)
        self.rejected(stock("r", limitPrice=-1), "R145: ")
        row = self.p.cancel("r").json
        self.assertEqual((row["orderStatus"], row["text"][:5]), ("Rejected", "R130:"))
        self.assertEqual(self.p.lookup("r").json["text"][:5], "R130:")
        reply = self.p.call("DELETE", "/v1/api/accounts/LIVE0001/orders/f", keys=PAPER)
        self.assertEqual((reply.status, reply.json["message"]), (400, "CancelOrderWithResponse"))
        self.assertEqual(self.p.call("DELETE", "/v1/api/accounts/LIVE0001/orders/f", keys=LIVE).status, 404)


class Lists(Base):
    def test_orders(self):
        self.taken(stock("w", limitPrice=1))
        self.filled(stock("f", symbol="MSFT", limitPrice=500))
        self.taken(stock("s", symbol="TSLA", side="Sell", limitPrice=900))
        rows = {r["clientOrderId"]: r for r in self.p.get("accounts/PAPER0001/orders").json["orders"]}
        self.assertEqual(set(rows), {"w", "f", "s"})
        self.assertEqual(list(rows["w"]), CLEAN_KEYS)
        self.assertEqual((rows["s"]["side"], self.p.lookup("s").json["side"]), ("SellShort", "Sell"))
        self.assertEqual(self.p.lookup("none").status, 404)
        self.assertEqual(self.p.lookup("none").text, "Not found")


if __name__ == "__main__":
    unittest.main()
