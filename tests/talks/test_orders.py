"""Orders where the service's document is silent or contradicts itself: the readings without a test of their own
elsewhere (CON-4 to CON-21, GAP-18 to GAP-28), option levels, and how orders fill."""
import unittest

from orders import Orders, live
from paper import PAPER, leg, occ, option, spread, stock

COVERED = [leg("AAPL", "Buy", ratio=100), leg(occ(), "Sell")]


class Readings(Orders):
    def test_CON_4_a_stock_leg_and_the_paper_routes(self):
        """Without a route the order goes to PAPER; it is accepted with PAPERM too."""
        self.p.quote(occ(), 5, 5, 5)
        self.assertEqual(self.filled(spread(legs=COVERED, limitPrice=190))["route"], "PAPER")
        self.assertEqual(self.filled(spread(legs=COVERED, limitPrice=190, route="PAPERM"))["route"], "PAPERM")

    def test_CON_17_ids_beyond_36_characters(self):
        """Longer ids are accepted on paper; on live they are R24 once routed. 36 characters are allowed."""
        self.assertEqual(self.taken(stock("x" * 200))["orderStatus"], "PendingNew")
        self.rejected_later(live(stock("x" * 37)), "R24: clientOrderId is longer")
        self.account = "LIVE0001"
        self.filled(live(stock("y" * 36)))

    def test_CON_20_the_most_of_an_option_s_limit_is_not_an_envelope_s(self):
        self.assertEqual(self.taken(spread(limitPrice=10000,
                                           legs=[leg("AAPL", "Sell", "Close", 100), leg(occ(), "Buy", "Close")])
                                    )["limitPrice"], 10000)

    def test_CON_21_R95_is_about_orders_at_work(self):
        """R95 counts only working orders that open the same symbol: not one that is being canceled, a close, another
        contract, or a position."""
        self.taken(stock("b", limitPrice=100))
        self.p.advance("1s")
        self.rejected(stock("s", side="Sell", limitPrice=300), "R95: ")
        self.assertEqual(self.taken(option(side="Sell", limitPrice=300))["orderStatus"], "PendingNew")
        self.rejected(option(limitPrice=1), "R95: ")
        self.assertEqual(self.taken(option(symbol=occ(strike=195), limitPrice=1))["orderStatus"], "PendingNew")
        self.p.cancel("b")
        self.assertEqual(self.taken(stock("s2", side="Sell", limitPrice=300))["orderStatus"], "PendingNew")
        self.buy(10, 500, "MSFT")
        self.assertEqual(self.taken(stock(symbol="MSFT", side="Sell", limitPrice=999))["orderStatus"], "PendingNew")
        self.assertEqual(self.taken(stock(symbol="MSFT", side="Sell", openClose="Close",
                                          limitPrice=999))["orderStatus"], "PendingNew")
        self.rejected(stock(symbol="MSFT", limitPrice=1), "R95: ")

    def test_GAP_18_the_order_of_decisions(self):
        """The sequence is the schema, the account, R114, openClose, R54, R78, R145, R88 and R95."""
        self.assertEqual(self.p.order({**stock("a"), "side": "x"}, "NOBODY", PAPER).headers["Content-Type"],
                         "text/plain; charset=utf-8")
        self.assertEqual(self.p.order(stock("a"), "NOBODY", PAPER).json["message"], "PlaceOrderWithResponse")
        self.taken(stock("used", limitPrice=1))
        wrong = stock("used", side="Sell", openClose="x", route="none", orderType="StopLimit", limitPrice=-1)
        for text, mended in (("R114: ", {}), ("Invalid openClose", {"openClose": "Open"}),
                             ("R54: ", {"route": "PAPER"}),
                             ("R145: ", {"limitPrice": 190}), ("R88: ", {"stopPrice": 100}), ("R95: ", {})):
            self.rejected(wrong, text)
            wrong.update(clientOrderId="fresh " + text, **mended)

    def test_GAP_18_hours_before_prices(self):
        self.at("2026-01-15T22:00:00Z")
        self.rejected(stock(orderType="Market", limitPrice=-1), "R78: ")
        self.rejected(stock(limitPrice=-1), "R145: ")

    def test_GAP_21_closing_what_is_not_held(self):
        """A close is rejected if nothing is held, if it exceeds the position, if it has the wrong side, or if another
        close already uses the position."""
        self.rejected(stock(side="Sell", openClose="Close"), "closing 10 AAPL, none held")
        self.buy(10, 190)
        self.rejected(stock(side="Sell", openClose="Close", orderQuantity=11), "closing 11 AAPL, 10 held")
        self.rejected(stock(side="Buy", openClose="Close"), "closing 10 AAPL, none held")
        self.taken(stock(side="Sell", openClose="Close", orderQuantity=6, limitPrice=300))
        self.rejected(stock(side="Sell", openClose="Close", orderQuantity=5, limitPrice=300), "closing 5 AAPL, 4 held")
        self.taken(stock(side="Sell", openClose="Close", orderQuantity=4, limitPrice=300))

    def test_GAP_22_an_account_that_is_not_active(self):
        for account in ("PAPER0001", "LIVE0001"):
            self.p.control("PUT", "accounts/" + account, {"accountStatus": "Closed"})
        self.rejected(stock(), "the account is not active")
        self.rejected_later(live(stock()), "R24: the account is not active")

    def test_R152_of_a_root_that_is_no_symbol(self):
        """It is checked that the leg is one of the root's contracts, not that the root exists."""
        legs = [leg(occ("ZZZZ", strike=k), side) for k, side in ((190, "Buy"), (195, "Sell"))]
        self.rejected_later(spread(legs=legs), "R152: ", "PAPER0001")
        self.rejected_later(live(spread(legs=legs)), "R152: ")


class Levels(Orders):
    account = "LIVE0001"

    def test_option_levels(self):
        """The level that each kind of order needs on live: OL4 to OL28."""
        put = {"symbol": occ("F", kind="P", strike=20), "side": "Sell", "limitPrice": 8}
        straddle = [leg(occ(kind=k), "Sell") for k in "CP"]
        for needed, body in ((2, option()), (2, option(symbol=occ(kind="P"))), (4, option(side="Sell")),
                             (1, option(**put)),
                             (3, spread()), (3, spread(legs=[leg(occ(kind=k), "Buy") for k in "CP"], limitPrice=20)),
                             (4, spread(legs=straddle)), (1, spread(legs=COVERED, limitPrice=170)),
                             (1, spread(legs=[leg("AAPL", "Buy", ratio=100), leg(occ(kind="P"), "Buy")],
                                        limitPrice=195))):
            for level in (needed - 1, needed):
                self.p.control("PUT", "accounts/LIVE0001", {"optLevel": level, "bp": 200000})
                if level < needed:
                    self.rejected_later(live(body), f"R24: option level {needed} is needed, the account has {level}")
                    continue
                row = self.taken(live(body))
                self.p.advance("30ms")
                self.p.cancel(row["clientOrderId"], self.account)
                self.p.advance("1s")
                self.assertNotEqual(self.status(row["clientOrderId"]), "Rejected", body)

    def test_shares_cover_calls_and_closing_needs_no_level(self):
        """Calls that are covered by shares, cash-secured puts and closes need no level above the account's (OL1, OL2,
        OL5, OL8)."""
        self.p.control("PUT", "positions/LIVE0001", [
            {"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190},
            {"symbol": occ(strike=200), "side": "Long", "shares": 1, "priceAvg": 1}])
        self.p.control("PUT", "accounts/LIVE0001", {"optLevel": 1})
        self.rejected_later(live(option(side="Sell", orderQuantity=2)), "R24: ")
        for body in (option("put", symbol=occ(kind="P"), limitPrice=0.5), option("call", side="Sell", limitPrice=300)):
            self.taken(live(body))
        self.p.control("PUT", "accounts/LIVE0001", {"optLevel": 0})
        self.taken(live(option("stc", symbol=occ(strike=200), side="Sell", openClose="Close", limitPrice=300)))
        self.p.advance("1s")
        self.assertEqual([self.status(i) for i in ("put", "call", "stc")], ["New"] * 3)


class Fills(Orders):
    def test_market_and_marketable_limit(self):
        """A buy fills at the ask and a sale at the bid, never worse than the limit."""
        for order_id, changes, price in (("a", {"orderType": "Market", "limitPrice": None}, 190.01),
                                         ("b", {"limitPrice": 195}, 190.01),
                                         ("c", {"side": "Sell", "openClose": "Close", "limitPrice": 180}, 189.99)):
            row = self.filled(stock(order_id, **changes))
            self.assertEqual((row["priceAvg"], row["lastPrice"], row["executed"]), (price, price, 10))
        self.assertEqual([(r["shares"], r["priceAvg"]) for r in self.positions()], [(10, 190.01)])

    def test_resting_limit_fills_when_crossed(self):
        self.taken(stock("a", limitPrice=185))
        self.p.advance("1s")
        self.p.quote("AAPL", 185, 185.01)
        self.assertEqual(self.status("a"), "New")
        self.p.quote("AAPL", 184.98, 185)
        row = self.row("a")
        self.assertEqual((row["orderStatus"], row["priceAvg"]), ("Filled", 185))

    def test_sizes_limit_one_fill(self):
        self.p.quote("AAPL", 190, 190.01, askSize=4)
        self.taken(stock("a"))
        self.p.advance("1s")
        self.assertEqual((self.status("a"), self.row("a")["executed"]), ("PartiallyFilled", 4))
        self.p.quote("AAPL", 190, 190, askSize=4)
        self.assertEqual(self.row("a")["executed"], 8)
        self.p.quote("AAPL", 189.5, 189.6)
        row = self.p.lookup("a").json
        self.assertEqual((row["orderStatus"], row["executed"], row["lastQuantity"]), ("Filled", 10, 2))
        self.assertEqual(row["priceAvg"], round((4 * 190.01 + 4 * 190 + 2 * 189.6) / 10, 4))

    def test_a_quote_fills_an_order_once(self):
        """A quote that comes before an order was first tried is its first try."""
        self.taken(stock("a", limitPrice=185))
        self.p.advance("50ms")
        self.assertEqual(self.status("a"), "New")
        self.p.quote("AAPL", 184.9, 185, askSize=4)
        self.assertEqual(self.row("a")["executed"], 4)
        self.p.advance("1s")
        self.assertEqual(self.row("a")["executed"], 4)

    def test_GAP_20_immediate_or_cancel_and_fill_or_kill(self):
        """IOC fills what is available and no more; FOK fills all or nothing."""
        for askSize, order_id, tif, status, executed in (
                (4, "i", "ImmediateOrCancel", "Canceled", 4), (4, "k", "FillOrKill", "Canceled", 0),
                (10, "j", "ImmediateOrCancel", "Filled", 10), (10, "l", "FillOrKill", "Filled", 10)):
            self.p.quote("AAPL", 190, 190.01, askSize=askSize)
            self.taken(stock(order_id, timeInForce=tif))
            self.p.advance("1s")
            row = self.row(order_id)
            self.assertEqual((row["orderStatus"], row["executed"], row["canceledQuantity"]),
                             (status, executed, 10 - executed))

    def test_stops(self):
        """Once triggered, a Stop becomes a market order, and a StopLimit a limit order."""
        self.taken(stock("s", orderType="Stop", limitPrice=None, stopPrice=192))
        self.taken(stock("l", orderType="StopLimit", limitPrice=192, stopPrice=192))
        self.p.advance("1s")
        self.assertEqual([self.status("s"), self.status("l")], ["New", "New"])
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
        """Prices are monotone and convex in the strike, so that no spread is free; a quote of a contract overrides
        them."""
        self.p.control("PUT", "accounts/PAPER0001", {"bp": 1000000})
        asks = [self.filled(option(f"k{k}", symbol=occ(strike=k, expiry="260320"), limitPrice=90))["priceAvg"]
                for k in range(180, 205, 5)]
        steps = [a - b for a, b in zip(asks, asks[1:])]
        self.assertTrue(all(0 < s <= 5 for s in steps), asks)
        self.assertEqual(steps, sorted(steps, reverse=True))
        self.p.quote(occ(), 1.2, 1.25)
        self.assertEqual(self.filled(option("b", limitPrice=2))["priceAvg"], 1.25)

    def test_buying_power(self):
        """Working orders reserve buying power, and positions use it; it is available again when they are canceled or
        closed."""
        def bp():
            return self.detail()["bp"]
        self.taken(stock("a", limitPrice=100))
        self.assertEqual(bp(), 999000)
        self.p.cancel("a")
        self.p.advance("1s")
        self.assertEqual(bp(), 1000000)
        self.filled(stock("b", limitPrice=200))
        self.assertEqual(bp(), 998099.9)
        self.p.quote("AAPL", 200, 200.01)
        self.filled(stock("c", side="Sell", openClose="Close", limitPrice=150))
        account = self.detail()
        self.assertEqual((account["bp"], account["availableCash"], account["equity"]),
                         (1000099.9, 1000099.9, 1000099.9))
        pnl = self.pnl()
        self.assertEqual((pnl["dayRealized"], pnl["dayPnl"], pnl["sharesTraded"], pnl["exposure"]), (99.9, 99.9, 20, 0))
        self.assertEqual([(r["exposure"], r["dayRealizedPnl"], r["unrealizedPnL"]) for r in pnl["pnl"]], [(0, 99.9, 0)])

    def test_a_fill_while_a_cancel_is_on_its_way(self):
        self.taken(stock("a"))
        self.assertEqual(self.p.cancel("a").json["orderStatus"], "PendingCancel")
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "Canceled")
        self.taken(stock("b", limitPrice=150))
        self.p.advance("1s")
        self.p.cancel("b")
        self.p.quote("AAPL", 149, 149.5)
        self.p.advance("1s")
        self.assertEqual(self.status("b"), "Filled")


if __name__ == "__main__":
    unittest.main()
