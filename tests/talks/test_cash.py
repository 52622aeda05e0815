"""The cash ledger: its rows and the pagination object (group K of docs/readings.md), and its endpoint (P7 to P16)."""
import signal
import unittest

from paper import LIVE, PAPER, Paper, SomeFile, occ
from reading_case import ReadingCase

KEYS = "accountId cashType currency deposit withdraw entryDate note".split()


class Cash(ReadingCase):
    def fetch(self, date="2026-01-15", query="", account=None, keys=LIVE):
        reply = self.p.get(f"accounts/{account or self.account}/cash-transactions/start-date/{date}{query}", keys)
        self.assertEqual(reply.status, 200, reply.text)
        return reply.json

    def history(self, date="2026-01-15", query=""):
        return self.fetch(date, query)["cashHistory"]

    def page(self, query="", date="2026-01-15"):
        """Returns the pagination object as (currentLimit, currentOffset, totalRecords)."""
        page = self.fetch(date, query)["pagination"]
        self.assertEqual(list(page), ["currentLimit", "currentOffset", "totalRecords"])
        return tuple(page.values())

    def post(self, call, body):
        self.assertEqual(self.p.call("POST", "/v1/api/accounts/locates/" + call, body, keys=LIVE).status, 200)

    def pay(self, *symbols, price=0.01, shares=100):
        """Locate shares of each symbol; the service books one fee for each."""
        for symbol in symbols:
            self.p.control("PUT", "symbols/" + symbol, {"borrow": "hard", "available": 10 ** 6, "locatePrice": price})
            self.post("quote", {"account": "LIVE0001", "symbol": symbol, "quantity": shares,
                                "quoteReqID": "q" + symbol})
        self.p.advance("1s")
        for symbol in symbols:
            self.post("accept", {"accountId": "LIVE0001", "quoteReqID": "q" + symbol})

    def names(self, rows):
        return [r["note"].split()[1] for r in rows]


class Rows(Cash):
    def row(self):
        self.pay("XYZ", price=0.05, shares=300)
        rows = self.history()
        self.assertEqual(len(rows), 1)
        return rows[0]

    def test_K1_K2_K3_account_category_currency(self):
        """The category has exactly this text, and the currency is USD."""
        row = self.row()
        self.assertEqual((row["accountId"], row["cashType"], row["currency"]), ("LIVE0001", "Locate Fees", "USD"))

    def test_K4_exactly_one_of_deposit_and_withdraw(self):
        """A fee is a withdrawal, and a credit is a deposit; neither amount is negative."""
        row = self.row()
        self.assertEqual((row["deposit"], row["withdraw"]), (0, 15))
        self.post("sell", {"account": "LIVE0001", "quoteReqID": "s", "locateType": "Locate", "quantity": 100,
                           "symbol": "XYZ"})
        self.p.advance("5s")
        self.assertEqual([(r["deposit"], r["withdraw"]) for r in self.history()], [(0, 15), (5, 0)])

    def test_K5_entry_date_is_a_date_at_midnight(self):
        """The entry date is the day in New York, whatever day it is in UTC."""
        self.at("2026-01-16T00:30:00Z")
        self.assertTrue(self.row()["entryDate"].startswith("2026-01-15T00:00:00"))

    def test_K6_note(self):
        self.assertEqual(self.row()["note"], "Locate XYZ 300")

    def test_K7_the_7_keys(self):
        self.assertEqual(list(self.row()), KEYS)

    def test_K8_current_limit_is_the_effective_one(self):
        """A limit of 20000 becomes 10000."""
        self.assertEqual(self.page("?limit=20000")[0], 10000)
        self.assertEqual(self.page("?limit=7")[0], 7)

    def test_K9_current_offset(self):
        self.assertEqual(self.page("?offset=12")[1], 12)

    def test_K10_total_is_of_the_window_on_every_page(self):
        """With an offset past the end the page is empty, and the total is the same."""
        self.pay("A", "B", "C")
        for query, count in (("", 3), ("?limit=2", 2), ("?limit=2&offset=2", 1), ("?offset=3", 0), ("?offset=99", 0)):
            doc = self.fetch(query=query)
            self.assertEqual((len(doc["cashHistory"]), doc["pagination"]["totalRecords"]), (count, 3), query)


class Endpoint(Cash):
    def test_P7_start_date(self):
        """A start date is YYYY-MM-DD and a day that exists; otherwise the answer is 404 with plain text."""
        self.fetch("2026-01-02")
        self.fetch("2028-02-29")
        for date in ("20260102", "2026-02-30", "x", "2026-1-2", "01-02-2026", "2026-13-01", "2026-01-02T00:00:00Z",
                     "2026-01-0a", "2027-02-29", "%202026-01-02"):
            for account, keys in (("LIVE0001", LIVE), ("PAPER0001", PAPER)):
                reply = self.p.get(f"accounts/{account}/cash-transactions/start-date/{date}", keys)
                self.assertEqual((reply.status, reply.text), (404, "Not found"), date)
                self.assertIn("text/plain", reply.headers["Content-Type"])

    def test_P8_number_of_days(self):
        """The window is [start, start + days), by default 30 and at most 365 days; a number that is too low or invalid
        counts as 30."""
        self.pay("NOW")
        for date, query, total in (("2026-01-15", "", 1), ("2026-01-16", "", 0), ("2025-12-17", "", 1),
                                   ("2025-12-16", "", 0),
                                   ("2026-01-15", "?numberOfDays=1", 1), ("2026-01-14", "?numberOfDays=1", 0),
                                   ("2026-01-14", "?numberOfDays=2", 1), ("2025-01-16", "?numberOfDays=365", 1),
                                   ("2025-01-15", "?numberOfDays=365", 0), ("2025-01-15", "?numberOfDays=366", 0),
                                   ("2025-01-16", "?numberOfDays=99999999999999999999", 1),
                                   ("2025-12-17", "?numberOfDays=0", 1), ("2025-12-16", "?numberOfDays=0", 0),
                                   ("2025-12-17", "?numberOfDays=-1", 1), ("2025-12-17", "?numberOfDays=1.5", 1),
                                   ("2025-12-17", "?numberOfDays=", 1), ("2025-12-17", "?numberOfDays=ten", 1)):
            self.assertEqual(self.page(query, date)[2], total, (date, query))

    def test_P9_offset(self):
        """The offset is the number of rows to skip; a negative value or one that is no number counts as 0."""
        self.pay("A", "B", "C")
        self.assertEqual(self.names(self.history(query="?offset=1")), ["B", "C"])
        for query in ("?offset=-1", "?offset=x", "?offset=", "?offset=0.5"):
            self.assertEqual(self.page(query)[1], 0, query)
            self.assertEqual(len(self.history(query=query)), 3)

    def test_P10_limit(self):
        """The limit is 100 by default and at most 10000; 0, a negative value or one that is no number counts as 100."""
        symbols = [f"S{i}" for i in range(101)]
        self.pay(*symbols)
        self.assertEqual(self.names(self.history()), symbols[:100])
        self.assertEqual(self.names(self.history(query="?limit=10000")), symbols)
        for query, limit in (("", 100), ("?limit=1", 1), ("?limit=9999", 9999), ("?limit=10000", 10000),
                             ("?limit=10001", 10000),
                             ("?limit=18446744073709551617", 10000), ("?limit=0", 100), ("?limit=-5", 100),
                             ("?limit=x", 100), ("?limit=", 100), ("?limit=1e3", 100)):
            self.assertEqual(self.page(query)[0], limit, query)

    def test_P11_oldest_first(self):
        """Rows are sorted by entryDate; rows of one day are in the order in which they were made."""
        self.pay("B", "A")
        self.at("2026-01-16T15:00:00Z")
        self.pay("D", "C")
        rows = self.history()
        self.assertEqual(self.names(rows), ["B", "A", "D", "C"])
        self.assertEqual([r["entryDate"] for r in rows], sorted(r["entryDate"] for r in rows))
        self.assertEqual(self.names(self.history("2026-01-16")), ["D", "C"])

    def test_P12_an_empty_window(self):
        self.assertEqual(self.fetch("2030-01-01"),
                         {"cashHistory": [], "pagination": {"currentLimit": 100, "currentOffset": 0,
                                                            "totalRecords": 0}})

    def test_P13_an_account_that_is_not_the_keys(self):
        """The answer is 200 with the empty envelope, as if the account did not exist."""
        self.pay("A")
        for account, keys in (("LIVE0001", PAPER), ("PAPER0001", LIVE), ("NOSUCH", LIVE)):
            doc = self.fetch(account=account, keys=keys)
            self.assertEqual((doc["cashHistory"], doc["pagination"]["totalRecords"]), ([], 0))

    def test_P14_unknown_parameters_are_ignored(self):
        self.pay("A", "B")
        self.assertEqual(self.names(self.history(query="?foo=1&limitx=1&limit=1&Limit=2&offset=1")), ["B"])

    def test_P15_a_locate_fee_row(self):
        """The fee is price x shares, and reduces what the account can spend."""
        before = self.detail()
        self.pay("A", price=0.25, shares=200)
        after = self.detail()
        self.assertEqual([r["withdraw"] for r in self.history()], [50])
        self.assertEqual(before["availableCash"] - after["availableCash"], 50)
        self.assertEqual(before["equity"] - after["equity"], 50)
        self.assertEqual(before["bp"] - after["bp"], 100, "by the leverage of 2")

    def test_P15_the_row_may_come_the_next_day(self):
        """The row appears as long after the fill as the scenario says. The money is deducted at once, and the row has
        the day of the fill."""
        self.p.control("PUT", "delays", {"fee": "20h"})
        before = self.detail()["availableCash"]
        self.pay("A", shares=200)
        self.assertEqual((self.history(), before - self.detail()["availableCash"]), ([], 2))
        self.p.advance("71999s")
        self.assertEqual(self.history(), [])
        self.p.advance("1s")
        self.assertEqual([(r["withdraw"], r["entryDate"][:10]) for r in self.history()], [(2, "2026-01-15")])

    def test_P16_orders_create_no_rows(self):
        self.buy(10, 100)
        self.sell(10, 101)
        self.buy(1, 2, occ())
        self.assertEqual(self.history(), [])

    def test_B13_B14_paper_is_empty_live_is_not(self):
        """Both accounts have the same envelope."""
        self.pay("A")
        self.assertEqual(self.fetch(account="PAPER0001", keys=PAPER),
                         {"cashHistory": [], "pagination": {"currentLimit": 100, "currentOffset": 0,
                                                            "totalRecords": 0}})
        self.assertEqual(len(self.history()), 1)

    def test_C21_C24_locate_costs_of_the_session_before(self):
        """The account's locate costs of the day before do not change until the next session begins."""
        self.pay("A", price=0.1, shares=300)
        self.assertEqual(self.detail()["totalLocateCosts"], 0)
        self.at("2026-01-16T15:00:00Z")
        self.assertEqual(self.detail()["totalLocateCosts"], 30)
        self.assertEqual(self.detail("PAPER0001")["totalLocateCosts"], 0)

    def test_O6_methods_and_keys(self):
        path = "/v1/api/accounts/LIVE0001/cash-transactions/start-date/2026-01-15"
        self.assertEqual(self.p.call("POST", path, {}, keys=LIVE).status, 405)
        self.assertEqual(self.p.call("GET", path, keys=None).status, 404)


class Kept(Cash):
    def test_the_ledger_survives_a_kill(self):
        with SomeFile() as path:
            self.p.stop()
            self.p = Paper("--db", path)
            self.pay("A", "B")
            before = self.fetch(), self.detail()
            self.assertEqual(self.p.stop(signal.SIGKILL), -signal.SIGKILL)
            self.p = Paper("--db", path, clock="2026-01-15T15:00:10Z")
            self.addCleanup(lambda: self.p.stop())
            self.assertEqual((self.fetch(), self.detail()), before)
            self.pay("C")
            self.assertEqual(self.names(self.history()), ["A", "B", "C"])


if __name__ == "__main__":
    unittest.main()
