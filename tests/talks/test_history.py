"""Fills by start date (group I of docs/readings.md, P18 to P29, and the rows on history of other groups)."""
import http.client
import signal
import unittest

from paper import LIVE, Paper, SomeFile, leg, occ, spread
from reading_case import CONTRACT, ReadingCase

KEYS = ("tradeId accountId symbol securityType side qty price grossProceeds netProceeds commission totalFees currency "
        "tradeDate settleDate entryDate execTime canceled mLegId spreadType notes").split()


class Fills(ReadingCase):
    def fill(self):
        rows = self.fills()
        self.assertEqual(len(rows), 1)
        return rows[0]

    def spread(self):
        """A vertical, bought on the live account."""
        legs = [occ(strike=190), occ(strike=195)]
        for symbol, price in zip(legs, (5, 3)):
            self.p.quote(symbol, price, price, price)
        row = self.p.order(spread("m", legs=[leg(legs[0], "Buy"), leg(legs[1], "Sell")], limitPrice=2, route="SMARTM"),
                           "LIVE0001").json
        self.p.advance("1s")
        self.assertEqual(self.status(row["clientOrderId"]), "Filled", row)
        return legs

    def test_I1_one_row_per_execution(self):
        """Two partial fills make two rows, which do not have the keys of an order."""
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.send("a", symbol="F", limitPrice=12)
        self.p.advance("1s")
        self.p.quote("F", 11, 11, 11)
        rows = self.fills()
        self.assertEqual([(r["qty"], r["price"]) for r in rows], [(4, 12), (6, 11)])
        self.assertFalse({"clientOrderId", "userOrderId", "orderStatus"} & set(rows[0]))

    def test_I2_trade_id_is_unique(self):
        for price in range(1, 6):
            self.buy(1, price, "F")
        pages = [self.get(f"orders-with-pagination/start-date/2026-01-15?limit=2&offset={o}")["tradingHistory"]
                 for o in (0, 2, 4)]
        ids = [row["tradeId"] for page in pages for row in page]
        self.assertEqual((len(ids), len(set(ids))), (5, 5))
        self.assertTrue(all(isinstance(i, int) for i in ids))

    def test_I3_account_id(self):
        self.buy(1, 10)
        self.assertEqual(self.fill()["accountId"], "LIVE0001")

    def test_I4_symbol_is_the_contract_of_an_option(self):
        self.buy(1, 10)
        self.buy(1, 1, CONTRACT)
        self.assertEqual([r["symbol"] for r in self.fills()], ["AAPL", CONTRACT])

    def test_I5_security_type_per_leg(self):
        self.buy(1, 10)
        self.spread()
        self.assertEqual([r["securityType"] for r in self.fills()], ["Stock", "Option", "Option"])

    def test_I6_side(self):
        """The side of a short sale is Sell, that of a cover Buy."""
        self.short(1, 10)
        self.cover(1, 10)
        self.assertEqual([r["side"] for r in self.fills()], ["Sell", "Buy"])

    def test_I7_qty_is_positive_on_both_sides(self):
        self.buy(3, 10)
        self.sell(3, 10)
        self.assertEqual([r["qty"] for r in self.fills()], [3, 3])

    def test_I8_price_per_share(self):
        self.buy(3, 10.25)
        self.assertEqual(self.fill()["price"], 10.25)

    def test_I9_gross_proceeds(self):
        """Buying 10 at 5 gives -50, and selling them gives 50."""
        self.buy(10, 5)
        self.sell(10, 5)
        self.assertEqual([r["grossProceeds"] for r in self.fills()], [-50, 50])

    def test_CON_41_options_have_the_multiplier(self):
        self.p.control("PUT", "rates", {"contract": 0.65, "sale": 0.001})
        self.buy(2, 1.5, CONTRACT)
        self.sell(2, 2, CONTRACT)
        self.assertEqual([(r["grossProceeds"], r["netProceeds"]) for r in self.fills()], [(-300, -301.3), (400, 398.3)])

    def test_I10_net_proceeds(self):
        """Net proceeds are the gross less fees and commission, with the same sign: -50 and 1 give -51; 50 and 1 give
        49."""
        self.p.control("PUT", "rates", {"share": 0.1})
        self.buy(10, 5)
        self.sell(10, 5)
        self.assertEqual([r["netProceeds"] for r in self.fills()], [-51, 49])

    def test_I11_commission(self):
        self.p.control("PUT", "rates", {"share": 0.005, "contract": 0.65})
        self.buy(100, 5)
        self.buy(2, 1, CONTRACT)
        self.assertEqual([r["commission"] for r in self.fills()], [0.5, 1.3])

    def test_I12_total_fees_leave_commission_out(self):
        self.p.control("PUT", "rates", {"share": 0.01, "sale": 0.002})
        self.buy(100, 5)
        self.sell(100, 5)
        self.assertEqual([(r["commission"], r["totalFees"]) for r in self.fills()], [(1, 0), (1, 1)])
        self.assertEqual(self.detail()["availableCash"], 49997, "and what they come to is paid")

    def test_I13_currency(self):
        self.buy(1, 10)
        self.assertEqual(self.fill()["currency"], "USD")

    def test_I14_trade_date(self):
        """The trade date is the day in New York, at midnight."""
        self.at("2026-01-16T00:30:00Z")  # 19:30 of the 15th
        self.buy(1, 10, timeInForce="Day_Plus")
        self.assertEqual(self.fill()["tradeDate"], "2026-01-15T00:00:00.0000000+00:00")

    def test_I15_settle_date_is_a_business_day_later(self):
        """A fill of Friday settles on Monday."""
        self.buy(1, 10)
        self.at("2026-01-16T15:00:00Z")
        self.buy(1, 10)
        self.assertEqual([r["settleDate"][:10] for r in self.fills()], ["2026-01-16", "2026-01-19"])

    def test_I16_entry_date_is_the_order_s(self):
        self.send("a", limitPrice=100, timeInForce="GoodTillCancel")
        self.at("2026-01-16T15:00:00Z")
        self.p.quote("AAPL", 100, 100)
        row = self.fills()[0]
        self.assertEqual((row["entryDate"][:10], row["tradeDate"][:10]), ("2026-01-15", "2026-01-16"))

    def test_I17_key_set(self):
        self.buy(1, 10)
        self.assertEqual(list(self.fill()), KEYS)

    def test_I18_exec_time_is_eastern(self):
        self.buy(1, 10)
        self.assertRegex(self.fill()["execTime"], r"^10:00:0\d$")

    def test_I19_canceled_and_mleg_id(self):
        """mLegId is 0 for a single leg; the legs of one order share its mlegID."""
        self.buy(1, 10)
        self.spread()
        rows = self.fills()
        mleg = self.p.lookup("m", "LIVE0001").json["mlegID"]
        self.assertEqual([(r["canceled"], r["mLegId"]) for r in rows], [(False, 0), (False, mleg), (False, mleg)])
        self.assertGreater(mleg, 0)

    def test_I20_spread_type_and_notes(self):
        self.buy(1, 10)
        self.assertEqual((self.fill()["spreadType"], self.fill()["notes"]), (0, ""))


class Dates(ReadingCase):
    def total(self, date, query=""):
        return self.get(f"orders-with-pagination/start-date/{date}{query}")["pagination"]["totalRecords"]

    def accepted(self, *dates):
        """Assert that each spelling means 2 January 2026, whose week has a fill of the 8th and not of the 9th."""
        self.assertEqual(self.clock[:10], "2026-01-08")
        self.buy(1, 10)
        self.at("2026-01-09T15:00:00Z")
        self.buy(1, 11)
        for date in dates:
            self.assertEqual([r["price"] for r in self.fills(date)], [10], date)
            self.assertEqual(self.total(date, "?numberOfDays=7"), 1, date)

    clock = "2026-01-08T15:00:00Z"

    def test_P18_one_week_from_the_date_onward(self):
        """A fill on day d+6 is included, one on d+7 is not."""
        self.buy(1, 10)
        self.assertEqual([len(self.fills(f"2026-01-0{d}")) for d in (1, 2, 8, 9)], [0, 1, 1, 0])

    def test_P19_B10_B11_paper_has_none(self):
        self.account = "PAPER0001"
        self.buy(1, 10)
        self.assertEqual(self.get("orders/start-date/2026-01-08"), {"orders": []})
        self.assertEqual(self.get("orders-with-pagination/start-date/2026-01-08?limit=7&offset=3"),
                         {"tradingHistory": [], "pagination": {"currentLimit": 7, "currentOffset": 3,
                                                               "totalRecords": 0}})
        self.get("orders/start-date/20260108", status=404)

    def test_B12_live_is_populated(self):
        """A fill of the live account is in the history at once."""
        self.buy(1, 10)
        self.assertEqual((len(self.fills("2026-01-08")), self.total("2026-01-08")), (1, 1))

    def test_P20_date(self):
        self.accepted("2026-01-02")

    def test_P21_iso_8601_with_t_and_z(self):
        self.accepted("2026-01-02T00:00:00Z", "2026-01-02T23:59:59.999Z")

    def test_P22_iso_8601_with_an_encoded_offset(self):
        self.accepted("2026-01-02T00:00:00%2B00:00", "2026-01-02T00:00:00%2D05:00", "2026-01-02T00:00:00-05:00",
                      "2026-01-02T00:00:00+00:00")

    def test_P23_unpadded(self):
        self.accepted("2026-1-2", "2026-01-2")

    def test_P24_month_first(self):
        self.accepted("01-02-2026", "1-2-2026")
        self.get("orders/start-date/13-01-2026", status=404)

    def test_P25_far_future_and_1970(self):
        self.buy(1, 10)
        for date in ("2999-01-01", "1970-01-01", "1969-12-31", "9999-12-31", "01-01-1970"):
            self.assertEqual((self.fills(date), self.total(date)), ([], 0))

    def test_P26_Y20_what_is_no_date(self):
        for date in ("20260102", "yesterday", "2026-02-30", "2026-13-01", "2026-01", "2026-01-02T",
                     "2026-01-02T00:00:00",
                     "2026-01-02T25:00:00Z", "2026-01-02Z", "2026-01-02T00:00:00Zx", "26-01-02", "2026-01-02-03",
                     "-2026-01-02",
                     "2026--1-2", "2026-001-2", "%202026-01-02", "2026-01-02%20", "2026-02-30T00:00:00Z",
                     "2026-1-2T00:00:00Z", "01-2026-02", "2026-01-2026", "T", "2026-01-02T" + "0" * 80):
            for call in ("orders", "orders-with-pagination"):
                reply = self.get(f"{call}/start-date/{date}", status=404)
                self.assertEqual(reply.headers["Content-Type"], "text/plain; charset=utf-8", date)
        for call in ("orders", "orders-with-pagination"):
            self.get(f"{call}/start-date/2026/01/02", status=404)
            self.get(f"{call}/start-date/", status=404)

    def test_CON_52_orders_take_more_forms_than_cash(self):
        self.get("orders/start-date/2026-1-2")
        self.get("cash-transactions/start-date/2026-1-2", status=404)


class Pages(ReadingCase):
    clock = "2025-01-15T15:00:00Z"

    def page(self, query="", date="2025-01-15"):
        answer = self.get(f"orders-with-pagination/start-date/{date}{query}")
        return [r["price"] for r in answer["tradingHistory"]], answer["pagination"]

    def test_P27_number_of_days_and_offset(self):
        """Without a number of days the window has 30, and it can have 365; the offset is 0 by default."""
        for price, day in ((1, "2025-01-15"), (2, "2025-02-13"), (3, "2025-02-14"), (4, "2026-01-14"),
                           (5, "2026-01-15")):
            if price > 1:
                self.at(f"{day}T15:00:00Z")
            self.buy(1, price, "F")
        for query, prices in (("", [1, 2]), ("?numberOfDays=31", [1, 2, 3]), ("?numberOfDays=1", [1]),
                              ("?numberOfDays=365", [1, 2, 3, 4])):
            self.assertEqual(self.page(query)[0], prices, query)
        self.assertEqual(self.page("?numberOfDays=365&offset=3"),
                         ([4], {"currentLimit": 100, "currentOffset": 3, "totalRecords": 4}))

    def test_P28_K8_limit(self):
        """The limit is 100 by default and at most: 101 becomes 100, and currentLimit says so."""
        for _ in range(101):
            self.send(symbol="F", limitPrice=13, orderQuantity=1)
        self.p.advance("1s")
        for query, limit in (("", 100), ("?limit=100", 100), ("?limit=101", 100), ("?limit=500", 100), ("?limit=7", 7)):
            rows, pagination = self.page(query)
            self.assertEqual((len(rows), pagination["currentLimit"]), (limit, limit), query)

    def test_K9_K10_offset_and_total(self):
        for price in range(1, 6):
            self.buy(1, price, "F")
        for offset, prices in ((0, [1, 2]), (2, [3, 4]), (4, [5]), (5, []), (1000, [])):
            self.assertEqual(self.page(f"?limit=2&offset={offset}"),
                             (prices, {"currentLimit": 2, "currentOffset": offset, "totalRecords": 5}))

    def test_P29_symbol(self):
        """Symbols match exactly, and the total counts the rows that the filter leaves. An option is found by its
        contract or by its root."""
        self.buy(1, 1, "F")
        self.buy(1, 2)
        self.buy(1, 3, CONTRACT)
        for symbol, prices in (("F", [1]), ("AAPL", [2, 3]), (CONTRACT, [3]), ("aapl", []), ("AAP", []),
                               ("", [1, 2, 3])):
            rows, pagination = self.page(f"?symbol={symbol}&limit=1")
            self.assertEqual((rows, pagination["totalRecords"]), (prices[:1], len(prices)), symbol)

    def test_CON_42_clamped_high_and_default_low(self):
        """The answer is never a 400, and has the values that were used."""
        self.buy(1, 1, "F")
        usual = {"currentLimit": 100, "currentOffset": 0, "totalRecords": 1}
        huge = "9" * 40
        for query in (f"?numberOfDays={huge}", f"?limit={huge}", "?numberOfDays=0&limit=0&offset=-1",
                      "?numberOfDays=-5&limit=-5",
                      "?numberOfDays=x&limit=1.5&offset=1e3", "?numberOfDays=&limit=&offset=", "?foo=1&&=&limit"):
            self.assertEqual(self.page(query), ([1], usual), query)
        rows, pagination = self.page(f"?offset={huge}")
        self.assertEqual((rows, pagination["totalRecords"]), ([], 1))
        self.at("2025-02-20T15:00:00Z")
        self.assertEqual(self.page("?numberOfDays=-1", "2025-01-10")[1]["totalRecords"], 1)
        self.assertEqual(self.page("?numberOfDays=0", "2024-12-16")[1]["totalRecords"], 0, "0 is 30, not 365")

    def test_accounts_and_methods(self):
        for call in ("orders", "orders-with-pagination"):
            path = f"/v1/api/accounts/LIVE0001/{call}/start-date/2025-01-15"
            self.assertEqual(self.p.call("GET", path).text, "Not found")
            self.assertEqual(self.p.call("POST", path, "{}", keys=LIVE).status, 405)
            self.assertEqual(self.p.call("GET", path.replace("LIVE", "live"), keys=LIVE).status, 200)

    def test_a_bare_plus_on_the_wire(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.p.port, timeout=600)
        connection.putrequest("GET", "/v1/api/accounts/LIVE0001/orders/start-date/2025-01-15T00:00:00+00:00")
        connection.putheader("SVC-API-KEY-ID", LIVE[0])
        connection.putheader("SVC-API-SECRET-KEY", LIVE[1])
        connection.endheaders()
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()


class Kept(unittest.TestCase):
    def test_a_kill_loses_no_fill(self):
        with SomeFile() as path:
            row = Fills()
            row.p = Paper("--db", path)
            row.p.control("PUT", "rates", {"share": 0.01})
            row.buy(100, 10)
            before = row.fills()
            row.p.stop(signal.SIGKILL)
            with Paper("--db", path, clock="2026-01-15T16:00:00Z") as row.p:
                self.assertEqual(row.fills(), before)
                row.sell(100, 10)
                first, second = row.fills()
                self.assertEqual((second["tradeId"] > first["tradeId"], second["commission"]), (True, 1))


if __name__ == "__main__":
    unittest.main()
