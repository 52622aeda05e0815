"""Open position rows (group D of docs/readings.md; D14 and D22, which take two days, are in test_sessions.py)."""
import re
import unittest

from orders import exact, is_number
from paper import LIVE, PAPER, leg, occ, spread
from reading_case import CONTRACT, ReadingCase

KEYS = ("accountId positionId symbol tradedSymbol rootSymbol securityType side shares priceAvg priceOpen priceClose "
        "priceStrike putCall dayOvernight marginRequirement maintenanceRequirement createdDate updatedDate").split()
PUT = "F260116P00007500"
NEXT = "2026-01-16T15:00:00Z"


class Positions(ReadingCase):
    def rows(self, account=None):
        account = account or self.account
        return exact(self.p.get(f"accounts/{account}/positions", LIVE if account == "LIVE0001" else PAPER))["positions"]

    def each(self, key):
        return [row[key] for row in self.rows()]

    def number(self, key):
        """Returns that field of the only row, as the document spells it."""
        self.assertEqual(len(self.rows()), 1)
        value = self.rows()[0][key]
        self.assertTrue(is_number(value), value)
        return str(value)

    def held(self, *lots):
        self.p.control("PUT", "positions/LIVE0001",
                       [{"symbol": s, "side": side, "shares": n, "priceAvg": 1} for s, side, n in lots])

    def stock_and_option(self):
        self.buy(10, 100)
        self.buy(2, 1.5, CONTRACT)

    def test_D1_account_id(self):
        """The field is the queried account, in its canonical form."""
        self.stock_and_option()
        self.assertEqual(self.each("accountId"), ["LIVE0001"] * 2)
        rows = self.p.get("accounts/live0001/positions", LIVE).json["positions"]
        self.assertEqual([r["accountId"] for r in rows], ["LIVE0001"] * 2)

    def test_D2_position_id(self):
        """The id is a string of digits, the same on every read, after more is bought, and in the P&L rows."""
        self.stock_and_option()
        ids = self.each("positionId")
        self.assertTrue(all(isinstance(i, str) and re.match(r"^\d+$", i) for i in ids), ids)
        self.assertEqual(len(set(ids)), 2)
        self.buy(5, 101)
        self.sell(3, 101)
        self.p.advance("1m")
        self.assertEqual(self.each("positionId"), ids)
        self.assertEqual([r["positionId"] for r in self.pnl()["pnl"]], ids)

    def test_D3_symbol(self):
        """The field is the ticker of a stock, or the root of a contract's underlying."""
        self.stock_and_option()
        self.buy(1, 0.05, PUT)
        self.assertEqual(self.each("symbol"), ["AAPL", "AAPL", "F"])

    def test_D4_traded_symbol(self):
        """The field is null for stock, and the contract for an option."""
        self.stock_and_option()
        self.assertEqual(self.each("tradedSymbol"), [None, CONTRACT])

    def test_D5_root_symbol_is_null(self):
        self.stock_and_option()
        self.assertEqual(self.each("rootSymbol"), [None, None])

    def test_D6_security_type(self):
        """The type is Stock or Option, also after a fill of several legs."""
        self.stock_and_option()
        self.condor()
        self.assertEqual(self.each("securityType"), ["Stock"] + ["Option"] * 5)

    def test_D7_side(self):
        """The field is Long or Short."""
        self.buy(10, 100)
        self.short(10, 10, "F")
        self.short(1, 2, CONTRACT)
        self.assertEqual(self.each("side"), ["Long", "Short", "Short"])

    def test_D8_shares(self):
        """Fractions of a share are kept; contracts are whole."""
        self.held(("AAPL", "Long", 10.5), ("F", "Long", 0.000001), (CONTRACT, "Long", 3))
        self.assertEqual([str(n) for n in self.each("shares")], ["10.5", "0.000001", "3"])
        self.sell(10, 100)
        self.assertEqual(str(self.rows()[0]["shares"]), "0.5")

    def test_D9_price_avg_is_weighted_by_volume(self):
        """10 bought at 1 and 30 at 2 give 1.75; for an option the average is the premium per share."""
        self.buy(10, 1, "F")
        self.buy(30, 2, "F")
        self.assertEqual(self.number("priceAvg"), "1.75")
        self.sell(20, 5, "F")
        self.assertEqual(self.number("priceAvg"), "1.75", "selling leaves it")
        self.sell(20, 5, "F")
        self.buy(1, 1.1, CONTRACT)
        self.buy(2, 1.4, CONTRACT)
        self.assertEqual(self.number("priceAvg"), "1.3")

    def test_D10_price_open_is_a_snapshot(self):
        """priceOpen is the price at the session's open, taken when the row is made; adding to the lot does not change
        it."""
        self.buy(10, 12.5, "F")
        self.assertEqual(self.number("priceOpen"), "12", "the price before it moved")
        self.buy(30, 13, "F")
        self.p.quote("F", 14, 14, 14)
        self.assertEqual(self.number("priceOpen"), "12")
        self.at(NEXT)
        self.assertEqual(self.number("priceOpen"), "12")
        self.buy(1, 15, "F")
        self.assertEqual([str(v) for v in self.each("priceOpen")], ["12", "14"], "the lot of the next day has its own")

    def test_D10_price_open_of_an_option(self):
        """The same holds for an option. For one without quotes it is derived from its underlying's price at that
        time."""
        self.p.quote(CONTRACT, 2, 2, 2)
        self.buy(1, 3, CONTRACT)
        self.buy(10, 200)
        other = occ(strike=195)
        self.p.quote("AAPL", 250, 250, 250)
        row = self.send(symbol=other, limitPrice=70)
        self.p.advance("1s")
        paid = self.p.lookup(row["clientOrderId"], "LIVE0001").json["priceAvg"]
        contract, share, unquoted = (r["priceOpen"] for r in self.rows())
        self.assertEqual((contract, share), (2, 190))
        self.assertTrue(0 < unquoted < 15 < 55 < paid, f"{unquoted} at 190, {paid} at 250")

    def test_D11_price_close_is_0_while_open(self):
        self.buy(10, 100)
        self.sell(4, 101)
        self.assertEqual(self.number("priceClose"), "0")

    def test_D12_price_strike(self):
        """The field is 0 for stock, and the plain strike for an option: 7.5."""
        self.buy(10, 12, "F")
        self.buy(1, 0.05, PUT)
        self.assertEqual([str(v) for v in self.each("priceStrike")], ["0", "7.5"])
        self.assertIn('"priceStrike":7.5,', self.p.get("accounts/LIVE0001/positions", LIVE).text)

    def test_D13_put_call(self):
        """The field is the string None for stock, otherwise Call or Put."""
        self.buy(10, 12, "F")
        self.buy(1, 0.05, PUT)
        self.buy(1, 2, CONTRACT)
        self.assertEqual(self.each("putCall"), ["None", "Put", "Call"])

    def requirement(self, key):
        self.buy(10, 100)
        self.assertEqual(self.number(key), "1000")
        self.sell(4, 100)
        self.assertEqual(self.number(key), "600")
        self.account = "PAPER0001"
        self.assertEqual(self.pnl()["allowedLeverage"], 1, "a cash account")
        self.stock_and_option()
        self.assertEqual(self.each(key), [0, 0])

    def test_D15_margin_requirement(self):
        """The field is the amount that the position reserves; 0 on a cash account."""
        self.requirement("marginRequirement")

    def test_D16_maintenance_requirement(self):
        """The field is the amount that the position reserves; 0 on a cash account."""
        self.requirement("maintenanceRequirement")

    def test_D17_created_date(self):
        """The date is in ISO 8601 with seven fractional digits and +00:00."""
        self.stock_and_option()
        for created in self.each("createdDate"):
            self.assertRegex(created, r"^2026-01-15T15:00:00\.\d{7}\+00:00$")

    def test_D18_updated_date_follows_fills(self):
        """A partial fill changes updatedDate but not createdDate; a quote changes neither."""
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.send("a", symbol="F", limitPrice=12)
        self.p.advance("1s")
        first = self.rows()[0]
        self.assertEqual(first["updatedDate"], first["createdDate"])
        self.p.quote("F", 12.5, 12.6)
        self.p.advance("1m")
        self.assertEqual(self.rows()[0]["updatedDate"], first["updatedDate"])
        self.p.quote("F", 12, 12, 12)
        row = self.rows()[0]
        self.assertEqual((row["shares"], row["createdDate"], row["updatedDate"]),
                         (10, first["createdDate"], "2026-01-15T15:01:01.0000000+00:00"))

    def condor(self):
        """An iron condor of four legs, filled."""
        legs = [leg(occ(kind="P", strike=180), "Buy"), leg(occ(kind="P", strike=185), "Sell"),
                leg(occ(strike=195), "Sell"), leg(occ(strike=200), "Buy")]
        row = self.p.order(spread("ic", legs=legs, limitPrice=0.01, route="SMARTM"), "LIVE0001").json
        self.p.advance("1s")
        self.assertEqual(self.status("ic"), "Filled", row)
        return [one["symbol"] for one in legs]

    def test_D19_a_row_per_leg(self):
        """Four legs make four rows with ids of their own, and no row of the whole."""
        symbols = self.condor()
        rows = self.rows()
        self.assertEqual([(r["tradedSymbol"], r["side"]) for r in rows],
                         list(zip(symbols, ("Long", "Short", "Short", "Long"))))
        self.assertEqual(len({r["positionId"] for r in rows}), 4)

    def test_D20_direction_is_side(self):
        """Whatever the sign of the shares, a short position has the side Short, and its size is the absolute value."""
        self.p.control("PUT", "positions/LIVE0001", [{"symbol": CONTRACT, "shares": -3, "priceAvg": 1},
                                                     {"symbol": "F", "side": "Short", "shares": -7, "priceAvg": 1},
                                                     {"symbol": "AAPL", "side": "Short", "shares": 5, "priceAvg": 1}])
        self.assertEqual([(r["side"], abs(r["shares"])) for r in self.rows()],
                         [("Short", 3), ("Short", 7), ("Short", 5)])
        self.cover(3, 1, CONTRACT)
        self.assertEqual([r["symbol"] for r in self.rows()], ["F", "AAPL"])

    def test_D21_occ_symbols(self):
        """The symbol is a root of 1 to 6 letters, YYMMDD, C or P, and the strike x 1000 in 8 digits; it is parsed from
        the right."""
        for n, (symbol, root, strike,
                kind) in enumerate((("AAPL260116C00150000", "AAPL", "150", "Call"), (PUT, "F", "7.5", "Put"),
                                    ("ABCDEF260220P00000500", "ABCDEF", "0.5", "Put"),
                                    ("BRK.B260220C99999999", "BRK.B", "99999.999", "Call"),
                                    ("C260220C00001001", "C", "1.001", "Call"))):
            self.p.quote(root, 100, 100)
            self.buy(1, 1, symbol)
            row = self.rows()[n]
            self.assertEqual((row["symbol"], row["tradedSymbol"], str(row["priceStrike"]), row["putCall"]),
                             (root, symbol, strike, kind))
        for symbol in ("ABCDEFG260220C00005000", "AAPL260231C00150000", "AAPL261301C00150000", "AAPL260116X00150000",
                       "AAPL260116C0150000", "AAPL260116c00150000", "AAPL260114C00150000", "AAPL260116C00000000",
                       "260116C00150000"):
            order_id = self.send(symbol=symbol, securityType="Option", orderQuantity=1, route="SMARTO")["clientOrderId"]
            self.p.advance("100ms")
            self.assertEqual(self.status(order_id), "Rejected", symbol)

    def test_D23_the_18_keys(self):
        self.stock_and_option()
        for row in self.rows():
            self.assertEqual(list(row), KEYS)


if __name__ == "__main__":
    unittest.main()
