"""Options at the close of their last day: out of the money, in the money, long and short, and with working orders on
them."""
import unittest

from paper import Paper, SomeFile, leg, occ, spread
from reading_case import ReadingCase

LAST = "260116"  # a Friday; the clock starts on the Thursday before
CLOSED = "2026-01-16T21:00:01Z"


class Expiry(ReadingCase):
    account = "LIVE0001"

    def hold(self, *lots, last=200, at=CLOSED):
        """Hold lots of (kind, strike, contracts), where negative contracts are short, and of shares (None, 0, shares)
        over the close; returns the positions then."""
        self.p.control("PUT", f"positions/{self.account}", [
            {"symbol": occ(expiry=LAST, kind=kind, strike=strike) if kind else "AAPL", "shares": size, "priceAvg": 5,
             "dayOvernight": "Overnight"}
            for kind, strike, size in lots])
        self.p.quote("AAPL", last, last, last)
        self.before = self.detail()["availableCash"]
        self.at(at)
        return [(row["securityType"], row["side"], row["shares"], row["priceAvg"]) for row in self.positions()]

    def paid(self):
        return self.detail()["availableCash"] - self.before

    def record(self):
        self.p.advance("2s")
        return [(row["priceClose"], row["realized"]) for row in self.closed()]

    def test_out_of_the_money_ends_at_nothing(self):
        self.assertEqual(self.hold(("C", 210, 2), ("P", 190, -1)), [])
        self.assertEqual(self.paid(), 0)
        self.assertEqual(self.record(), [(0, -1000), (0, 500)])

    def test_at_the_money_is_out(self):
        self.assertEqual(self.hold(("C", 200, 1), ("P", 200, 1)), [])

    def test_a_long_call_becomes_shares_at_the_strike(self):
        self.assertEqual(self.hold(("C", 190, 1)), [("Stock", "Long", 100, 200)])
        self.assertEqual(self.paid(), -19000)
        self.assertEqual(self.record(), [(10, 500)])

    def test_a_short_call_takes_the_shares_that_cover_it(self):
        self.assertEqual(self.hold((None, 0, 150), ("C", 190, -1)), [("Stock", "Long", 50, 5)])
        self.assertEqual(self.paid(), 19000)

    def test_a_short_call_without_shares_is_short_of_them(self):
        self.assertEqual(self.hold(("C", 190, -1)), [("Stock", "Short", 100, 200)])
        self.assertEqual(self.paid(), 19000)

    def test_puts(self):
        self.assertEqual(self.hold(("P", 210, 1)), [("Stock", "Short", 100, 200)])
        self.assertEqual(self.paid(), 21000)
        self.hold(at="2026-01-16T21:00:02Z")
        self.assertEqual(self.positions(), [])

    def test_a_short_put_buys(self):
        self.assertEqual(self.hold(("P", 210, -2)), [("Stock", "Long", 200, 200)])
        self.assertEqual(self.paid(), -42000)

    def test_a_spread_comes_out_flat(self):
        self.assertEqual(self.hold(("C", 195, -1), ("C", 190, 1)), [])
        self.assertEqual(self.paid(), 500)

    def test_money_instead_of_shares(self):
        self.p.control("PUT", "switches", {"expiry": "cash"})
        self.assertEqual(self.hold(("C", 190, 1), ("P", 215, -1)), [])
        self.assertEqual(self.paid(), 1000 - 1500)

    def test_it_is_no_trade(self):
        self.hold(("C", 190, 1))
        self.assertEqual((self.fills(), self.pnl()["sharesTraded"]), ([], 0))
        self.assertEqual(self.pnl()["dayRealized"], 500)

    def test_not_before_the_close_and_no_other_contract(self):
        later = occ(expiry="260220", strike=190)
        self.p.control("PUT", "positions/LIVE0001",
                       [{"symbol": s, "shares": 1, "priceAvg": 1} for s in (occ(expiry=LAST), later)])
        self.at("2026-01-16T21:00:00Z")
        self.assertEqual(len(self.positions()), 2)
        self.p.advance("1s")
        self.assertEqual([row["tradedSymbol"] for row in self.positions()], [later, None][:1])

    def test_a_root_without_a_quote(self):
        self.p.control("PUT", "positions/LIVE0001", [{"symbol": occ("NONE", expiry=LAST), "shares": 1, "priceAvg": 1}])
        self.at(CLOSED)
        self.assertEqual(self.positions(), [])

    def test_working_orders_are_expired(self):
        one, two = occ(expiry=LAST, strike=200), occ(expiry=LAST, strike=210)
        self.p.order({**spread("m", legs=[leg(one, "Buy"), leg(two, "Sell")], limitPrice=0.01,
                               timeInForce="GoodTillCancel")})
        self.p.order({"clientOrderId": "o", "securityType": "Option", "symbol": one, "side": "Buy",
                      "openClose": "Open", "orderType": "Limit",
                      "orderQuantity": 1, "timeInForce": "GoodTillCancel", "limitPrice": 0.01})
        self.send("s", account="PAPER0001", limitPrice=1, timeInForce="GoodTillCancel")
        self.at(CLOSED)
        self.assertEqual([self.status(i, "PAPER0001") for i in "mos"], ["Expired", "Expired", "DoneForDay"])

    def test_streams_hear_of_it(self):
        stream = self.p.portfolio("LIVE0001")
        self.hold(("C", 190, 1))
        pushes = [stream.json()["position"] for _ in range(2)]
        self.assertEqual([(row["symbol"], row["shares"]) for row in pushes], [("AAPL", 0), ("AAPL", 100)])

    def test_a_close_while_the_service_was_down(self):
        with SomeFile() as db:
            for clock in (self.clock, "2026-01-20T15:00:00Z"):
                with Paper("--db", db, clock=clock) as self.p:
                    if clock == self.clock:
                        self.p.control("PUT", "positions/LIVE0001",
                                       [{"symbol": occ(expiry=LAST, strike=150), "shares": 1, "priceAvg": 1}])
                        self.assertEqual(self.positions()[0]["securityType"], "Option")
            with Paper("--db", db, clock="2026-01-20T15:00:01Z") as self.p:
                self.assertEqual([(row["securityType"], row["shares"]) for row in self.positions()], [("Stock", 100)])


if __name__ == "__main__":
    unittest.main()
