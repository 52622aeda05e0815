"""The P&L call (group E of docs/readings.md, and the rows on P&L of other groups)."""
import json
import unittest

from paper import leg, occ, spread
from reading_case import CONTRACT, ReadingCase

TOTALS = ("accountValue allowedLeverage availableCash dayPnl dayRealized dayUnrealized equityRatio exposure "
          "optionCashUsed pnl sharesTraded totalUnrealized usedLeverage").split()
ROW = ("positionId symbol exposure realizedPnl unrealizedPnL dayRealizedPnl dayUnrealizedPnL pctPnLMove "
       "dayPctPnLMove").split()
NEXT = "2026-01-16T15:00:00Z"


class Pnl(ReadingCase):
    def price(self, symbol, price):
        self.p.quote(symbol, price, price, price)

    def only(self):
        rows = self.pnl()["pnl"]
        self.assertEqual(len(rows), 1)
        return rows[0]

    def carry(self, quantity=10, paid=100, close=100, symbol="AAPL"):
        """Make a lot of yesterday, with its price when the session opened."""
        self.buy(quantity, paid, symbol)
        self.price(symbol, close)
        self.at(NEXT)

    def test_E1_account_value_moves_with_each_quote(self):
        self.buy(10, 100)
        for price in (100, 101, 99.5):
            self.price("AAPL", price)
            self.assertEqual(self.pnl()["accountValue"], 50000 + 10 * (price - 100))

    def test_E2_allowed_leverage(self):
        """The field is 1 on a cash account."""
        self.assertEqual((self.pnl()["allowedLeverage"], self.pnl("PAPER0001")["allowedLeverage"]), (2, 1))

    def test_E3_available_cash(self):
        self.buy(10, 100)
        self.assertEqual(self.pnl()["availableCash"], 49000)

    def test_E4_day_pnl_is_realized_and_unrealized(self):
        self.carry(10, 100, 102)
        self.price("AAPL", 105)
        self.sell(4, 106)
        pnl = self.pnl()
        self.assertEqual(pnl["dayPnl"], round(pnl["dayRealized"] + pnl["dayUnrealized"], 2))
        self.assertNotEqual(pnl["dayRealized"], 0)
        self.assertNotEqual(pnl["dayUnrealized"], 0)

    def test_E5_day_realized(self):
        self.buy(10, 100)
        self.sell(4, 103)
        self.assertEqual(self.pnl()["dayRealized"], 12)
        self.at(NEXT)
        self.assertEqual(self.pnl()["dayRealized"], 0)

    def test_E6_day_unrealized(self):
        """Only the day's part counts: a carried lot counts from the session's open."""
        self.carry(10, 100, 102)
        self.price("AAPL", 105)
        self.assertEqual(self.pnl()["dayUnrealized"], 30)

    def test_E7_equity_ratio(self):
        """The ratio is 1 without leverage; with leverage it is equity divided by exposure."""
        self.assertEqual(self.pnl()["equityRatio"], 1)
        self.buy(800, 100)
        self.assertEqual(self.pnl()["equityRatio"], 0.625)

    def test_E8_CON_36_exposure_of_stock_rows(self):
        self.buy(10, 100)
        self.short(5, 50, "MSFT")
        self.buy(1, 2, CONTRACT)
        pnl = self.pnl()
        self.assertEqual(pnl["exposure"], 1250)
        self.assertEqual(pnl["exposure"], sum(r["exposure"] for r in pnl["pnl"] if len(r["symbol"]) < 15))

    def test_E9_option_cash_used(self):
        """It is the sum of exposure over open option rows; 0 when there are none."""
        self.buy(10, 100)
        self.assertEqual(self.pnl()["optionCashUsed"], 0)
        self.buy(3, 2, CONTRACT)
        self.price(CONTRACT, 2.5)
        self.assertEqual(self.pnl()["optionCashUsed"], 750)
        self.short(2, 1, occ(strike=200))
        self.assertEqual(self.pnl()["optionCashUsed"], 950, "an exposure has no sign")

    def test_E10_pnl_is_an_array_of_rows(self):
        self.buy(10, 100)
        self.assertIsInstance(self.pnl()["pnl"], list)

    def test_E11_shares_traded(self):
        """Today's shares of both sides are counted, and contracts are not."""
        self.buy(10, 100)
        self.sell(4, 100)
        self.buy(1, 1, CONTRACT)
        self.assertEqual(self.pnl()["sharesTraded"], 14)
        self.at(NEXT)
        self.assertEqual(self.pnl()["sharesTraded"], 0)

    def test_E12_total_unrealized_is_of_the_lifetime(self):
        self.carry(10, 100, 102)
        self.price("AAPL", 105)
        self.assertEqual(self.pnl()["totalUnrealized"], 50)

    def test_E13_used_leverage(self):
        """It is exposure divided by account value: 0 when the account holds nothing, and not NaN when it is worth
        nothing."""
        self.assertEqual(self.pnl()["usedLeverage"], 0)
        self.buy(750, 100)
        self.assertEqual(self.pnl()["usedLeverage"], 1.5)
        self.p.control("PUT", "accounts/LIVE0001", {"equity": 0})
        text = json.dumps(self.pnl(), allow_nan=False)
        self.assertEqual(json.loads(text)["usedLeverage"], 0)

    def test_E14_casing(self):
        self.buy(10, 100)
        row = self.only()
        for key in ("unrealizedPnL", "dayUnrealizedPnL", "realizedPnl", "dayRealizedPnl", "pctPnLMove",
                    "dayPctPnLMove"):
            self.assertIn(key, row)
        self.assertIn("dayPnl", self.pnl())

    def test_E15_position_id_joins(self):
        self.buy(10, 100)
        self.buy(1, 1, CONTRACT)
        self.assertEqual([r["positionId"] for r in self.pnl()["pnl"]], [r["positionId"] for r in self.positions()])

    def test_E16_symbol_is_the_contract_of_an_option(self):
        self.buy(1, 1, CONTRACT)
        self.assertEqual((self.only()["symbol"], self.positions()[0]["symbol"]), (CONTRACT, "AAPL"))

    def test_E17_exposure_is_absolute(self):
        """Exposure is above 0 for a short lot, and 0 for a lot that was closed today."""
        self.short(10, 100)
        self.assertEqual(self.only()["exposure"], 1000)
        self.cover(10, 100)
        self.assertEqual(self.only()["exposure"], 0)

    def test_E18_realized_of_the_lifetime(self):
        self.buy(10, 100)
        self.sell(3, 101)
        self.at(NEXT)
        self.sell(3, 102)
        self.assertEqual(self.only()["realizedPnl"], 9)

    def test_E19_unrealized_is_0_when_closed(self):
        self.buy(10, 100)
        self.price("AAPL", 104)
        self.assertEqual(self.only()["unrealizedPnL"], 40)
        self.sell(10, 105)
        self.assertEqual(self.only()["unrealizedPnL"], 0)

    def test_E20_day_realized_of_a_carried_lot(self):
        """A lot is closed in part yesterday and in part today: the day's realized P&L is less than that of its
        lifetime."""
        self.buy(10, 100)
        self.sell(5, 103)
        self.at(NEXT)
        self.sell(5, 104)
        row = self.only()
        self.assertEqual((row["dayRealizedPnl"], row["realizedPnl"]), (20, 35))

    def test_E21_day_unrealized_of_a_carried_lot(self):
        self.carry(10, 100, 102)
        self.price("AAPL", 105)
        row = self.only()
        self.assertEqual((row["dayUnrealizedPnL"], row["unrealizedPnL"]), (30, 50))

    def test_E22_percent_of_cost(self):
        """The field is in percent: 12.0 means +12 %. If the cost is 0, nothing is divided by it."""
        self.buy(10, 100)
        self.price("AAPL", 112)
        self.assertEqual(self.only()["pctPnLMove"], 12)
        self.p.control("PUT", "positions/LIVE0001", [{"symbol": "AAPL", "shares": 10, "priceAvg": 0}])
        self.assertEqual(self.only()["pctPnLMove"], 0)

    def test_E23_percent_of_the_day(self):
        self.carry(10, 100, 102)
        self.price("AAPL", 105)
        row = self.only()
        self.assertEqual((row["dayPctPnLMove"], row["pctPnLMove"]), (3, 5))

    def test_E24_rows_are_per_lot(self):
        """Two lots of one ticker make two rows."""
        self.carry()
        self.buy(10, 103)
        rows = self.pnl()["pnl"]
        self.assertEqual([r["symbol"] for r in rows], ["AAPL", "AAPL"])
        self.assertEqual(len({r["positionId"] for r in rows}), 2)

    def test_E25_a_lot_closed_today_stays_for_the_session(self):
        self.buy(10, 100)
        self.sell(10, 101)
        self.at("2026-01-16T00:59:00Z")
        self.assertEqual((self.only()["exposure"], self.only()["realizedPnl"]), (0, 10))
        self.at(NEXT)
        self.assertEqual(self.pnl()["pnl"], [])

    def test_E26_day_figures_of_lots_of_today_and_before(self):
        self.buy(10, 100)
        self.price("AAPL", 103)
        row = self.only()
        self.assertEqual((row["dayUnrealizedPnL"], row["dayPctPnLMove"]), (row["unrealizedPnL"], row["pctPnLMove"]))
        self.at(NEXT)
        self.price("AAPL", 104)
        row = self.only()
        self.assertEqual((row["dayUnrealizedPnL"], row["unrealizedPnL"]), (10, 40))

    def test_E27_every_lot_and_those_closed_today(self):
        self.buy(10, 100)
        self.buy(1, 1, CONTRACT)
        self.short(5, 50, "MSFT")
        self.cover(5, 50, "MSFT")
        self.assertEqual(sorted(r["symbol"] for r in self.pnl()["pnl"]), ["AAPL", CONTRACT, "MSFT"])

    def test_E28_live_rows_match_positions(self):
        self.carry()
        self.buy(10, 103)
        self.buy(1, 1, CONTRACT)
        self.assertEqual([r["positionId"] for r in self.pnl()["pnl"]], [r["positionId"] for r in self.positions()])

    def test_E30_the_envelope_of_a_flat_account(self):
        pnl = self.pnl()
        self.assertEqual((pnl["pnl"], len(pnl)), ([], 13))

    def test_E31_totals_are_sums_of_rows(self):
        """On every response the totals are the sums of the rows to the cent, whatever was traded."""
        self.account = "PAPER0001"
        self.p.order(spread(legs=[leg(occ(strike=190), "Buy"), leg(occ(strike=195), "Sell")], limitPrice=90),
                     "PAPER0001")
        for n, (symbol, cents) in enumerate((("AAPL", 9999), ("MSFT", 10001), ("NVDA", 3333), ("F", 701))):
            self.buy(7 + n, cents / 100, symbol)
            self.p.quote(symbol, cents / 100, (cents + 3) / 100, (cents + 1) / 100)
            self.sell(3, (cents + 2) / 100, symbol)
            self.ties()
        self.short(11, 50.05, "TSLA")
        self.at(NEXT)
        self.ties()
        self.cover(4, 49.99, "TSLA")
        self.sell(4, 101.37, "AAPL")
        self.ties()

    def ties(self):
        pnl = self.pnl()
        for total, key in (("dayUnrealized", "dayUnrealizedPnL"), ("dayRealized", "dayRealizedPnl"),
                           ("totalUnrealized", "unrealizedPnL")):
            self.assertAlmostEqual(pnl[total], sum(r[key] for r in pnl["pnl"]), 6, total)
        self.assertAlmostEqual(pnl["dayPnl"], pnl["dayRealized"] + pnl["dayUnrealized"], 6)

    def test_E32_a_fill_shows_in_both(self):
        """The service answers one call after the other, so nothing can come between them here."""
        self.buy(10, 100)
        self.assertEqual(self.only()["positionId"], self.positions()[0]["positionId"])

    def test_E34_keys_of_the_account(self):
        self.assertEqual(sorted(self.pnl()), sorted(TOTALS))

    def test_E35_keys_of_a_row(self):
        self.buy(10, 100)
        self.assertEqual(sorted(self.only()), sorted(ROW))

    def test_CON_10_flat_with_lots_closed_today(self):
        self.buy(10, 100)
        self.sell(10, 100)
        self.assertEqual((self.positions(), len(self.pnl()["pnl"])), ([], 1))

    def test_B16_paper_reprices_against_quotes(self):
        self.account = "PAPER0001"
        self.buy(10, 100)
        self.price("AAPL", 107)
        self.assertEqual((self.only()["unrealizedPnL"], self.pnl()["accountValue"]), (70, 1000070))

    def test_B17_paper_option_without_a_quote(self):
        """The lot is in the positions, but has no row in the P&L."""
        self.account = "PAPER0001"
        self.buy(1, 2, CONTRACT)
        self.p.control("PUT", "quotes/" + CONTRACT, None)
        self.assertEqual((len(self.positions()), self.pnl()["pnl"], self.pnl()["optionCashUsed"]), (1, [], 0))

    def test_B18_CON_11_live_option_without_a_quote(self):
        """The lot is in the positions and in the P&L, and its exposure is not 0."""
        self.buy(1, 2, CONTRACT)
        self.p.control("PUT", "quotes/" + CONTRACT, None)
        self.assertEqual((len(self.positions()), self.only()["exposure"]), (1, 200))


if __name__ == "__main__":
    unittest.main()
