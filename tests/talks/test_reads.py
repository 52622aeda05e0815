"""Read endpoints: the account list as a check of the keys, and open positions (P1 to P5 of docs/readings.md; the
others are tested with their subjects: test_closed, test_cash, test_history, test_sessions, test_states)."""
import unittest

from paper import LIVE, PAPER, occ
from reading_case import CONTRACT, PATHS, ReadingCase


class Accounts(ReadingCase):
    def test_P1_the_list_is_a_credential_check(self):
        """The answer is 200 with valid keys, and 404 otherwise."""
        for keys in (LIVE, PAPER):
            self.assertEqual(self.p.get("accounts", keys).status, 200)
        for keys in (None, ("live-key", "paper-secret"), ("live-key", ""), ("", ""), ("nobody", "live-secret")):
            reply = self.p.get("accounts", keys)
            self.assertEqual((reply.status, reply.text, reply.headers["Content-Type"]),
                             (404, "Not found", "text/plain; charset=utf-8"))

    def test_P2_paths_take_the_account_of_the_list(self):
        """A path takes the account's id; the name with which one signs in is not an account."""
        for keys in (LIVE, PAPER):
            for row in self.p.get("accounts", keys).json["accounts"]:
                for path in (f"account/{row['account']}", f"accounts/{row['account']}/positions"):
                    self.assertEqual(self.p.get(path, keys).status, 200)
            for path in (f"account/{keys[0]}", f"accounts/{keys[0]}/positions"):
                reply = self.p.get(path, keys)
                self.assertEqual((reply.status, reply.text), (404, "Not found"))


class Positions(ReadingCase):
    def document(self, query=""):
        return self.p.get(f"accounts/{self.account}/positions{query}", PATHS[self.account])

    def test_P3_the_envelope_is_always_there(self):
        """The answer is an empty array when nothing is open, before the first trade and after the last."""
        for account in PATHS:
            self.account = account
            self.assertEqual(self.document().text, '{"positions":[]}')
            self.buy(10, 190)
            self.assertEqual(list(self.document().json), ["positions"])
            self.assertEqual(len(self.positions()), 1)
            self.sell(10, 190)
            self.assertEqual(self.document().text, '{"positions":[]}')

    def test_P4_no_filters(self):
        """The answer has all rows, whatever the query says."""
        self.buy(10, 190)
        self.buy(10, 500, "MSFT")
        self.buy(1, 2, CONTRACT)
        whole = self.document()
        self.assertEqual(len(whole.json["positions"]), 3)
        for query in ("?symbol=X", "?symbol=AAPL", "?limit=1&offset=2", "?side=Short", "?", "?positionId=1&=&&x"):
            self.assertEqual(self.document(query).text, whole.text, query)

    def test_P5_timestamps(self):
        """Timestamps have seven fractional digits and +00:00, for stocks and options, by day and by night."""
        self.buy(10, 190)
        self.p.advance("1ms")
        self.buy(1, 2, occ(expiry="261218"))
        self.at("2026-01-16T00:30:00Z")
        self.buy(10, 12, "F", timeInForce="Day_Plus")
        rows = self.positions()
        self.assertEqual(len(rows), 3)
        for row in rows:
            for key in ("createdDate", "updatedDate"):
                self.assertRegex(row[key], r"^2026-01-1[56]T\d\d:\d\d:\d\d\.\d{7}\+00:00$")
        self.assertEqual(rows[2]["createdDate"][:13], "2026-01-16T00")


if __name__ == "__main__":
    unittest.main()
