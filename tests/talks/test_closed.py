"""Closed position records (group F of docs/readings.md)."""
import signal
import unittest

from paper import LIVE, Paper, SomeFile, leg, occ, spread
from reading_case import CONTRACT, ReadingCase

KEYS = ("accountId positionId symbol tradedSymbol rootSymbol securityType side shares sharesIn sharesOut realized "
        "priceAvg "
        "priceOpen priceClose priceStrike putCall dayOvernight marginRequirement maintenanceRequirement createdDate "
        "updatedDate").split()


class Closed(ReadingCase):
    def record(self):
        """Returns the only closed record, once it is written."""
        self.p.advance("2s")
        records = self.closed()
        self.assertEqual(len(records), 1)
        return records[0]

    def test_F1_one_record_per_completed_lifecycle(self):
        """Opening and closing twice makes two records. For options each contract has its own."""
        self.buy(10, 100)
        self.sell(10, 101)
        self.buy(10, 102)
        self.sell(10, 103)
        self.buy(1, 2, CONTRACT)
        self.sell(1, 3, CONTRACT)
        self.p.advance("2s")
        self.assertEqual([(r["symbol"], r["tradedSymbol"], r["realized"]) for r in self.closed()],
                         [("AAPL", None, 10), ("AAPL", None, 10), ("AAPL", CONTRACT, 100)])

    def test_F2_position_id_is_a_large_number(self):
        """The id is an unquoted number beyond 2^53, with the digits of the open row."""
        self.buy(10, 100)
        held = self.positions()[0]["positionId"]
        self.assertIsInstance(held, str)
        self.sell(10, 101)
        self.p.advance("2s")
        text = self.p.get("accounts/LIVE0001/positions/closed", LIVE).text
        self.assertIn(f'"positionId":{held},', text)
        self.assertGreater(int(held), 2 ** 53)
        self.assertNotEqual(int(float(held)), int(held), "the first one is odd: a double cannot hold it")

    def test_F3_a_new_id_when_reopened_from_flat(self):
        self.buy(10, 100)
        self.sell(10, 100)
        self.buy(10, 100)
        self.sell(10, 100)
        self.p.advance("2s")
        self.assertEqual(len({r["positionId"] for r in self.closed()}), 2)

    def test_F4_shares_is_0(self):
        self.buy(10, 100)
        self.sell(10, 100)
        self.assertEqual(self.record()["shares"], 0)

    def test_F5_shares_in_and_out(self):
        """Buying 10 and 5 and selling 15 gives 15 and 15; shorting 7 and covering 7 gives 7 and 7."""
        self.buy(10, 100)
        self.buy(5, 100)
        self.sell(15, 100)
        self.short(7, 100, "MSFT")
        self.cover(7, 100, "MSFT")
        self.p.advance("2s")
        self.assertEqual([(r["side"], r["sharesIn"], r["sharesOut"]) for r in self.closed()],
                         [("Long", 15, 15), ("Short", 7, 7)])

    def test_F6_price_open_is_the_blended_entry(self):
        """10 shares at 1 and 30 at 2 give 1.75."""
        self.buy(10, 1, "F")
        self.buy(30, 2, "F")
        self.sell(40, 2, "F")
        self.assertEqual(self.record()["priceOpen"], 1.75)

    def test_F7_price_close_is_the_blended_exit(self):
        """20 shares at 3 and 20 at 4 give 3.5."""
        self.buy(40, 3, "F")
        self.sell(20, 3, "F")
        self.sell(20, 4, "F")
        self.assertEqual(self.record()["priceClose"], 3.5)

    def test_F8_price_avg_of_a_single_trip(self):
        """priceAvg is the entry average; it is 0 if the position was opened and closed several times in one
        lifecycle."""
        self.buy(10, 1, "F")
        self.buy(30, 2, "F")
        self.sell(20, 2, "F")
        self.sell(20, 3, "F")
        self.assertEqual(self.record()["priceAvg"], 1.75)

    def test_CON_34_a_re_add_after_a_partial_close_is_a_new_trip(self):
        self.buy(10, 10, "F")
        self.sell(5, 11, "F")
        self.buy(5, 12, "F")
        self.sell(10, 13, "F")
        row = self.record()
        self.assertEqual((row["priceAvg"], row["sharesIn"], row["sharesOut"], row["realized"]), (0, 15, 15, 25))

    def test_F9_realized_is_net_and_has_the_multiplier(self):
        """One contract bought at 1.00 and sold at 1.50 gives 50; commission and fees are deducted."""
        self.buy(1, 1, CONTRACT)
        self.sell(1, 1.5, CONTRACT)
        self.assertEqual(self.record()["realized"], 50)
        self.p.control("PUT", "rates", {"share": 0.01, "contract": 0.65, "sale": 0.001})
        self.short(100, 20, "F")   # 1.00 commission, 2.00 of 2,000
        self.cover(100, 19, "F")   # 1.00 commission
        self.p.advance("2s")
        self.assertEqual(self.closed()[-1]["realized"], 96)

    def test_F10_the_other_keys_as_in_the_open_row(self):
        self.buy(2, 1, CONTRACT)
        held = self.positions()[0]
        self.p.advance("5s")
        self.sell(2, 2, CONTRACT)
        row = self.record()
        self.assertEqual(list(row), KEYS)
        same = ("accountId symbol tradedSymbol rootSymbol securityType side priceStrike putCall dayOvernight "
                "createdDate").split()
        self.assertEqual({k: row[k] for k in same}, {k: held[k] for k in same})
        self.assertEqual((row["marginRequirement"], row["maintenanceRequirement"], row["rootSymbol"]), (0, 0, None))
        self.assertRegex(row["updatedDate"], r"^2026-01-15T15:00:05\.\d{7}\+00:00$")
        self.buy(1, 10, "F")
        self.sell(1, 10, "F")
        self.p.advance("2s")
        self.assertIsNone(self.closed()[1]["tradedSymbol"])

    def test_F12_a_strategy_closes_as_one_record_per_leg(self):
        legs = [occ(strike=190), occ(strike=195)]
        for symbol, price in zip(legs, (5, 3)):
            self.p.quote(symbol, price, price, price)
        for effect, first, second in (("Open", "Buy", "Sell"), ("Close", "Sell", "Buy")):
            self.p.order(spread(legs=[leg(legs[0], first, effect), leg(legs[1], second, effect)], limitPrice=2),
                         "PAPER0001")
            self.p.advance("2s")
        records = self.closed("PAPER0001")
        self.assertEqual(sorted((r["tradedSymbol"], r["side"]) for r in records),
                         [(legs[0], "Long"), (legs[1], "Short")])
        self.assertFalse({k for k in records[0] if k.lower().startswith("mleg")})

    def test_F13_written_after_the_closing_fill(self):
        """The record is missing at the time of the fill, and there when it is read again 1.5 to 2 s later."""
        self.buy(10, 100)
        self.sell(10, 100)
        self.assertEqual((self.positions(), self.closed()), ([], []))
        self.p.advance("1500ms")
        self.assertEqual(len(self.closed()), 1)

    def test_O5_P6_unknown_query_parameters_are_ignored(self):
        self.assertEqual(self.get("positions/closed"), {"closedPositions": []})
        self.buy(10, 100)
        self.sell(10, 100)
        self.p.advance("2s")
        for query in ("?symbol=MSFT", "?limit=0", "?date=2020-01-01", "/"):
            self.assertEqual(len(self.get("positions/closed" + query)["closedPositions"]), 1, query)

    def test_Y2_unknown_account(self):
        for account in ("NOBODY", "PAPER0001"):
            reply = self.p.get(f"accounts/{account}/positions/closed", LIVE)
            self.assertEqual((reply.status, reply.text, reply.headers["Content-Type"]),
                             (404, "Not found", "text/plain; charset=utf-8"))

    def test_B15_paper_records_persist_across_sessions(self):
        self.account = "PAPER0001"
        self.buy(10, 100)
        self.sell(10, 101)
        self.buy(1, 100, "MSFT")
        for day in range(16, 19):
            self.at(f"2026-01-{day}T23:00:00Z")
        self.assertEqual((len(self.closed()), [r["symbol"] for r in self.positions()]), (1, ["MSFT"]))

    def test_carried_lots_and_both_sides(self):
        """A carried lot and one of today are one lifecycle. The long side does not wait for the short side."""
        self.buy(10, 100)
        self.at("2026-01-16T15:00:00Z")
        self.buy(5, 103)
        self.assertEqual([(r["shares"], r["dayOvernight"]) for r in self.positions()], [(10, "Overnight"), (5, "Day")])
        self.p.quote("AAPL", 103, 103, 103)
        self.short(3, 103)
        self.sell(15, 104)
        row = self.record()
        self.assertEqual((row["side"], row["sharesIn"], row["priceOpen"], row["realized"], row["dayOvernight"]),
                         ("Long", 15, 101, 45, "Overnight"))

    def test_positions_that_were_set_have_a_lifecycle_too(self):
        self.p.control("PUT", "positions/LIVE0001",
                       [{"symbol": "AAPL", "side": "Long", "shares": 10.5, "priceAvg": 90}])
        self.sell(10, 100)
        self.assertEqual(self.closed(), [], "half a share is left")
        self.p.control("PUT", "positions/LIVE0001", [{"symbol": "AAPL", "side": "Long", "shares": 10, "priceAvg": 90,
                                                      "dayOvernight": "Overnight"}])
        self.sell(10, 100)
        row = self.record()
        self.assertEqual((row["sharesIn"], row["realized"], row["dayOvernight"]), (10, 100, "Overnight"))


class Kept(unittest.TestCase):
    def test_a_kill_loses_no_lifecycle(self):
        with SomeFile() as path:
            row = Closed()
            row.p = Paper("--db", path)
            row.buy(10, 100)
            row.sell(10, 101)
            row.buy(6, 10, "F")
            row.sell(2, 11, "F")
            row.p.control("PUT", "rates", {"share": 0.01})
            row.p.stop(signal.SIGKILL)
            with Paper("--db", path, clock="2026-01-15T15:00:10Z") as row.p:
                before = row.closed()
                self.assertEqual([r["realized"] for r in before], [10])
                row.buy(1, 12, "F")
                row.sell(5, 13, "F")
                row.p.advance("2s")
                records = row.closed()
                self.assertEqual(records[0], before[0])
                self.assertEqual((records[1]["priceAvg"], records[1]["sharesIn"], records[1]["realized"]),
                                 (0, 7, 14.94))


if __name__ == "__main__":
    unittest.main()
