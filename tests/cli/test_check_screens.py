"""ordergate check on a terminal: tables at two widths, with and without colour, beside stored screens; what a pipe gets
is what it got before there were tables."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from terminal import Screens, screen

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
HERE = os.path.dirname(os.path.abspath(__file__))
AT = ("--at", "2026-01-15T15:00:00Z")
SGR = re.compile("\x1b\\[\\d*m")
FACTS = {"asOf": "2026-01-15T15:00:00Z",
         "account": {"accountId": "LIVE0001", "accountStatus": "Active", "bp": 100000, "optionTradingLevel": 3},
         "quotes": {"AAPL": {"bid": 189.5, "ask": 189.52, "asOf": "2026-01-15T15:00:00Z"}}}


def order(id, **more):
    return {"clientOrderId": id, "securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open",
            "orderType": "Limit", "orderQuantity": 100, "limitPrice": 189.5, "timeInForce": "Day", "route": "SMART",
            **more}


def leg(symbol, side):
    return {"symbol": symbol, "side": side, "ratio": 1, "openClose": "Open"}


LINES = [
    order("a1"),
    order("a2", orderQuantity=0, orderType="Limt", tag="pairs"),
    order("a3-with-an-id-of-thirty-six-characters", side="Sell", openClose="Close", orderType="StopLimit",
          stopPrice=180, limitPrice=179.5),
    order("a4", limitPrice=250),
    order("a5", orderQuantity=10.5, symbol="NVDA"),
    order("a6", securityType="Option", symbol="AAPL  260220C00200000", orderQuantity=1, limitPrice=9.5),
    order("a7", symbol="株式会社アップル", limitPrice=None, orderType="Market"),
    {**order("a8", securityType="Mleg", symbol="SPY", orderQuantity=1, limitPrice=5),
     "legs": [leg("SPY260220C00600000", "Buy"), leg("SPY260220C00610000", "Sell")]},
    {"op": "cancel", "clientOrderId": "a1"},
    {"op": "locate-quote", "account": "L1", "symbol": "GME", "quantity": 100, "quoteReqID": "q1"},
    {"op": "read", "endpoint": "GET orders"},
    {"op": "basket", "orders": [order("b1", symbol="MSFT"), order("b2", symbol="MSFT", side="Sel")]},
    {"op": "heartbeat"},
    order("\x1b[31mred\x1b[0m\t\u202e", text="\x1b]0;title\x07"),
]


def orders():
    for value in LINES[7], LINES[8]:
        for key in ("side", "openClose") if "legs" in value else ():
            value.pop(key, None)
    return "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in LINES) + "not json\n"


class OnATerminal(Screens, unittest.TestCase):
    FOLDER = os.path.join(HERE, "screens")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = folder.name
        self.path = self.file("orders.ndjson", orders())
        self.facts = self.file("facts.json", json.dumps(FACTS))
        self.args = [GATE, "check", *AT, "-f", self.facts]

    def file(self, name, text):
        path = os.path.join(self.dir, name)
        with open(path, "w") as f:
            f.write(text)
        return path

    def shown(self, *args, **more):
        with open(self.path) as f:
            text, code = screen([*self.args, *args], stdin=f, **more)
        self.assertEqual(code, 1)
        return text

    def piped(self, *args):
        with open(self.path) as f:
            return subprocess.run([*self.args, *args], stdin=f, capture_output=True, text=True, timeout=600)

    def test_screens(self):
        for columns in (80, 200):
            plain, coloured = self.shown(columns=columns, NO_COLOR="1"), self.shown(columns=columns)
            self.stored(f"check-{columns}.txt", plain)
            self.assertEqual(SGR.sub("", coloured), plain)
            self.assertNotRegex(plain, "[\x00-\x09\x0b-\x1f\x7f]")
            self.assertIn("\x1b[31mrefuse\x1b[0m", coloured)
            self.assertIn("\x1b[32maccept\x1b[0m", coloured)
        self.stored("check-80-colour.txt", self.shown(columns=80))

    def test_colour_by_the_usual_rules(self):
        for coloured, args, more in ((True, (), {}), (False, (), {"NO_COLOR": "1"}), (True, (), {"NO_COLOR": ""}),
                                     (False, (), {"TERM": "dumb"}), (False, (), {"CLICOLOR": "0"}),
                                     (True, (), {"CLICOLOR": "0", "CLICOLOR_FORCE": "1"}),
                                     (True, (), {"TERM": "dumb", "CLICOLOR_FORCE": "1"}),
                                     (False, (), {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}),
                                     (False, ("--color", "never"), {"CLICOLOR_FORCE": "1"}),
                                     (True, ("--color", "always"), {"NO_COLOR": "1", "TERM": "dumb"})):
            self.assertEqual("\x1b" in self.shown(*args, **more), coloured, (args, more))
        env = {**os.environ, "CLICOLOR_FORCE": "1"}
        for format, coloured in (("table", True), ("ndjson", False), ("csv", False), ("auto", False)):
            with open(self.path) as f:
                done = subprocess.run([*self.args, "--format", format], stdin=f, capture_output=True, env=env)
            self.assertEqual(b"\x1b" in done.stdout, coloured, format)

    def test_a_pipe_gets_what_it_got(self):
        done = self.piped()
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        digests = re.compile(r"sha256:[0-9a-f]{64}")  # they change with the policy's defaults
        self.stored("check-pipe.ndjson", digests.sub("sha256:", done.stdout))
        for format in ("auto", "json", "ndjson"):
            self.assertEqual(self.piped("--format", format).stdout, done.stdout)
        for format in ("json", "ndjson"):
            self.assertEqual(self.shown("--format", format), done.stdout)
        for emit in ("orders", "lines", "bodies"):
            done = self.piped("--emit", emit)
            with open(self.path) as f:
                text, _ = screen([*self.args, "--emit", emit], stdin=f, stderr=subprocess.DEVNULL)
            self.assertEqual(text, done.stdout, emit)
            for format in ("table", "csv"):
                self.assertEqual(self.piped("--emit", emit, "--format", format).returncode, 2)

    def test_every_decision_has_a_row(self):
        decisions = [json.loads(x) for x in self.piped().stdout.splitlines()]
        for args in (), ("--independent",), ("--margin", "--suggest"):
            for columns in (40, 80, 200):
                text = self.shown(*args, columns=columns, NO_COLOR="1")
                rows = re.findall(r"^ +(\d+)  (accept|refuse)", text, re.M)
                self.assertEqual(rows, [(str(d["line"]), d["verdict"]) for d in decisions])
                for line in text.splitlines():  # a word longer than the line is not broken
                    self.assertTrue(len(line) <= columns or " " not in line.strip(), line)
        self.assertEqual(text.splitlines()[-1].split(" (")[0], "decided 15: 7 accepted, 8 refused")

    def test_a_long_input_has_the_same_rows(self):
        """Batches, and the several threads of --independent, keep the sequence."""
        lines = [json.dumps(order(f"x{i}", orderQuantity=i % 3)) + "\n" for i in range(1000)]
        self.path = self.file("long.ndjson", "".join(lines))
        for args in (), ("--independent",):
            rows = re.findall(r"^ +(\d+)  (accept|refuse) +(x\d+) ", self.shown(*args, NO_COLOR="1"), re.M)
            self.assertEqual([int(r[0]) for r in rows], list(range(1, 1001)))
            self.assertEqual([r[2] for r in rows], [f"x{i}" for i in range(1000)])
            self.assertTrue(all(r[1] == "refuse" for i, r in enumerate(rows) if i % 3 == 0))

    def test_csv(self):
        decisions = [json.loads(x) for x in self.piped().stdout.splitlines()]
        rows = list(csv.DictReader(io.StringIO(self.piped("--format", "csv").stdout)))
        self.assertEqual(len(rows), len(decisions))
        for row, d in zip(rows, decisions):
            first = next((f for f in d["findings"] if f["level"] == "refuse"), {})
            self.assertEqual((row["line"], row["verdict"], row["reason"]),
                             (str(d["line"]), d["verdict"], first.get("reason", "")))
            self.assertNotIn("\x1b", "".join(row.values()))
        self.assertEqual((rows[0]["symbol"], rows[0]["orderQuantity"], rows[0]["limitPrice"]), ("AAPL", "100", "189.5"))
        self.assertEqual(rows[12]["symbol"], "MSFT")

    def test_named_files_have_their_names(self):
        other = self.file("other.ndjson", json.dumps(order("o1")) + "\n")
        text, code = screen([*self.args, "--color", "never", self.path, other], columns=200)
        self.assertEqual(code, 1)
        self.assertEqual([x for x in text.splitlines() if x.startswith("/")], [self.path, other])

    def test_lines_that_are_typed_are_answered_at_once(self):
        with subprocess.Popen([*self.args, "--format", "table"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as p:
            for i in range(3):
                p.stdin.write(json.dumps(order(f"t{i}")) + "\n")
                p.stdin.flush()
                seen = ""
                while f" t{i} " not in seen:
                    seen = p.stdout.readline()
            p.stdin.close()
            self.assertIn("decided 3: 3 accepted", p.stdout.read())


class Progress(unittest.TestCase):
    """How far a long input is, on stderr, if that is a terminal and stdout is none."""
    MANY = 120000
    REFUSED = json.dumps(order("x", orderQuantity=10.5)) + "\n"

    def seen(self, stdin, *args):
        text, code = screen(["sh", "-c", 'exec "$0" "$@" >/dev/null', GATE, "check", *AT, *args], stdin=stdin)
        self.assertEqual(code, 1)
        return text

    def test_the_share_that_is_done(self):
        with tempfile.NamedTemporaryFile("w+") as f:
            f.write(self.REFUSED * self.MANY)
            f.flush()
            for args in ("--suggest", f.name), ("--suggest",):
                f.seek(0)
                text = self.seen(f if len(args) == 1 else subprocess.DEVNULL, *args)
                shown = re.findall(r"check: (\d+) orders, (\d+) refused, (\d+) a second, (\d+)%, (\d+) s left",
                                   text)
                self.assertTrue(shown, text[:500])
                for orders, refused, rate, share, left in shown:
                    self.assertEqual(orders, refused)
                    self.assertLessEqual(abs(int(orders) * 100 / self.MANY - int(share)), 1.01)
                self.assertTrue(text.endswith("\n"))

    def test_a_pipe_has_no_end_that_is_known(self):
        feed = "import sys,time\nfor i in range(15): print(sys.argv[1], flush=True); time.sleep(.1)"
        with subprocess.Popen([sys.executable, "-c", feed, self.REFUSED], stdout=subprocess.PIPE) as p:
            text = self.seen(p.stdout)
        self.assertRegex(text, r"\rordergate check: \d+ orders, \d+ refused, \d+ a second *")
        self.assertNotIn("%", text)

    def test_nothing_is_shown_of_a_short_input_or_into_a_file(self):
        with tempfile.NamedTemporaryFile("w+") as f:
            f.write(self.REFUSED)
            f.flush()
            self.assertEqual(self.seen(subprocess.DEVNULL, f.name), "")
        done = subprocess.run([GATE, "check", *AT, "--suggest"], input=self.REFUSED * 20000, capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stderr), (1, ""))


if __name__ == "__main__":
    unittest.main()
