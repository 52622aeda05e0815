"""Multi-leg options (group T of docs/readings.md; T2 is in test_reject_codes, T7 in test_errors_http, T23 in
test_order_frame)."""
import itertools
import unittest

from orders import CLEAN_KEYS, FLIP, Orders, live
from paper import leg, occ, spread

B, S = "Buy", "Sell"


def call(strike, side, ratio=1, effect="Open"):
    return leg(occ(strike=strike), side, effect, ratio)


def put(strike, side, ratio=1, effect="Open"):
    return leg(occ(strike=strike, kind="P"), side, effect, ratio)


def shares(side, ratio=100, effect="Open", symbol="AAPL"):
    return leg(symbol, side, effect, ratio)


def flipped(legs):
    return [{**one, "side": FLIP[one["side"]]} for one in legs]


# Rows 1 to 9 and 11 of the decision table in docs/readings.md (rows 10 and 12 are the closes of these): name, net side,
# legs in the order of their strikes.
SHAPES = [
    ("call vertical", B, [call(190, B), call(195, S)]),
    ("put vertical", B, [put(190, S), put(195, B)]),
    ("straddle", B, [call(190, B), put(190, B)]),
    ("strangle", B, [put(185, B), call(195, B)]),
    ("call butterfly", B, [call(185, B), call(190, S, 2), call(195, B)]),
    ("put butterfly", B, [put(185, B), put(190, S, 2), put(195, B)]),
    ("unequal wings", B, [call(180, B), call(190, S, 2), call(195, B)]),
    ("call condor", B, [call(180, B), call(185, S), call(190, S), call(195, B)]),
    ("put condor", B, [put(180, B), put(185, S), put(190, S), put(195, B)]),
    ("iron butterfly", S, [put(185, B), put(190, S), call(190, S), call(195, B)]),
    ("iron condor", S, [put(180, B), put(185, S), call(195, S), call(200, B)]),
]
WITH_STOCK = [("covered call", B, [shares(B), call(200, S)]), ("married put", B, [shares(B), put(180, B)])]
ALL = SHAPES + [(f"{name}, the other way", FLIP[net], flipped(legs)) for name, net, legs in SHAPES] + WITH_STOCK

UNSUPPORTED = [
    [call(190, B), call(195, B)], [put(190, S), put(195, S)],  # one-sided without a name
    [call(190, B), call(195, S, 2)], [call(190, B), call(195, S, 3)],
    [call(190, B, 2), call(195, S, 3)],  # ratio spreads
    [call(190, B), put(190, S)], [call(190, S), put(190, B)],  # synthetics
    [put(185, B), call(195, S)], [put(185, S), call(195, B)],  # risk reversals
    [put(195, B), call(185, B)], [put(195, S), call(185, S)],  # guts
    [call(190, B), call(190, S)], [call(190, B), call(190, B)],  # one contract twice
    [call(185, B), call(190, S), call(195, B)], [call(185, B), call(190, S, 3), call(195, B, 2)],  # not 1-2-1
    [call(185, B, 2), call(190, S, 3), call(195, B)], [call(185, B, 2), call(190, S), call(195, B)],
    [call(185, B), put(190, S, 2), call(195, B)], [call(185, B), call(190, B, 2), call(195, B)],
    [shares(B), call(195, S), put(185, B)],  # collar
    [call(190, B), call(195, S), put(190, S), put(195, B)],  # box
    [put(185, B), put(190, S), call(185, S), call(195, B)],  # three strikes, but not the body's
    [put(190, B), put(195, S), call(185, S), call(180, B)],  # inverted
    [put(180, B), put(185, B), call(195, S), call(200, S)], [put(180, B), put(185, S), call(195, B), call(200, S)],
    [call(180, B), call(185, S), call(190, B), call(195, S)],
    [call(180, B), call(185, S, 2), call(190, S, 2), call(195, B)],
    [call(180, B), call(185, S), call(190, S), put(195, B)], [call(180, B), call(185, S), call(185, S), call(195, B)],
    [shares(B, 1), call(190, S)], [shares(B, 50), call(190, S)], [shares(B, 99), call(190, S)],
    [shares(B), call(190, B)], [shares(B), put(190, S)], [shares(S), call(190, B)], [shares(S), put(190, S)],
    [shares(B), shares(S, 1, "Open", "MSFT")],
    [shares(B, 100, "Close"), call(190, S)], [shares(S, 100, "Close"), call(190, B)],
    [shares(B), put(190, B, 1, "Close")],
]


class Structure(Orders):
    def test_T1_symbol_is_the_underlying_of_every_leg(self):
        """MSFT is not the underlying of AAPL's legs, and neither is an invalid symbol. Legs whose symbol is invalid
        are Rejected for that."""
        for root, price in (("AAPL", 190), ("F", 12)):
            legs = [leg(occ(root, strike=price), B), leg(occ(root, strike=price + 5), S)]
            row = self.filled(spread(symbol=root, legs=legs, orderType="Market", limitPrice=None))
            self.assertEqual({r["symbol"] for r in self.positions()
                              if r["tradedSymbol"] in [one["symbol"] for one in row["legs"]]},
                             {root})
        for root in ("MSFT", "aapl", "ZZZZ"):
            self.rejected_later(spread(symbol=root), "R152: ", "PAPER0001")
        legs = [leg(occ("ZZZZ", strike=190), B), leg(occ("ZZZZ", strike=195), S)]
        self.rejected(spread(symbol="ZZZZ", legs=legs), "unknown symbol ZZZZ")

    def test_T3_no_side_at_the_root(self):
        """The answer is 400 for every value, valid, null or nonsense."""
        for side in (B, S, None, "x", 7):
            self.refused({**spread(), "side": side}, "- (root): Additional property side is not allowed")

    def test_T4_fields_of_a_leg(self):
        """symbol, side, ratio and openClose are all required. A wrong case of openClose is a 200 and Rejected."""
        good = call(195, S)
        for field in good:
            for at in (0, 1):
                legs = [call(190, B), dict(good)]
                del legs[at][field]
                self.refused(spread(legs=legs), f"- legs.{at}: {field} is required")
        for field, value, line in (
                ("side", "SELL", 'legs.1.side must be one of the following: "Buy", "Sell"'),
                ("side", None, "Invalid type. Expected: string, given: null"),
                ("symbol", "A B", "Does not match pattern '^[a-zA-Z0-9._-]+$'"),
                ("openClose", 1, "Invalid type. Expected: string, given: integer")):
            self.refused(spread(legs=[call(190, B), {**good, field: value}]), f"- legs.1.{field}: {line}")
        self.refused(spread(legs=[good, 7]), "- legs.1: Invalid type. Expected: object, given: integer")
        for word in ("open", "CLOSE", ""):
            row = self.rejected(spread(legs=[call(190, B), {**good, "openClose": word}]), "Invalid openClose")
            self.assertEqual(row["openClose"], "Unknown")

    def test_T5_ratio(self):
        """The ratio is an integer from 1 to 100."""
        for value, line in ((0, "Must be greater than or equal to 1"), (-1, "Must be greater than or equal to 1"),
                            (101, "Must be less than or equal to 100"),
                            (1.5, "Invalid type. Expected: integer, given: number"),
                            ("1", "Invalid type. Expected: integer, given: string")):
            self.refused(spread(legs=[call(190, B, value), call(195, S)]), f"- legs.0.ratio: {line}")
        self.taken(spread(legs=[call(185, B), call(190, S, 2), call(195, B)]))
        self.taken(spread(legs=[shares(B, 100), call(195, S)]))

    def test_T6_a_stock_leg(self):
        """A stock leg is the bare ticker with a ratio of 100 beside one contract; orderQuantity multiplies both
        (CON-3)."""
        for quantity, held in ((1, 1), (3, 4)):
            self.filled(spread(legs=[shares(B), call(200, S)], orderType="Market", limitPrice=None,
                               orderQuantity=quantity))
            self.assertEqual([(r["tradedSymbol"], r["side"], abs(r["shares"])) for r in self.positions()],
                             [(None, "Long", 100 * held), (occ(strike=200), "Short", held)])

    def test_T8_one_expiry(self):
        """Every option leg, in any shape, must have the same expiry. This is checked before divisors and shapes. A
        stock leg has none."""
        other = occ(expiry="260320")
        for legs in ([call(190, B), leg(other, S)], [call(190, B), leg(occ(expiry="260320", strike=195), S)],
                     [call(185, B), leg(other, S, ratio=2), call(195, B)], [call(190, B, 2), leg(other, S, ratio=2)],
                     [shares(B), call(190, S), leg(other, B)]):
            self.refused(spread(legs=legs), "Calendar orders are not currently supported.")
        self.taken(spread(legs=[shares(B), leg(other, S)]))

    def test_T9_no_common_divisor(self):
        """Ratios of 2:2, 2:4:2 and 100:2 have a common divisor and are refused; 1:2:1 has none."""
        for legs in ([call(190, B, 2), call(195, S, 2)], [call(185, B, 2), call(190, S, 4), call(195, B, 2)],
                     [shares(B), call(190, S, 2)], [call(190, B, 9), call(195, B, 6)]):
            self.refused(spread(legs=legs), "Invalid order, leg ratios cannot have a common devisor.")
        self.taken(spread(legs=[call(185, B), call(190, S, 2), call(195, B)]))

    def test_T11_what_is_not_supported(self):
        """All legs bought or all sold without being a straddle, a strangle or a married put, and every other shape,
        are refused, in any order of the legs."""
        for legs in UNSUPPORTED:
            for order in (legs, legs[::-1]):
                self.refused(spread(legs=order), "Strategy not supported.")


# One price for each strike, convex in the strike, so that no spread is free.
PRICES = {"AAPL": 190, **{occ(strike=k): (210 - k) ** 2 / 40 for k in range(180, 205, 5)},
          **{occ(strike=k, kind="P"): (k - 170) ** 2 / 40 for k in range(180, 205, 5)}}


def net_price(legs):
    """Returns the net price of one unit, per share; a positive one is paid."""
    return sum((1 if one["side"] == B else -1) * PRICES[one["symbol"]] * (1 if one["symbol"] == "AAPL"
                                                                          else one["ratio"])
               for one in legs)


class Shapes(Orders):
    def setUp(self):
        super().setUp()
        for symbol, price in PRICES.items():
            self.p.quote(symbol, price, price, price)

    def test_T10_H26_supported_shapes_and_their_net_side(self):
        """Each row of the decision table, as it is and with the sides exchanged, is filled; the net side is Buy for a
        debit, Sell for a credit."""
        for name, net, legs in ALL:
            price = net_price(legs)
            row = self.filled(spread(legs=legs, limitPrice=abs(price)))
            self.assertEqual((row["side"], row["priceAvg"], price > 0), (net, abs(price), net == B), name)

    def test_T10_mixed_open_and_close(self):
        """In shapes of options alone, each leg opens or closes as it says."""
        self.filled(spread(legs=[call(190, B), call(195, S)], orderType="Market", limitPrice=None))
        row = self.filled(spread(legs=[call(190, S, 1, "Close"), call(200, B)], orderType="Market", limitPrice=None))
        self.assertEqual(row["openClose"], "Unknown")
        self.assertEqual([(r["priceStrike"], r["side"]) for r in self.positions()], [(195, "Short"), (200, "Long")])

    def test_T19_legs_in_any_order(self):
        """Every permutation of the legs of every shape is accepted: 24 of the iron condor."""
        for name, _, legs in ALL:
            for order in itertools.permutations(legs):
                reply = self.p.order(spread(legs=list(order), limitPrice=0.01))
                self.assertEqual(reply.status, 200, f"{name} {order} {reply.text}")

    def test_T22_closing(self):
        """Every shape, including those with all legs on one side, ends flat after an order with the same legs, each
        side exchanged and each openClose Close."""
        for name, net, legs in ALL:
            body = spread(legs=legs, orderType="Market", limitPrice=None)
            self.filled(body)
            self.assertEqual(len(self.positions()), len(legs), name)
            row = self.filled(self.closing(body, name.translate({32: "-", 44: None})))
            self.assertEqual((row["side"], row["openClose"], self.positions()), (FLIP[net], "Close", []), name)


class Prices(Orders):
    def test_T12_a_net_price_that_is_positive(self):
        """The price is that of one unit, per share. The sides determine whether it is a debit or a credit; 0 and less
        are R145."""
        for price in (0, -1, -0.01):
            for side in (B, S):
                self.rejected(self.vertical(None, side, limitPrice=price), "R145: ")
        cash = self.detail()["availableCash"]
        self.assertEqual(self.filled(self.vertical("d", B, orderQuantity=3))["priceAvg"], 2)
        self.assertEqual(self.detail()["availableCash"], cash - 600)
        self.assertEqual(self.filled(self.vertical("c", S, orderQuantity=2))["priceAvg"], 2)
        self.assertEqual(self.detail()["availableCash"], cash - 200)
        self.taken(self.vertical("dear", B, limitPrice=1.99))
        self.p.advance("1s")
        self.assertEqual(self.status("dear"), "New")

    def test_T13_limit_price_is_required(self):
        """Without a limit price, Limit and StopLimit orders are answered 200 with limit 0, and Rejected with R145."""
        for changes in ({}, {"orderType": "StopLimit"}, {"orderType": "StopLimit", "stopPrice": 2}):
            row = self.rejected(spread(limitPrice=None, **changes), "R145: ")
            self.assertEqual(row["limitPrice"], 0)

    def test_T14_a_stop_limit_without_a_stop(self):
        """Without a stopPrice, priceStop is the order's limitPrice; a given stopPrice is kept."""
        row = self.taken(spread(orderType="StopLimit", limitPrice=1.5))
        self.assertEqual((row["orderStatus"], row["limitPrice"], row["priceStop"]), ("PendingNew", 1.5, 1.5))
        self.assertEqual(self.taken(spread(orderType="StopLimit", limitPrice=1.5, stopPrice=1.25))["priceStop"], 1.25)
        self.rejected(spread(orderType="StopLimit", limitPrice=1.5, stopPrice=0), "R88: ")

    def test_T16_day_alone(self):
        """Both routes list only Day: anything else is R24 on live, and accepted on paper."""
        for account, name in (("PAPER0001", "PAPERM"), ("LIVE0001", "SMARTM")):
            listed = {r["routeName"]: r["timesInForce"] for r in self.get("routes", account)["routes"]}
            self.assertEqual(listed[name], ["Day"])
        for tif in ("GoodTillCancel", "AtTheOpening", "ImmediateOrCancel", "FillOrKill", "GoodTillCrossing",
                    "Day_Plus", "GTC_Plus"):
            self.rejected_later(live(spread(timeInForce=tif)), "R24: time in force " + tif)
            self.assertEqual(self.taken(spread(timeInForce=tif))["orderStatus"], "PendingNew")
        self.assertEqual(self.taken(live(spread()), "LIVE0001")["orderStatus"], "PendingNew")

    def test_T17_an_id_is_made(self):
        made = [self.taken(spread())["clientOrderId"] for _ in range(2)]
        self.assertEqual(len(set(made)), 2)
        for order_id in made:
            self.assertRegex(order_id, "^[0-9]+$")
            self.assertEqual(self.p.lookup(order_id).json["securityType"], "MLEG")

    def test_T18_the_route_that_takes_envelopes(self):
        """The route is SMARTM; the plain smart route is only for stocks, SMARTO for single options."""
        for route in ("SMART", "CTDL", "SMARTO"):
            self.rejected_later(spread(route=route), f"R24: route {route} does not take MLEG")
        self.account = "LIVE0001"
        self.assertEqual(self.filled(self.vertical())["route"], "SMARTM")


class Road(Orders):
    def test_T20_the_immediate_answer(self):
        """legCount is 0 and legs is null, in the clean shape."""
        for body in (spread(), spread(legs=ALL[10][2]), spread(limitPrice=-1)):
            row = self.taken(body)
            self.assertEqual((row["legCount"], row["legs"], list(row)), (0, None, CLEAN_KEYS))

    def test_T21_processed_within_some_hundred_milliseconds(self):
        """A look-up after 50 ms and 299 ms has the clean shape, after 300 ms the WebSocket shape with its legs. The
        list has one row."""
        self.taken(self.vertical("m"))
        for step in ("50ms", "249ms"):
            self.p.advance(step)
            row = self.p.lookup("m").json
            self.assertEqual((list(row), row["legCount"], row["legs"]), (CLEAN_KEYS, 0, None))
        self.p.advance("1ms")
        row = self.p.lookup("m").json
        self.assertEqual((row["userOrderId"], row["orderStatus"], row["legCount"]), ("PAPER0001:m", "Filled", 2))
        self.assertEqual([one["symbol"] for one in row["legs"]], [occ(strike=190), occ(strike=195)])
        self.assertEqual([r["clientOrderId"] for r in self.get("orders")["orders"]], ["m"])


if __name__ == "__main__":
    unittest.main()
