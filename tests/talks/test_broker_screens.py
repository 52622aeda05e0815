"""ordergate broker on a terminal: tables at two widths, with and without colour, beside stored screens; rows and CSV
have what the service wrote. What a pipe gets is in test_broker.py (test_reads_print_what_the_service_wrote)."""
import csv
import io
import json
import os
import re
import unittest

from endpoints import Endpoints
from programs import BIN, Programs
from terminal import Screens, screen

HERE = os.path.dirname(os.path.abspath(__file__))
SGR = re.compile("\x1b\\[\\d*m")
# call: key of its list, None for an object
CALLS = {"accounts": "accounts", "account": None, "pnl": "pnl", "positions": "positions", "closed": "closedPositions",
         "routes": "routes", "orders": "orders", "order m": None, "borrow GME": None, "cash 2026-01-15": "cashHistory",
         "history 2026-01-15": "tradingHistory", "locate-history": "locateHistory",
         "locate-inventory": "locateInventory"}


class OnATerminal(Programs, Screens, Endpoints):
    FOLDER = os.path.join(HERE, "screens")

    def shown(self, *args, columns=80, **more):
        argv = [os.path.join(BIN, "ordergate"), "broker", "--broker", self.broker_file(), *args]
        text, code = screen(argv, columns, env=self.environment(), **more)
        self.assertEqual(code, 0, text)
        return text

    def test_screens(self):
        self.busy()
        for call in CALLS:
            for columns in (80, 200):
                plain = self.shown(*call.split(), columns=columns, NO_COLOR="1")
                self.stored(f"broker-{call.replace(' ', '-')}-{columns}.txt", plain)
                self.assertEqual(SGR.sub("", self.shown(*call.split(), columns=columns)), plain)
                for line in plain.splitlines():
                    self.assertLessEqual(len(line), columns)
        self.assertIn("\x1b[32mFilled\x1b[0m", self.shown("orders"))

    def test_losses_and_rejections_are_red(self):
        self.busy()
        self.p.quote("MSFT", 90, 90)
        self.p.advance("1s")
        text = self.shown("pnl")
        for row in self.asked("pnl")["pnl"]:
            if row["unrealizedPnL"] < 0:
                self.assertIn(f"\x1b[31m{row['unrealizedPnL']:g}\x1b[0m", text)
        self.assertIn("\x1b[31m-", text)

    def test_every_row_is_there(self):
        """In the table each row of the list; as rows and CSV with all its members."""
        self.busy()
        for call, key in CALLS.items():
            document = self.asked(*call.split())
            rows = document[key] if key else [document]
            out = self.run_broker(*call.split(), "--format", "ndjson")[0]
            self.assertEqual([json.loads(x) for x in out.splitlines()], rows, call)
            told = list(csv.DictReader(io.StringIO(self.run_broker(*call.split(), "--format", "csv")[0])))
            self.assertEqual(len(told), len(rows))
            for one, row in zip(told, rows):
                self.assertEqual(list(one), list(row))
                for name, value in row.items():
                    if isinstance(value, str):
                        self.assertIn(one[name], (value, "'" + value))  # a formula of a spreadsheet gets an apostrophe
                    elif value is None:
                        self.assertEqual(one[name], "")
                    else:
                        self.assertEqual(json.loads(one[name]), value)
            if key and rows and key != "pnl":
                text = self.shown(*call.split(), columns=200, NO_COLOR="1")
                self.assertEqual(len([x for x in text.splitlines()[1:] if x.startswith("  ") and x[2] != " "]),
                                 len(rows), text)

    def test_json_is_what_the_service_wrote(self):
        self.busy()
        for call in ("orders", "account", "facts"):
            out = self.run_broker(*call.split())[0]
            shown = self.shown(*call.split(), "--format", "json")
            if call == "facts":
                out, shown = (re.sub(r'"asOf":"[^"]*"', "", x) for x in (out, shown))
            self.assertEqual(shown, out)
        self.assertTrue(self.shown("facts").startswith('{"asOf":'))
        self.run_broker("facts", "--format", "table", code=2)

    def test_into_a_file(self):
        """A file gets what a pipe gets, also from a terminal, unless a format is given."""
        self.busy()
        path = os.path.join(self.home(), "out")
        for args, begins in (((), '{"positions":['), (("--format", "csv"), '"accountId",'),
                             (("--format", "table"), "  SYMBOL ")):
            self.assertEqual(self.shown("positions", "-o", path, *args), "")
            with open(path) as f:
                self.assertTrue(f.read().startswith(begins))

    def test_nothing(self):
        for call, words in (("positions", "nothing is held"), ("orders", "no order of today"),
                            ("closed", "no position was closed today"), ("locate-history", "no locate of today"),
                            ("locate-inventory", "no shares are located")):
            self.assertEqual(self.shown(call), words + "\n")


if __name__ == "__main__":
    unittest.main()
