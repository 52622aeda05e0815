"""Single-leg options (group S of docs/readings.md; S8 is in test_reject_codes)."""
import unittest

from orders import Orders, exact, live, raw
from paper import occ, option
from reading_case import CONTRACT

PATTERN = "- symbol: Does not match pattern '^[a-zA-Z0-9._-]+$'"


class Symbols(Orders):
    def test_S1_compact_occ(self):
        """The symbol is the root, YYMMDD, C or P, and the strike times 1000 in eight digits. Tested with roots of one
        and six letters, and half a dollar of strike."""
        self.p.quote("ABCDEF", 50, 50, 50)
        for symbol, root, kind, strike in (("F260220C00007500", "F", "Call", 7.5),
                                           ("AAPL260220P00190000", "AAPL", "Put", 190),
                                           ("ABCDEF261218C00050000", "ABCDEF", "Call", 50)):
            self.p.quote(symbol, 1, 1, 1)
            self.assertEqual(self.filled(option(symbol=symbol, limitPrice=1))["strikePrice"], strike)
            held = self.positions()[-1]
            self.assertEqual((held["tradedSymbol"], held["symbol"], held["putCall"], held["priceStrike"]),
                             (symbol, root, kind, strike))

    def test_S2_only_the_pattern_is_checked(self):
        """A symbol that fits the pattern but is no contract passes the schema and is Rejected, at once on paper, later
        on live."""
        for symbol in ("FOO", "AAPL", occ("ZZZ"), occ(expiry="260231"), occ(expiry="251219"), CONTRACT.lower(),
                       CONTRACT + "0", CONTRACT.replace("C0", "X0")):
            self.rejected(option(symbol=symbol), "unknown symbol " + symbol)
            self.rejected_later(live(option(symbol=symbol)), "R24: unknown symbol " + symbol)

    def test_S3_what_fails_the_pattern(self):
        """Blanks, slashes, @, an empty symbol, and the long form padded with blanks fail the pattern."""
        for symbol in ("AAPL  260116C00150000", "AAPL 260220C00190000", "BRK/B260220C00190000", "AAPL@260220C00190000",
                       "", CONTRACT + " "):
            self.refused(option(symbol=symbol), PATTERN)

    def test_S12_the_answer(self):
        """symbol is the underlying, tradedSymbol the contract, strikePrice the strike, legCount is 0 and legs is
        null."""
        for symbol, root, strike in ((CONTRACT, "AAPL", 190), (occ("F", kind="P", strike=12.5), "F", 12.5)):
            for row in (self.taken(option("a" + root, symbol=symbol, limitPrice=0.01)), self.row("a" + root)):
                self.assertEqual([row[k] for k in ("symbol", "tradedSymbol", "strikePrice", "legCount", "legs")],
                                 [root, symbol, strike, 0, None])


class Trades(Orders):
    def test_S4_trader_actions(self):
        """BTO is Buy+Open, STC Sell+Close, STO Sell+Open, and BTC Buy+Close."""
        for side, effect, after in (("Buy", "Open", [("Long", 2)]), ("Sell", "Close", []),
                                    ("Sell", "Open", [("Short", 2)]), ("Buy", "Close", [])):
            self.trade(side, effect, 2, 1.5, CONTRACT)
            self.assertEqual([(r["side"], abs(r["shares"])) for r in self.positions()], after)

    def test_S5_a_cash_secured_put(self):
        """It is an ordinary Sell+Open. If strike x 100 x contracts exceeds the buying power, it is Rejected; the
        premium is not added to that."""
        put = {"symbol": occ(kind="P", strike=190), "side": "Sell", "limitPrice": 9}
        for account, cash, most in (("PAPER0001", 1000000, 52), ("LIVE0001", 100000, 5)):
            def body(quantity):
                order = option(orderQuantity=quantity, **put)
                return live(order) if account == "LIVE0001" else order

            self.p.control("PUT", "accounts/" + account, {"optLevel": 1, "availableCash": cash, "bp": cash})
            row = self.taken(body(most), account)
            self.assertEqual((row["orderStatus"], self.detail(account)["bp"]), ("PendingNew", cash - 19000 * most))
            self.p.cancel(row["clientOrderId"], account)
            self.p.advance("1s")
            self.assertEqual(self.detail(account)["bp"], cash)
            if account == "PAPER0001":
                self.rejected(body(most + 1), "insufficient buying power")
            else:
                self.rejected_later(body(most + 1), "R24: insufficient buying power")

    def test_S6_a_limit_is_dollars_a_share(self):
        """Two contracts at 1.25 reserve 250 while the order works, and cost 250."""
        self.p.quote(CONTRACT, 1.2, 1.3, 1.25)
        self.taken(option("a", orderQuantity=2, limitPrice=1.25))
        self.assertEqual(self.detail()["bp"], 999750)
        self.p.advance("1s")
        self.p.quote(CONTRACT, 1.2, 1.25, 1.25)
        self.assertEqual((self.status("a"), self.detail()["availableCash"]), ("Filled", 999750))

    def test_S7_limits_end_at_9999_99(self):
        """9999.99 passes, 10000 and 9999.991 are a 400 for each order type, and -0.01 is Rejected with R145."""
        self.assertEqual(self.taken(option(limitPrice=9999.99))["orderStatus"], "PendingNew")
        for written in ("10000", "9999.991", "1e4", "1" + "0" * 30, "10000.00000000000000000001"):
            for kind in ("Limit", "StopLimit", "Market", "Stop"):
                self.refused(raw(option(orderType=kind), '"limitPrice": 20', f'"limitPrice": {written}'),
                             "- limitPrice: Must be less than or equal to 9999.99")
        self.assertEqual(str(exact(self.p.order(option(limitPrice=-0.01)))["limitPrice"]), "-0.01")
        self.rejected(option(limitPrice=-0.01), "R145: ")
        self.rejected(option(limitPrice=-10000), "R145: ")

    def test_S9_nothing_is_on_close(self):
        """There is no on-close order type and no on-close time in force."""
        for word in ("MarketOnClose", "LimitOnClose"):
            self.refused(option(orderType=word),
                         '- orderType: orderType must be one of the following: "Market", "Limit", "Stop", "StopLimit"')
            reply = self.p.order(option(timeInForce=word))
            self.assertEqual(reply.status, 400)
            self.assertTrue(reply.text.startswith("- timeInForce: timeInForce must be one of the following: "),
                            reply.text)

    def test_S10_the_route_must_take_options(self):
        """SMART and CTDL accept only stocks, SMARTM accepts options too, and PAPERM accepts only envelopes."""
        for route in ("SMART", "CTDL"):
            self.rejected_later(option(route=route), f"R24: route {route} does not take Option")
        self.rejected(option(route="PAPERM"), "route PAPERM does not take Option")
        for account, route in (("LIVE0001", "SMARTO"), ("PAPER0001", "PAPER")):
            self.p.quote(CONTRACT, 1, 1, 1)
            row = self.taken(option(route=route), account)
            self.p.advance("1s")
            self.assertEqual(self.status(row["clientOrderId"], account), "Filled")


if __name__ == "__main__":
    unittest.main()
